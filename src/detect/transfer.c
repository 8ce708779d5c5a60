/* SPDX-License-Identifier: MIT */
#include "transfer.h"

#include "failure.h"
#include "block_pairs.h"

struct thread {
    struct sl_flow_thread flow;
    uint64_t since; /* weight since the last event, the current block not included */
    uint64_t here;  /* weight of the current block */
};

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct sl_transfer *t = context;
    (void)from;
    if (!(t->branches >> end->branch & 1) || !t->watch->selection->chosen[end->branch_insn])
        return SL_FLOW_NOTHING;
    uint32_t number = sl_dictionary_number(&t->tuples, end->branch_pc,
                                           t->watch->statics->block[next].pc);
    if (number == SL_NO_INDEX)
        t->flow.out_of_memory = true;
    return number;
}

int sl_transfer_init(struct sl_transfer *t, uint32_t branches, const struct sl_watch *watch)
{
    *t = (struct sl_transfer){.watch = watch, .branches = branches};
    sl_flow_init(&t->flow, watch->code, meaning, t);
    return 0;
}

int sl_transfer_sync(void *transfer, struct sl_failure *f)
{
    struct sl_transfer *t = transfer;
    return sl_flow_sync(&t->flow, f);
}

int sl_transfer_feed(void *transfer, const struct sl_slice *slice, struct sl_events *out,
                     struct sl_failure *f)
{
    struct sl_transfer *t = transfer;
    int fresh;
    struct thread *thread = sl_threads_state(&t->threads, slice->chunk->thread, sizeof *thread,
                                             &fresh);
    if (!thread)
        return sl_out_of_memory(f);
    if (fresh || !slice->joined)
        *thread = (struct thread){.flow = {.block = SL_FLOW_NONE}};

    /* Copies, so that the compiler need not fear that a store changes them. */
    struct sl_flow_thread at = thread->flow;
    const uint32_t *block = slice->chunk->block;
    uint32_t *number = out->number;
    size_t n = out->n;
    if (!slice->block_weight && !out->place) {
        for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
            uint32_t event = sl_flow_step(&t->flow, &at, block[i]);
            number[n] = event;
            n += event != SL_FLOW_NOTHING;
        }
    } else {
        uint64_t since = thread->since, here = thread->here;
        for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
            uint32_t event = sl_flow_step(&t->flow, &at, block[i]);
            since += here;
            here = slice->block_weight ? slice->block_weight[i] : 1;
            if (event != SL_FLOW_NOTHING) {
                number[n] = event;
                if (out->place)
                    out->place[n] = i + 1;
                out->weight[n++] = since;
                since = 0;
            }
        }
        thread->since = since;
        thread->here = here;
    }
    out->n = n;
    thread->flow = at;
    return t->flow.out_of_memory ? sl_out_of_memory(f) : 0;
}

static bool emit_totals(void *transfer, const struct sl_block_pairs *pairs, bool weighted,
                        struct sl_total_sink sink)
{
    struct sl_transfer *t = transfer;
    (void)weighted;
    for (size_t i = 0; i < pairs->n_pairs && !t->flow.out_of_memory; i++) {
        const struct sl_block_pair *pair = &pairs->pair[i];
        uint32_t number = meaning(t, sl_flow_end(&pairs->flow, pair->from), pair->from, pair->next);
        uint64_t times = pairs->count[i];
        if (number != SL_FLOW_NOTHING)
            sink.add(sink.context, number, times, times);
    }
    return !t->flow.out_of_memory;
}

const struct sl_detector_pair_totals sl_transfer_totals = {.emit = emit_totals};

void sl_transfer_end_thread(void *transfer, uint32_t thread, struct sl_events *out)
{
    (void)out;
    sl_threads_end(&((struct sl_transfer *)transfer)->threads, thread, NULL);
}

void sl_transfer_names(void *transfer, struct sl_names *names)
{
    struct sl_transfer *t = transfer;
    sl_dictionary_names(&t->tuples, names);
}

void sl_transfer_close(void *transfer)
{
    struct sl_transfer *t = transfer;
    sl_flow_free(&t->flow);
    sl_dictionary_free(&t->tuples);
    sl_threads_free(&t->threads, NULL);
}
