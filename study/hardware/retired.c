/* SPDX-License-Identifier: MIT */
/* Writer of retired.txt: the instructions that a RISC-V core would retire for a stream, with their
 * weights (format in retired.h). */
#include "retired.h"

#include <stdlib.h>

#include "code.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"

#define NOP 0x13u

/* A load of the pending block. */
struct load {
    uint32_t insn;
    uint8_t mask;
    uint64_t address, value, weight;
};

struct writer {
    struct sl_retired *result;
    const struct sl_statics *statics;
    struct sl_code code;
    struct sl_machine *machine;
    FILE *out;
    uint64_t *weight; /* of the chunk's blocks */
    /* The last block, which is written when its successor is known. */
    bool pending;
    uint32_t block;
    uint64_t block_weight, block_parts[SL_PARTS];
    struct load *load;
    size_t n_loads, loads_capacity;
};

/* ---- one block ---- */

static void write_weight(const struct writer *w, bool last, uint64_t of_load)
{
    const struct sl_retired *result = w->result;
    if (result->parts > 1) {
        for (unsigned i = 0; i < result->parts; i++)
            fprintf(w->out, " %llx", (unsigned long long)(last ? w->block_parts[i] : 0));
        return;
    }
    uint64_t weight = result->by_access                 ? of_load
                      : !result->metric->machine_events ? 1
                      : last                            ? w->block_weight
                                                        : 0;
    fprintf(w->out, " %llx", (unsigned long long)weight);
}

static uint32_t word_of(const struct sl_statics *statics, const struct sl_insn *insn)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < insn->size && i < 4; i++)
        word |= (uint32_t)statics->bytes[insn->bytes_at + i] << 8 * i;
    return word;
}

/* Writes the pending block, whose successor is at `next` if `known`. */
static void write_block(struct writer *w, bool known, uint64_t next)
{
    const struct sl_block *b = &w->statics->block[w->block];
    size_t load = 0;
    for (uint32_t i = 0; i < b->n_insns; i++) {
        uint32_t number = w->statics->block_insn[b->insns_at + i];
        const struct sl_insn *insn = &w->statics->insn[number];
        bool last = i + 1u == b->n_insns;
        struct load none = {0}, *l = &none;
        if (load < w->n_loads && w->load[load].insn == number)
            l = &w->load[load++];
        uint32_t word = last && !known ? NOP : word_of(w->statics, insn);
        uint64_t to = last && known ? next : insn->pc + insn->size;
        if (w->result->xlen == 32)
            to &= UINT32_MAX;
        fprintf(w->out, "%llx %x %llx %llx %x %llx", (unsigned long long)insn->pc, word,
                (unsigned long long)to, (unsigned long long)l->address, l->mask,
                (unsigned long long)l->value);
        write_weight(w, last, l->weight);
        fputc('\n', w->out);
    }
    w->result->instructions += b->n_insns;
    w->pending = false;
}

/* True if code at `pc` can follow the pending block. */
static bool follows(const struct writer *w, uint64_t pc)
{
    const struct sl_block_end *end = &w->code.end[w->block];
    switch (end->branch) {
    case SL_BRANCH_CONDITIONAL:
        return pc == end->target || pc == end->next;
    case SL_BRANCH_JUMP:
    case SL_BRANCH_CALL:
        return pc == end->target;
    case SL_BRANCH_NONE:
        return pc == end->next;
    default:
        return true;
    }
}

/* ---- chunks ---- */

static bool add_loads(struct writer *w, const struct sl_chunk *chunk, uint32_t from, uint32_t end)
{
    const uint8_t *access_events = w->result->by_access && w->machine
                                       ? sl_machine_access_events(w->machine)
                                       : NULL;
    for (uint32_t i = from; i < end; i++) {
        uint32_t word = chunk->mem_insn[i];
        bool flagged = chunk->mem_addr;
        if (flagged && word & (SL_MEM_STORE | SL_MEM_MORE))
            continue;
        if (!SL_GROW(w->load, w->loads_capacity, w->n_loads + 1))
            return false;
        unsigned size = flagged ? 1u << (word >> SL_MEM_SIZE_SHIFT & 7) : 8;
        w->load[w->n_loads++] = (struct load){
            .insn = flagged ? word & SL_MEM_INSN_MASK : word,
            .mask = (uint8_t)(size < 8 ? (1u << size) - 1 : 255),
            .address = flagged ? chunk->mem_addr[i] : 0,
            .value = chunk->mem_value ? chunk->mem_value[i] : 0,
            .weight = access_events ? (access_events[i] & w->result->metric->access) != 0 : 1};
    }
    return true;
}

