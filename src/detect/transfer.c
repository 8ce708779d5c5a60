/* SPDX-License-Identifier: MIT */
/* Detectors `edge` and `call`: count transfers of control. Tuple: <pc of the branch, target>.
 *
 *     edge   conditional branches, taken or not, and indirect jumps (the "edge profile" of the
 *            stream compressors' paper)
 *     call   direct and indirect calls (its "call target profile")
 *
 * Returns and direct jumps are counted by neither: their target is implied, or another detector's
 * subject. Most calls have one target, with an invariance of 1 in any profile, so that only the
 * overlap says how good a profile of calls is.
 *
 * With a metric, an event weighs what its thread has executed since its last event of the same
 * detector: the blocks up to and including the one that ends in the branch. So the weights add up
 * to the whole run, except for the blocks after the last event. */
#include "block_pairs.h"
#include "failure.h"

struct transfer {
    struct sl_detector_state base; /* first */
    struct sl_flow flow;
    uint32_t branches; /* bits 1 << enum sl_branch: the branches that count */
};

struct thread {
    struct sl_flow_thread flow;
    uint64_t since;          /* weight since the last event, the current block not included */
    uint64_t current_weight; /* weight of the current block */
};

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct transfer *t = context;
    (void)from;
    if (!(t->branches >> end->branch & 1) || !t->base.env->selection->chosen[end->branch_insn])
        return SL_FLOW_NOTHING;
    uint32_t tuple_id = sl_dictionary_add(&t->base.tuples, end->branch_pc,
                                          t->base.env->statics->block[next].pc);
    if (tuple_id == SL_NO_INDEX)
        t->flow.out_of_memory = true;
    return tuple_id;
}

static void init(struct transfer *t, uint32_t branches, const struct sl_detector_env *env)
{
    *t = (struct transfer){.base.env = env, .branches = branches};
    sl_flow_init(&t->flow, env->code, meaning, t);
}

static int init_edge(void *state, const void *config, const struct sl_detector_env *env,
                     struct sl_failure *f)
{
    (void)config, (void)f;
    init(state, 1u << SL_BRANCH_CONDITIONAL | 1u << SL_BRANCH_INDIRECT, env);
    return 0;
}

static int init_call(void *state, const void *config, const struct sl_detector_env *env,
                     struct sl_failure *f)
{
    (void)config, (void)f;
    init(state, 1u << SL_BRANCH_CALL | 1u << SL_BRANCH_INDIRECT_CALL, env);
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct transfer *t = state;
    return sl_flow_sync(&t->flow, f);
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct transfer *t = state;
    int fresh;
    struct thread *thread = sl_threads_state(&t->base.threads, slice->chunk->thread, sizeof *thread,
                                             &fresh);
    if (!thread)
        return sl_out_of_memory(f);
    if (fresh || !slice->joined)
        *thread = (struct thread){.flow = {.block = SL_FLOW_NONE}};

    /* Copies, so that the compiler knows that no store changes them. */
    struct sl_flow_thread at = thread->flow;
    const uint32_t *block = slice->chunk->block;
    uint32_t *tuple_id = out->tuple_id;
    size_t n = out->n;
    if (!slice->block_weight && !out->position) {
        for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
            uint32_t event = sl_flow_step(&t->flow, &at, block[i]);
            tuple_id[n] = event;
            n += event != SL_FLOW_NOTHING;
        }
    } else {
        uint64_t since = thread->since, current_weight = thread->current_weight;
        for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
            uint32_t event = sl_flow_step(&t->flow, &at, block[i]);
            since += current_weight;
            current_weight = slice->block_weight ? slice->block_weight[i] : 1;
            if (event != SL_FLOW_NOTHING) {
                tuple_id[n] = event;
                if (out->position)
                    out->position[n] = i + 1;
                out->weight[n++] = since;
                since = 0;
            }
        }
        thread->since = since;
        thread->current_weight = current_weight;
    }
    out->n = n;
    thread->flow = at;
    return t->flow.out_of_memory ? sl_out_of_memory(f) : 0;
}

static bool emit_totals(void *state, const struct sl_block_pairs *pairs, bool weighted,
                        struct sl_total_sink sink)
{
    struct transfer *t = state;
    (void)weighted;
    for (size_t i = 0; i < pairs->n_pairs && !t->flow.out_of_memory; i++) {
        const struct sl_block_pair *pair = &pairs->pair[i];
        uint32_t tuple_id = meaning(t, sl_flow_end(&pairs->flow, pair->from), pair->from,
                                    pair->next);
        uint64_t times = pairs->count[i];
        if (tuple_id != SL_FLOW_NOTHING)
            sink.add(sink.context, tuple_id, times, times);
    }
    return !t->flow.out_of_memory;
}

static void close_transfer(void *state)
{
    struct transfer *t = state;
    sl_flow_free(&t->flow);
    sl_detector_state_close(t);
}

static const struct sl_detector_pair_totals pair_totals = {.emit = emit_totals};

#define SHARED                                                                            \
    .error_measure = SL_MEASURE_OVERLAP, .per_instruction = true, .first = SL_FIELD_CODE, \
    .default_metric = "count", .unique_ids = true, .state_size = sizeof(struct transfer), \
    .sync = sync, .feed = feed, .end_thread = sl_detector_state_end_thread,               \
    .names = sl_detector_state_names, .close = close_transfer, .pair_totals = &pair_totals

const struct sl_detector_kind sl_detector_edge = {
    .name = "edge",
    .summary = "targets of conditional branches and indirect jumps: <pc, target>",
    .plural = "edges",
    .second = {"target", "to", SL_FIELD_TARGET},
    .init = init_edge,
    SHARED,
};

const struct sl_detector_kind sl_detector_call = {
    .name = "call",
    .summary = "callees of direct and indirect calls: <pc, callee>",
    .plural = "calls",
    .second = {"target", "to", SL_FIELD_CALLEE},
    .init = init_call,
    SHARED,
};
