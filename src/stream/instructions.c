/* SPDX-License-Identifier: MIT */
/* Iterator over the executed instructions of a stream, with their memory accesses.
 *
 * The last block of each thread is held back until the thread's next block is known, since only
 * then all of its accesses and the target of its branch are known.
 *
 *     chunk:  block 5 | block 9 | block 2       next of the thread:  mems | block 7 | ...
 *                                 ^ held back                        ^ of block 2, which goes to 7
 */
#include <stdlib.h>

#include "code.h"
#include "failure.h"
#include "grow.h"
#include "source.h"

/* An executed block with its accesses so far. */
struct held_block {
    uint32_t block; /* SL_NO_INDEX: none */
    uint32_t thread;
    struct held_mem {
        uint32_t word;
        uint64_t value, address;
    } * mem;
    size_t n, capacity;
};

struct sl_instructions {
    struct sl_source *source;
    struct sl_code code;
    bool has_values, has_addresses;
    struct sl_index_map threads;
    struct held_block *held; /* by thread */
    size_t held_capacity;
    struct sl_chunk chunk;
    uint32_t at;           /* the chunk's next block */
    struct held_block *of; /* of the chunk's thread; NULL: no chunk */
    bool ended;
    size_t flushed; /* at the end: threads whose last block was returned */
    struct held_block now;
    uint32_t insn; /* next one of the block `now` */
    size_t mem;    /* its next access */
    bool followed; /* `next`, where the thread goes after the block, is known */
    uint64_t next;
    struct sl_instruction_access *access;
    size_t access_capacity;
};

int sl_instructions_open(struct sl_instructions **instructions, struct sl_source *source,
                         struct sl_failure *f)
{
    SL_REQUIRE(f, instructions);
    *instructions = NULL;
    SL_REQUIRE(f, source);
    struct sl_instructions *it = *instructions = calloc(1, sizeof *it);
    if (!it)
        return sl_out_of_memory(f);
    unsigned needs = sl_source_contents(source);
    it->source = source;
    it->now.block = SL_NO_INDEX;
    it->has_values = needs & SL_NEED_VALUES;
    it->has_addresses = needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
    int error = sl_code_init(&it->code, &source->statics, f);
    if (error < 0) {
        sl_instructions_close(it);
        *instructions = NULL;
    }
    return error;
}

void sl_instructions_close(struct sl_instructions *it)
{
    if (!it)
        return;
    for (size_t i = 0; i < it->held_capacity; i++)
        free(it->held[i].mem);
    free(it->now.mem);
    free(it->held);
    sl_index_free(&it->threads);
    sl_code_free(&it->code);
    free(it->access);
    free(it);
}

/* ---- blocks ---- */

/* Adds the chunk's mem events from `low` to before `high` to the block held back. */
static bool add_mems(struct sl_instructions *it, uint32_t low, uint32_t high)
{
    struct held_block *held = it->of;
    const struct sl_chunk *c = &it->chunk;
    if (!SL_GROW(held->mem, held->capacity, held->n + high - low))
        return false;
    for (uint32_t i = low; i < high; i++)
        held->mem[held->n++] = (struct held_mem){.word = c->mem_insn[i],
                                                 .value = it->has_values ? c->mem_value[i] : 0,
                                                 .address = it->has_addresses ? c->mem_addr[i] : 0};
    return true;
}

/* Makes the block held back the current one. */
static void begin_block(struct sl_instructions *it, struct held_block *held, bool followed)
{
    struct held_block before = it->now;
    it->now = *held;
    *held = (struct held_block){SL_NO_INDEX, held->thread, before.mem, 0, before.capacity};
    it->insn = 0;
    it->mem = 0;
    it->followed = followed;
    it->next = followed ? it->source->statics.block[it->chunk.block[it->at]].pc : 0;
}

/* Reads the next chunk; its first mem events belong to the block held back. Returns 1, 0 at the
 * end, or an error. */
static int read_chunk(struct sl_instructions *it, struct sl_failure *f)
{
    int more = sl_source_next(it->source, &it->chunk, f);
    it->of = NULL;
    if (more <= 0)
        return more;
    int error = sl_code_sync(&it->code, f);
    if (error < 0)
        return error;
    size_t known = it->threads.n_keys;
    uint32_t thread = sl_index_add(&it->threads, it->chunk.thread, 0);
    if (thread == SL_NO_INDEX || !SL_GROW(it->held, it->held_capacity, (size_t)thread + 1))
        return sl_out_of_memory(f);
    it->of = &it->held[thread];
    if (thread == known)
        *it->of = (struct held_block){.block = SL_NO_INDEX, .thread = it->chunk.thread};
    it->at = 0;
    bool belong = it->of->block != SL_NO_INDEX && !(it->chunk.flags & SL_CHUNK_START);
    if (belong && !add_mems(it, 0, sl_chunk_mem(&it->chunk, 0)))
        return sl_out_of_memory(f);
    return 1;
}

