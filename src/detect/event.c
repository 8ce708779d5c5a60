/* SPDX-License-Identifier: MIT */
/* Detector `event`: counts machine events of the CPU model, for example cache misses. Tuple:
 * <machine event, 0>, weighted by the number of times that the machine event occurred in a block.
 *
 * event(all) is the set of all 29 event counters at once; event(dmiss) is one event;
 * event(direction+target) counts several as one; event([imiss,dmiss,direction+target]) is a list,
 * with a counter each, in the order of the list. The events of a block are emitted together, in a
 * fixed order that begins with cycles, which always pass: tables may use them as the clock.
 *
 * The CPU model determines the block of an event (machine.h): a misprediction found at the end of a
 * chunk counts in the first block of the next one. */
#include <string.h>

#include "detector_state.h"
#include "event_set.h"
#include "failure.h"
#include "machine.h"

struct config {
    char events[400];
    uint64_t counter[SL_FABRIC_COUNTERS];
    unsigned n_counters;
    bool fabric; /* event(all), which the CPU model logs */
};

static const struct sl_option options[] = {
    SL_TEXT_FLAGS(struct config, events, "all", SL_OPTION_POSITIONAL,
                  "events to count: one (dmiss), a sum (imiss+dmiss) or a list "
                  "([imiss,dmiss+l2miss]); all: each of the 29 events"),
    SL_OPTIONS_END,
};

struct event {
    struct sl_detector_state base;  /* first */
    const struct sl_event_log *log; /* event(all) only */
    const struct config *config;
    uint64_t pc[SL_FABRIC_COUNTERS], value[SL_FABRIC_COUNTERS];
};

static int parse_list(struct config *c, struct sl_failure *f)
{
    char list[sizeof c->events], *at = list, *one;
    size_t length = strlen(c->events);
    if (c->events[length - 1] != ']')
        return sl_fail(f, SL_EUSAGE, "a list of events has the form [a,b,c+d], not \"%s\"",
                       c->events);
    snprintf(list, sizeof list, "%.*s", (int)length - 2, c->events + 1);
    for (c->n_counters = 0; (one = strsep(&at, ",")); c->n_counters++) {
        if (c->n_counters == SL_FABRIC_COUNTERS)
            return sl_fail(
                f, SL_EUSAGE,
                "the list has more events than the %d available counters: remove some events",
                SL_FABRIC_COUNTERS);
        int error = sl_event_set_parse(&c->counter[c->n_counters], one, f);
        if (error < 0)
            return error;
        for (unsigned i = 0; i < c->n_counters; i++)
            if (c->counter[i] == c->counter[c->n_counters])
                return sl_fail(f, SL_EUSAGE,
                               "the list contains the event %s twice: remove one of them", one);
    }
    return 0;
}

static int resolve(void *config, struct sl_failure *f)
{
    struct config *c = config;
    c->n_counters = 1;
    c->fabric = !strcmp(c->events, "all");
    if (c->events[0] == '[')
        return parse_list(c, f);
    if (!c->fabric)
        return sl_event_set_parse(&c->counter[0], c->events, f);
    c->n_counters = SL_FABRIC_COUNTERS;
    for (unsigned i = 0; i < SL_FABRIC_COUNTERS; i++)
        c->counter[i] = UINT64_C(1) << sl_fabric[i];
    return 0;
}

/* The per-block counts that are needed; event(all) uses the log instead. */
static uint64_t machine_events(const void *config)
{
    const struct config *c = config;
    uint64_t all = 0;
    for (unsigned i = 0; i < c->n_counters && !c->fabric; i++)
        all |= c->counter[i];
    return all;
}

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    struct event *e = state;
    e->config = config;
    for (unsigned i = 0; i < e->config->n_counters; i++)
        e->pc[i] = SL_EVENT_SET_PC | e->config->counter[i];
    if (e->config->fabric)
        e->log = sl_machine_need_event_log(env->machine);
    return sl_detector_state_init(state, config, env, f);
}

/* event(all): emits the log of the CPU model, without a copy if all blocks are selected. */
static void emit_log(const struct event *e, const struct sl_slice *slice, struct sl_events *out)
{
    const struct sl_event_log *log = e->log;
    if (!e->base.env->selection->by_range && !out->position) {
        uint32_t first = log->first[slice->block_low];
        out->n = log->first[slice->block_high] - first;
        out->tuple_id_in_place = log->number + first;
        out->weight_in_place = log->weight + first;
        return;
    }
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        if (!e->base.env->selection->chosen_block[slice->chunk->block[i]])
            continue;
        for (uint32_t k = log->first[i]; k < log->first[i + 1]; k++) {
            if (out->position)
                out->position[out->n] = i + 1;
            out->tuple_id[out->n] = log->number[k];
            out->weight[out->n++] = log->weight[k];
        }
    }
}

/* The count of one counter in a block: an event, or the sum of several. */
static uint64_t sum_of(const struct event *e, uint64_t set, uint32_t block)
{
    uint64_t sum = 0;
    for (; set; set &= set - 1)
        sum += sl_machine_block_counts(e->base.env->machine, (unsigned)__builtin_ctzll(set))[block];
    return sum;
}

static void emit_counts(const struct event *e, const struct sl_slice *slice, struct sl_events *out)
{
    for (uint32_t i = slice->block_low; i < slice->block_high; i++)
        for (uint32_t k = 0; k < e->config->n_counters &&
                             e->base.env->selection->chosen_block[slice->chunk->block[i]];
             k++) {
            uint64_t sum = sum_of(e, e->config->counter[k], i);
            if (!sum)
                continue;
            if (out->position)
                out->position[out->n] = i + 1;
            out->tuple_id[out->n] = k;
            out->weight[out->n++] = sum;
        }
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    const struct event *e = state;
    (void)f;
    (e->config->fabric ? emit_log : emit_counts)(e, slice, out);
    return 0;
}

static void names(void *state, struct sl_tuple_names *names_out)
{
    struct event *e = state;
    *names_out = (struct sl_tuple_names){e->pc, e->value, e->config->n_counters};
}

static unsigned max_events_per_block(const void *config)
{
    (void)config;
    return SL_EVENT_LOG_BLOCK;
}

const struct sl_detector_kind sl_detector_event = {
    .name = "event",
    .summary = "machine events of the CPU model, such as cache misses: <event>",
    .plural = "events",
    .error_measure = SL_MEASURE_RELATIVE,
    .first = SL_FIELD_EVENTS,
    .default_metric = "count",
    .machine_events = machine_events,
    .max_events_per_block = max_events_per_block,
    .no_only = "events of a CPU model are counted by block, not by instruction",
    .options = options,
    .config_size = sizeof(struct config),
    .state_size = sizeof(struct event),
    .resolve = resolve,
    .init = init,
    .feed = feed,
    .names = names,
    .close = sl_detector_state_close,
};
