/* SPDX-License-Identifier: MIT */
/* Iterator over the executed instructions of a stream, with their memory accesses.
 *
 * The last block of a thread's chunk is held back until the thread's next chunk, which may have the
 * block's last accesses, and has the target of its branch. Blocks before it are read from the chunk
 * directly.
 *
 *     chunk:  block 5 | block 9 | block 2       next of the thread:  mems | block 7 | ...
 *                                 ^ held back                        ^ of block 2, which goes to 7
 */
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "failure.h"
#include "grow.h"
#include "source.h"

/* The block of a thread that is held back, and its accesses so far. */
struct held_block {
    uint32_t block; /* SL_NO_INDEX: none */
    uint32_t thread;
    uint32_t *word;
    uint64_t *value, *address;
    size_t n, word_capacity, value_capacity, address_capacity;
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
    /* The current block. */
    const struct sl_block *block;
    const struct sl_block_end *end;
    uint32_t insn, thread;
    bool followed;
    uint64_t next;
    const uint32_t *word;
    const uint64_t *value, *address;
    size_t mem, n_mems;
    struct sl_instruction_access *access;
    size_t access_capacity;
};

int sl_instructions_open(struct sl_instructions **instructions, struct sl_source *source,
                         struct sl_failure *f)
{
    struct sl_instructions *it = *instructions = calloc(1, sizeof *it);
    if (!it)
        return sl_out_of_memory(f);
    unsigned needs = sl_source_contents(source);
    it->source = source;
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
    for (size_t i = 0; i < it->threads.n_keys && i < it->held_capacity; i++) {
        free(it->held[i].word);
        free(it->held[i].value);
        free(it->held[i].address);
    }
    free(it->held);
    sl_index_free(&it->threads);
    sl_code_free(&it->code);
    free(it->access);
    free(it);
}

/* ---- blocks ---- */

/* Adds the chunk's mem events from `low` to before `high` to the block held back. */
static bool add_mems(const struct sl_instructions *it, struct held_block *w, uint32_t low,
                     uint32_t high)
{
    size_t n = high - low;
    if (!n)
        return true;
    if (!SL_GROW(w->word, w->word_capacity, w->n + n) ||
        !SL_GROW(w->value, w->value_capacity, w->n + n) ||
        !SL_GROW(w->address, w->address_capacity, w->n + n))
        return false;
    memcpy(w->word + w->n, it->chunk.mem_insn + low, n * sizeof *w->word);
    if (it->has_values)
        memcpy(w->value + w->n, it->chunk.mem_value + low, n * sizeof *w->value);
    if (it->has_addresses)
        memcpy(w->address + w->n, it->chunk.mem_addr + low, n * sizeof *w->address);
    w->n += n;
    return true;
}

static uint32_t mems_before(const struct sl_instructions *it, uint32_t block)
{
    const struct sl_chunk *c = &it->chunk;
    return block < c->n_blocks && c->block_mem ? c->block_mem[block] : c->n_mems;
}

static void begin_block(struct sl_instructions *it, uint32_t block, uint32_t thread, bool followed,
                        uint32_t next)
{
    it->block = &it->source->statics.block[block];
    it->end = &it->code.end[block];
    it->insn = 0;
    it->thread = thread;
    it->followed = followed;
    it->next = followed ? it->source->statics.block[next].pc : 0;
}

/* Makes the block held back the current one. */
static void begin_held(struct sl_instructions *it, struct held_block *w, bool followed,
                       uint32_t next)
{
    begin_block(it, w->block, w->thread, followed, next);
    it->word = w->word;
    it->value = it->has_values ? w->value : NULL;
    it->address = it->has_addresses ? w->address : NULL;
    it->mem = 0;
    it->n_mems = w->n;
    w->block = SL_NO_INDEX;
    w->n = 0;
}

static void begin_chunk_block(struct sl_instructions *it)
{
    const struct sl_chunk *c = &it->chunk;
    begin_block(it, c->block[it->at], c->thread, true, c->block[it->at + 1]);
    it->word = c->mem_insn;
    it->value = c->mem_value;
    it->address = c->mem_addr;
    it->mem = mems_before(it, it->at);
    it->n_mems = mems_before(it, ++it->at);
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
    if (belong && !add_mems(it, it->of, 0, mems_before(it, 0)))
        return sl_out_of_memory(f);
    return 1;
}