/* Holds the chunk's next block back, and begins the one that was. Returns 1, 0 if there was none,
 * or SL_ENOMEM. */
static int hold_next(struct sl_instructions *it, struct sl_failure *f)
{
    struct held_block *held = it->of;
    bool begins = held->block != SL_NO_INDEX;
    if (begins)
        begin_block(it, held, it->at || !(it->chunk.flags & (SL_CHUNK_START | SL_CHUNK_GAP)));
    held->block = it->chunk.block[it->at++];
    if (!add_mems(it, sl_chunk_mem(&it->chunk, it->at - 1), sl_chunk_mem(&it->chunk, it->at)))
        return sl_out_of_memory(f);
    return begins;
}

/* Advances to the next block. Returns 1, 0 at the end, or an error. */
static int next_block(struct sl_instructions *it, struct sl_failure *f)
{
    int more = 0;
    while (!it->ended && !more) {
        if (it->of && it->at < it->chunk.n_blocks) {
            more = hold_next(it, f);
        } else {
            int read = read_chunk(it, f);
            if (read < 0)
                return read;
            it->ended = !read;
        }
    }
    while (it->ended && !more && it->flushed < it->threads.n_keys) {
        struct held_block *held = &it->held[it->flushed++];
        more = held->block != SL_NO_INDEX;
        if (more)
            begin_block(it, held, false);
    }
    return more;
}

/* ---- instructions ---- */

/* Accesses of an instruction are consecutive, and in the order of instructions. Accesses of an
 * instruction that is not in the block (a damaged stream) end those of the block. */
static bool read_accesses(struct sl_instructions *it, uint32_t id, struct sl_instruction *out)
{
    const struct held_mem *mem = it->now.mem;
    size_t n = 0;
    uint32_t mask = it->has_addresses ? SL_MEM_INSN_MASK : UINT32_MAX;
    for (; it->mem < it->now.n && (mem[it->mem].word & mask) == id; it->mem++, n++) {
        uint32_t flags = it->has_addresses ? mem[it->mem].word : 0;
        if (!SL_GROW(it->access, it->access_capacity, n + 1))
            return false;
        it->access[n] = (struct sl_instruction_access){
            .address = mem[it->mem].address,
            .value = flags & SL_MEM_STORE ? 0 : mem[it->mem].value,
            .size = it->has_addresses ? UINT32_C(1) << (flags >> SL_MEM_SIZE_SHIFT & 7) : 0,
            .store = flags & SL_MEM_STORE};
    }
    out->access = it->access;
    out->n_accesses = n;
    return true;
}

static void set_flow(const struct sl_instructions *it, uint32_t id, bool last,
                     struct sl_instruction *out)
{
    const struct sl_block_end *end = &it->code.end[it->now.block];
    bool decides = id == end->branch_insn && !end->slot_missing;
    out->followed = it->followed || !(last || decides);
    out->next = last || decides ? it->next : out->pc + out->size;
    out->taken = decides && it->followed && it->next != end->next;
}

int sl_instructions_next(struct sl_instructions *it, struct sl_instruction *out,
                         struct sl_failure *f)
{
    SL_REQUIRE(f, it && out);
    const struct sl_statics *statics = &it->source->statics;
    if (it->now.block == SL_NO_INDEX || it->insn == statics->block[it->now.block].n_insns) {
        int more = next_block(it, f);
        if (more <= 0) {
            it->now.block = SL_NO_INDEX;
            return more;
        }
    }
    bool described = statics->program.arch == SL_ARCH_DESCRIBED;
    const struct sl_block *block = &statics->block[it->now.block];
    uint32_t id = statics->block_insn[block->insns_at + it->insn++];
    const struct sl_insn *insn = &statics->insn[id];
    const struct sl_insn_info *info = sl_code_insn(&it->code, id);
    *out = (struct sl_instruction){.pc = insn->pc,
                                   .bytes = described ? NULL : &statics->bytes[insn->bytes_at],
                                   .size = insn->size,
                                   .kind = info->class,
                                   .branch = info->branch,
                                   .thread = it->now.thread,
                                   .reads = info->reads,
                                   .writes = info->writes};
    set_flow(it, id, it->insn == block->n_insns, out);
    return read_accesses(it, id, out) ? 1 : sl_out_of_memory(f);
}
