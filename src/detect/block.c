/* SPDX-License-Identifier: MIT */
/* Detector `block`: counts how often each basic block is executed. The blocks are those that QEMU
 * translates. Tuple: <first address, address of the last instruction>.
 *
 * A block has one entry and straight-line code. A later entry into the middle of a block is another
 * block, so that the two overlap. */
#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "block_pairs.h"

struct block {
    struct sl_detector_state base; /* first */
    uint32_t *tuple_id;            /* by block; SL_NO_INDEX: not selected */
    size_t n_tuple_ids, tuple_ids_capacity;
};

static int sync(void *state, struct sl_failure *f)
{
    struct block *b = state;
    const struct sl_statics *statics = b->base.env->statics;
    const uint8_t *chosen = b->base.env->selection->chosen;
    bool by_class = b->base.env->selection->by_class;
    if (!SL_GROW(b->tuple_id, b->tuple_ids_capacity, statics->n_blocks))
        return sl_out_of_memory(f);
    for (; b->n_tuple_ids < statics->n_blocks; b->n_tuple_ids++) {
        const struct sl_block *block = &statics->block[b->n_tuple_ids];
        const uint32_t *insn = statics->block_insn + block->insns_at;
        uint32_t last = insn[block->n_insns - 1u],
                 branch = b->base.env->code->end[b->n_tuple_ids].branch_insn;
        /* By class, a block is selected by the branch that ends it. */
        uint32_t by = !by_class ? insn[0] : branch != SL_NO_INDEX ? branch : last;
        uint32_t tuple_id = SL_NO_INDEX;
        if (chosen[by]) {
            tuple_id = sl_dictionary_add(&b->base.tuples, block->pc, statics->insn[last].pc);
            if (tuple_id == SL_NO_INDEX)
                return sl_out_of_memory(f);
        }
        b->tuple_id[b->n_tuple_ids] = tuple_id;
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
        uint32_t tuple_id = b->tuple_id[slice->chunk->block[i]];
        out->tuple_id[n] = tuple_id;
        if (slice->block_weight)
            out->weight[n] = slice->block_weight[i];
        if (out->position)
            out->position[n] = i + 1;
        n += tuple_id != SL_NO_INDEX;
    }
    out->n = n;
    return 0;
}

/* Every pair whose second block is this one is an entry of the block. */
static bool emit_totals(void *state, const struct sl_block_pairs *pairs, bool weighted,
                        struct sl_total_sink sink)
{
    struct block *b = state;
    const struct sl_statics *statics = b->base.env->statics;
    uint64_t *times = calloc(pairs->n_blocks + 1, sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < pairs->n_blocks; i++)
        times[i] = pairs->entries_without_pair[i];
    for (size_t i = 0; i < pairs->n_pairs; i++)
        times[pairs->pair[i].next] += pairs->count[i];
    for (size_t i = 0; i < pairs->n_blocks; i++)
        if (times[i] && b->tuple_id[i] != SL_NO_INDEX)
            sink.add(sink.context, b->tuple_id[i], times[i],
                     weighted ? times[i] * statics->block_size[i] : times[i]);
    free(times);
    return true;
}

static void close_block(void *state)
{
    struct block *b = state;
    sl_detector_state_close(b);
    free(b->tuple_id);
}

static const struct sl_detector_pair_totals pair_totals = {.instructions = true,
                                                           .emit = emit_totals};

const struct sl_detector_kind sl_detector_block = {
    .name = "block",
    .summary = "executions of basic blocks: <first pc, last pc>",
    .plural = "blocks",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_CODE,
    .second = {"end", NULL, SL_FIELD_END},
    .default_metric = "count",
    .state_size = sizeof(struct block),
    .init = sl_detector_state_init,
    .sync = sync,
    .feed = feed,
    .names = sl_detector_state_names,
    .close = close_block,
    .pair_totals = &pair_totals,
};