static void set_pending(struct writer *w, const struct sl_chunk *chunk, uint32_t i)
{
    w->pending = true;
    w->block = chunk->block[i];
    w->block_weight = w->weight ? w->weight[i] : 0;
    for (unsigned k = 0; k < w->result->parts && w->result->parts > 1; k++)
        w->block_parts[k] = sl_machine_block_counts(w->machine, w->result->metric->parts + k)[i];
    w->n_loads = 0;
}

/* Returns false if out of memory. Sets result->cut if a block does not follow its predecessor. */
static bool write_chunk(struct writer *w, const struct sl_chunk *chunk)
{
    uint32_t low = 0;
    for (uint32_t i = 0; i <= chunk->n_blocks; i++) {
        uint32_t high = !chunk->block_mem     ? 0
                        : i < chunk->n_blocks ? chunk->block_mem[i]
                                              : chunk->n_mems;
        if (w->pending && !add_loads(w, chunk, low, high))
            return false;
        low = high;
        if (i == chunk->n_blocks)
            break;
        uint64_t pc = w->statics->block[chunk->block[i]].pc;
        if (w->pending && !follows(w, pc)) {
            w->result->cut = true;
            return true;
        }
        if (w->pending)
            write_block(w, true, pc);
        set_pending(w, chunk, i);
    }
    return true;
}

static int run_machine(struct writer *w, const struct sl_chunk *chunk, struct sl_failure *f)
{
    const struct sl_metric *metric = w->result->metric;
    int error = sl_machine_sync(w->machine, &w->code, f);
    if (error >= 0)
        error = sl_machine_run(w->machine, chunk, f);
    if (error >= 0 && metric->weigh)
        metric->weigh(metric, &(struct sl_weighing){w->statics, chunk, w->machine}, w->weight);
    return error;
}

static int open_machine(struct writer *w, struct sl_failure *f)
{
    const struct sl_retired *result = w->result;
    uint64_t events = result->metric->machine_events;
    if (!result->machine || (!events && !result->metric->access))
        return 0;
    int error = sl_machine_open(&w->machine, result->machine, f);
    if (error < 0)
        return error;
    for (unsigned i = 0; i < result->parts && result->parts > 1; i++)
        events |= UINT64_C(1) << (result->metric->parts + i);
    sl_machine_need_events(w->machine, events);
    if (result->by_access)
        sl_machine_need_access_events(w->machine);
    w->weight = calloc(SL_CHUNK_BLOCKS, sizeof *w->weight);
    return w->weight ? 0 : sl_out_of_memory(f);
}

static int write_stream(struct writer *w, struct sl_source *source, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int more = open_machine(w, f);
    while (more >= 0 && !w->result->cut && (more = sl_source_next(source, &chunk, f)) > 0) {
        int error = sl_code_sync(&w->code, f);
        if (error >= 0 && chunk.thread)
            error = sl_fail(f, SL_EUNSUPPORTED,
                            "the stream has several threads, but a retirement port shows only one: "
                            "use a program with one thread");
        if (error >= 0 && w->machine)
            error = run_machine(w, &chunk, f);
        if (error >= 0 && chunk.flags & SL_CHUNK_GAP && w->pending)
            w->result->cut = true;
        else if (error >= 0 && !write_chunk(w, &chunk))
            error = sl_out_of_memory(f);
        if (error < 0)
            more = error;
    }
    if (more >= 0 && w->pending)
        write_block(w, false, 0);
    return more < 0 ? more : 0;
}

int sl_retired_write(struct sl_retired *retired, struct sl_source *source, FILE *out,
                     struct sl_failure *f)
{
    struct writer w = {.result = retired, .statics = &source->statics, .out = out};
    enum sl_arch arch = source->statics.program.arch;
    if (arch != SL_ARCH_RISCV64 && arch != SL_ARCH_RISCV32)
        return sl_fail(f, SL_EUSAGE,
                       "the front end needs a RISC-V stream, but the architecture of "
                       "this stream is %s",
                       sl_arch_name(arch));
    retired->xlen = arch == SL_ARCH_RISCV64 ? 64 : 32;
    int error = sl_code_init(&w.code, &source->statics, f);
    if (error >= 0)
        error = write_stream(&w, source, f);
    sl_code_free(&w.code);
    if (w.machine)
        sl_machine_close(w.machine);
    free(w.weight);
    free(w.load);
    return error;
}
