/* SPDX-License-Identifier: MIT */
/* The detector `cost`: costs of instructions in the CPU model, <pc, cause>, weighted by the amount.
 *
 * Causes are those of machine_log.h: execution cycles, stall cycles by cause, misses, and
 * mispredicted branches. All costs of one cause at one instruction within a slice are one event, so
 * that the weight is meaningful and the number of events is not. */
#include <stdlib.h>
#include <string.h>

#include "detector.h"
#include "detector_state.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"

struct cost {
    const struct sl_detector_env *watch;
    struct sl_dictionary tuples;
    uint32_t *number; /* by instruction and cause; SL_NO_INDEX: no cost yet */
    size_t n_numbers, numbers_capacity;
    size_t *place; /* by tuple id: 1 + index of its event in this slice; 0: none */
    size_t places_capacity;
    uint32_t *told; /* tuple ids of the events */
    uint64_t *weight;
    size_t told_capacity, weights_capacity;
};

/* Needs no per-block counts, but its events carry weights of the CPU model. */
static uint64_t machine_events(const void *config)
{
    (void)config;
    return 0;
}

static int init(void *state, const void *config, const struct sl_detector_env *watch,
                struct sl_failure *f)
{
    struct cost *c = state;
    (void)config, (void)f;
    c->watch = watch;
    sl_machine_want_ops(watch->machine);
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct cost *c = state;
    size_t n = c->watch->statics->n_insns * SL_COST_KINDS;
    if (!SL_GROW(c->number, c->numbers_capacity, n))
        return sl_out_of_memory(f);
    if (n > c->n_numbers)
        memset(c->number + c->n_numbers, 0xff, (n - c->n_numbers) * sizeof *c->number);
    c->n_numbers = n;
    return 0;
}

/* The tuple id; SL_NO_INDEX if out of memory. */
static uint32_t number_of(struct cost *c, const struct sl_op_cost *cost)
{
    uint32_t *number = &c->number[cost->insn * (size_t)SL_COST_KINDS + cost->kind];
    if (*number == SL_NO_INDEX)
        *number = sl_dictionary_number(&c->tuples, c->watch->statics->insn[cost->insn].pc,
                                       cost->kind);
    return *number;
}

static bool add(struct cost *c, const struct sl_op_cost *cost, size_t *n)
{
    uint32_t number = number_of(c, cost);
    if (number == SL_NO_INDEX || !SL_GROW(c->place, c->places_capacity, (size_t)number + 1) ||
        !SL_GROW(c->told, c->told_capacity, *n + 1) ||
        !SL_GROW(c->weight, c->weights_capacity, *n + 1))
        return false;
    if (!c->place[number]) {
        c->told[*n] = number;
        c->weight[*n] = 0;
        c->place[number] = ++*n;
    }
    c->weight[c->place[number] - 1] += cost->n;
    return true;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct cost *c = state;
    const struct sl_op_log *log = sl_machine_ops(c->watch->machine);
    const uint8_t *chosen = c->watch->selection->chosen;
    bool good = true;
    size_t n = 0;
    for (size_t i = log->first[slice->block_low]; i < log->first[slice->block_high] && good; i++)
        if (chosen[log->cost[i].insn])
            good = add(c, &log->cost[i], &n);
    for (size_t i = 0; i < n; i++)
        c->place[c->told[i]] = 0;
    if (!good)
        return sl_out_of_memory(f);
    out->n = n;
    out->number_in_place = c->told;
    out->weight_in_place = c->weight;
    if (out->place && n > SL_EVENTS_MAX)
        return sl_fail(f, SL_EUSAGE,
                       "too many instructions cost something at once for a table that "
                       "has to know when; give cost a profile of its own");
    for (size_t i = 0; out->place && i < n; i++)
        out->place[i] = slice->block_high;
    return 0;
}

static void names(void *state, struct sl_tuple_names *names_out)
{
    sl_dictionary_names(&((struct cost *)state)->tuples, names_out);
}

static void close_cost(void *state)
{
    struct cost *c = state;
    sl_dictionary_free(&c->tuples);
    free(c->number);
    free(c->place);
    free(c->told);
    free(c->weight);
}

const struct sl_detector_kind sl_detector_cost = {
    .name = "cost",
    .summary = "what instructions cost in the machine, by cause: <pc, cause>",
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
    .names = names,
    .close = close_cost,
};
