/* SPDX-License-Identifier: MIT */
/* Detector `cost`: charges each instruction with the costs that it has in the CPU model, separately
 * by cause (for example by kind of stall). Tuple: <pc, cause>, weighted by the cost.
 *
 * Causes are those of machine_log.h: execution cycles, stall cycles by cause, misses, and
 * mispredicted branches. All costs of one cause at one instruction within a slice are one event, so
 * that the weight is meaningful and the number of events is not. */
#include <stdlib.h>
#include <string.h>

#include "detector_state.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"

struct cost {
    struct sl_detector_state base; /* first */
    const struct sl_op_log *log;
    uint32_t *tuple_id; /* by instruction and cause; SL_NO_INDEX: no cost yet */
    size_t n_tuple_ids, tuple_ids_capacity;
    size_t *event_of; /* by tuple id: 1 + index of its event in this slice; 0: none */
    size_t event_of_capacity;
    uint32_t *emitted; /* tuple ids of the events */
    uint64_t *weight;
    size_t emitted_capacity, weights_capacity;
};

/* Needs no per-block counts, but its events carry weights of the CPU model. */
static uint64_t machine_events(const void *config)
{
    (void)config;
    return 0;
}

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    ((struct cost *)state)->log = sl_machine_need_op_log(env->machine);
    return sl_detector_state_init(state, config, env, f);
}

static int sync(void *state, struct sl_failure *f)
{
    struct cost *c = state;
    size_t n = c->base.env->statics->n_insns * SL_COST_KINDS;
    if (!SL_GROW(c->tuple_id, c->tuple_ids_capacity, n))
        return sl_out_of_memory(f);
    if (n > c->n_tuple_ids)
        memset(c->tuple_id + c->n_tuple_ids, 0xff, (n - c->n_tuple_ids) * sizeof *c->tuple_id);
    c->n_tuple_ids = n;
    return 0;
}

static bool add(struct cost *c, const struct sl_op_cost *cost, size_t *n)
{
    uint32_t *known = &c->tuple_id[cost->insn * (size_t)SL_COST_KINDS + cost->kind];
    if (*known == SL_NO_INDEX)
        *known = sl_dictionary_add(&c->base.tuples, c->base.env->statics->insn[cost->insn].pc,
                                   cost->kind);
    uint32_t tuple_id = *known;
    if (tuple_id == SL_NO_INDEX ||
        !SL_GROW(c->event_of, c->event_of_capacity, (size_t)tuple_id + 1) ||
        !SL_GROW(c->emitted, c->emitted_capacity, *n + 1) ||
        !SL_GROW(c->weight, c->weights_capacity, *n + 1))
        return false;
    if (!c->event_of[tuple_id]) {
        c->emitted[*n] = tuple_id;
        c->weight[*n] = 0;
        c->event_of[tuple_id] = ++*n;
    }
    c->weight[c->event_of[tuple_id] - 1] += cost->n;
    return true;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct cost *c = state;
    const struct sl_op_log *log = c->log;
    const uint8_t *chosen = c->base.env->selection->chosen;
    bool good = true;
    size_t n = 0;
    for (size_t i = log->first[slice->block_low]; i < log->first[slice->block_high] && good; i++)
        if (chosen[log->cost[i].insn])
            good = add(c, &log->cost[i], &n);
    for (size_t i = 0; i < n; i++)
        c->event_of[c->emitted[i]] = 0;
    if (!good)
        return sl_out_of_memory(f);
    out->n = n;
    out->tuple_id_in_place = c->emitted;
    out->weight_in_place = c->weight;
    if (out->position && n > SL_EVENTS_MAX)
        return sl_fail(f, SL_EUSAGE,
                       "the detector cost has too many events in one chunk for a table that uses "
                       "event times: make cost the only detector of the profile");
    for (size_t i = 0; out->position && i < n; i++)
        out->position[i] = slice->block_high;
    return 0;
}

static void close_cost(void *state)
{
    struct cost *c = state;
    sl_detector_state_close(c);
    free(c->tuple_id);
    free(c->event_of);
    free(c->emitted);
    free(c->weight);
}

const struct sl_detector_kind sl_detector_cost = {
    .name = "cost",
    .summary = "costs of each instruction in the CPU model, by cause: <pc, cause>",
    .plural = "costs",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_CODE,
    .second = {"cause", NULL, SL_FIELD_CAUSE},
    .default_metric = "count",
    .machine_events = machine_events,
    .stream_needs = SL_NEED_ADDRESSES,
    .state_size = sizeof(struct cost),
    .init = init,
    .sync = sync,
    .feed = feed,
    .names = sl_detector_state_names,
    .close = close_cost,
};
