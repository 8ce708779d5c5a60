/* SPDX-License-Identifier: MIT */
/* The detector `block`: <first address, address of the last instruction> of blocks as QEMU
 * translates them: one entry, straight-line code. A later entry into the middle of a block is
 * another block, so that the two overlap. */
#include <stdlib.h>

#include "detector.h"
#include "detector_state.h"
#include "failure.h"
#include "grow.h"
#include "block_pairs.h"

struct block {
    const struct sl_detector_env *watch;
    struct sl_dictionary tuples;
    uint32_t *number; /* by block; SL_NO_INDEX: not selected */
    size_t n_numbers, numbers_capacity;
};

static int init(void *state, const void *config, const struct sl_detector_env *watch,
                struct sl_failure *f)
{
    struct block *b = state;
    (void)config, (void)f;
    b->watch = watch;
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct block *b = state;
    const struct sl_statics *statics = b->watch->statics;
    const uint8_t *chosen = b->watch->selection->chosen;
    bool by_class = b->watch->selection->by_class;
    if (!SL_GROW(b->number, b->numbers_capacity, statics->n_blocks))
        return sl_out_of_memory(f);
    for (; b->n_numbers < statics->n_blocks; b->n_numbers++) {
        const struct sl_block *block = &statics->block[b->n_numbers];
        const uint32_t *insn = statics->block_insn + block->insns_at;
        uint32_t last = insn[block->n_insns - 1u],
                 branch = b->watch->code->end[b->n_numbers].branch_insn;
        /* By class, a block is selected by the branch that ends it. */
        uint32_t by = !by_class ? insn[0] : branch != SL_NO_INDEX ? branch : last;
        uint32_t number = SL_NO_INDEX;
        if (chosen[by]) {
            number = sl_dictionary_number(&b->tuples, block->pc, statics->insn[last].pc);
            if (number == SL_NO_INDEX)
                return sl_out_of_memory(f);
        }
        b->number[b->n_numbers] = number;
    }
    return 0;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct block *b = state;
    (void)f;
    size_t n = out->n;
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t number = b->number[slice->chunk->block[i]];
        out->number[n] = number;
        if (slice->block_weight)
            out->weight[n] = slice->block_weight[i];
        if (out->place)
            out->place[n] = i + 1;
        n += number != SL_NO_INDEX;
    }
    out->n = n;
    return 0;
}

/* Every pair that ends in a block is one entry of it. */
static bool emit_totals(void *state, const struct sl_block_pairs *pairs, bool weighted,
                        struct sl_total_sink sink)
{
    struct block *b = state;
    const struct sl_statics *statics = b->watch->statics;
    uint64_t *times = calloc(pairs->n_blocks + 1, sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < pairs->n_blocks; i++)
        times[i] = pairs->entries_without_pair[i];
    for (size_t i = 0; i < pairs->n_pairs; i++)
        times[pairs->pair[i].next] += pairs->count[i];
    for (size_t i = 0; i < pairs->n_blocks; i++)
        if (times[i] && b->number[i] != SL_NO_INDEX)
            sink.add(sink.context, b->number[i], times[i],
                     weighted ? times[i] * statics->block_size[i] : times[i]);
    free(times);
    return true;
}

static void names(void *state, struct sl_tuple_names *names_out)
{
    struct block *b = state;
    sl_dictionary_names(&b->tuples, names_out);
}

static void close_block(void *state)
{
    struct block *b = state;
    sl_dictionary_free(&b->tuples);
    free(b->number);
}

static const struct sl_detector_pair_totals pair_totals = {.instructions = true,
                                                           .emit = emit_totals};

const struct sl_detector_kind sl_detector_block = {
    .name = "block",
    .summary = "blocks entered: <first pc, last pc>",
    .plural = "blocks",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_CODE,
    .second = {"end", NULL, SL_FIELD_END},
    .default_metric = "count",
    .state_size = sizeof(struct block),
    .init = init,
    .sync = sync,
    .feed = feed,
    .names = names,
    .close = close_block,
    .pair_totals = &pair_totals,
};