/* Advances to the next block. Returns 1, 0 at the end, or an error. */
static int next_block(struct sl_instructions *it, struct sl_failure *f)
{
    for (;;) {
        const struct sl_chunk *c = &it->chunk;
        if (it->of && it->at < c->n_blocks) {
            struct held_block *w = it->of;
            if (w->block != SL_NO_INDEX) {
                bool followed = !(c->flags & (SL_CHUNK_START | SL_CHUNK_GAP));
                begin_held(it, w, followed, c->block[0]);
                return 1;
            }
            if (it->at + 1 < c->n_blocks) {
                begin_chunk_block(it);
                return 1;
            }
            w->block = c->block[it->at];
            w->n = 0;
            if (!add_mems(it, w, mems_before(it, it->at), c->n_mems))
                return sl_out_of_memory(f);
            it->of = NULL;
        }
        int more = it->ended ? 0 : read_chunk(it, f);
        if (more < 0)
            return more;
        it->ended = !more;
        while (it->ended && it->flushed < it->threads.n_keys) {
            struct held_block *w = &it->held[it->flushed++];
            if (w->block != SL_NO_INDEX) {
                begin_held(it, w, false, 0);
                return 1;
            }
        }
        if (it->ended)
            return 0;
    }
}

/* ---- instructions ---- */

/* Accesses of an instruction are consecutive, and in the order of instructions. Accesses of an
 * instruction that is not in the block (a damaged stream) end those of the block. */
static bool read_accesses(struct sl_instructions *it, uint32_t id, struct sl_instruction *out)
{
    size_t n = 0;
    uint32_t mask = it->has_addresses ? SL_MEM_INSN_MASK : UINT32_MAX;
    for (; it->mem < it->n_mems && (it->word[it->mem] & mask) == id; it->mem++, n++) {
        uint32_t flags = it->has_addresses ? it->word[it->mem] : 0;
        if (!SL_GROW(it->access, it->access_capacity, n + 1))
            return false;
        it->access[n] = (struct sl_instruction_access){
            .address = it->address ? it->address[it->mem] : 0,
            .value = it->value && !(flags & SL_MEM_STORE) ? it->value[it->mem] : 0,
            .size = it->has_addresses ? UINT32_C(1) << (flags >> SL_MEM_SIZE_SHIFT & 7) : 0,
            .store = flags & SL_MEM_STORE};
    }
    out->access = it->access;
    out->n_accesses = n;
    return true;
}

static void set_flow(const struct sl_instructions *it, uint32_t id, struct sl_instruction *out)
{
    bool decides = id == it->end->branch_insn && !it->end->slot_missing;
    bool last = it->insn + 1u == it->block->n_insns;
    out->followed = it->followed || !(last || decides);
    out->next = last || decides ? it->next : out->pc + out->size;
    out->taken = decides && it->followed && it->next != it->end->next;
}

int sl_instructions_next(struct sl_instructions *it, struct sl_instruction *out,
                         struct sl_failure *f)
{
    const struct sl_statics *statics = &it->source->statics;
    if (!it->block || it->insn == it->block->n_insns) {
        int more = next_block(it, f);
        if (more <= 0) {
            it->block = NULL;
            return more;
        }
    }
    bool described = statics->program.arch == SL_ARCH_DESCRIBED;
    uint32_t id = statics->block_insn[it->block->insns_at + it->insn];
    const struct sl_insn *insn = &statics->insn[id];
    const struct sl_insn_info *info = sl_code_insn(&it->code, id);
    *out = (struct sl_instruction){.pc = insn->pc,
                                   .bytes = described ? NULL : &statics->bytes[insn->bytes_at],
                                   .size = insn->size,
                                   .kind = info->class,
                                   .branch = info->branch,
                                   .thread = it->thread,
                                   .reads = info->reads,
                                   .writes = info->writes};
    set_flow(it, id, out);
    if (!read_accesses(it, id, out))
        return sl_out_of_memory(f);
    it->insn++;
    return 1;
}
