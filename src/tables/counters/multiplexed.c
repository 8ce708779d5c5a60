/* SPDX-License-Identifier: MIT */
/* Multiplexed counters (table `multiplexed`): a few exact counters that count different events in
 * turn, as in CPUs and perf. The table is a reference for approximate counters.
 *
 * m counters count m events for q cycles, then the next m, and so on, cyclically. Software adds up
 * the count n and the counting time t of each event and extrapolates to the total time: n T / t.
 * The error depends on how evenly an event is spread over the run; there is no bound.
 *
 *     time     0        q        2q       3q  ...
 *     events   | 1 2 3 4| 5 6 7 8| 9 ...           m = 4
 *
 * Tuple 0 is the clock: event(all) emits the cycles of each block before its other events. The
 * clock has its own counter and is exact. With a single event, that event is the clock.
 *
 * Events are switched between two blocks, so that a block is counted as a whole.
 *
 * Not modelled: the interrupt for each switch and its cost. */

#include "multiplexed.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_multiplexed_config, counters, "4", 1, 1024,
                "number of physical counters, in addition to the counter of the clock"),
    SL_UNSIGNED(struct sl_multiplexed_config, rotation, "100K", 1, UINT32_MAX,
                "number of cycles after which the counters change to the next set of events"),
    SL_UNSIGNED(struct sl_multiplexed_config, events, "29", 1, 65536,
                "number of events that share the counters, including the clock"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_multiplexed_config *c = config;
    return 64 * (c->counters + 1);
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    const struct sl_multiplexed_config *c = config;
    (void)host;
    return sizeof(struct sl_multiplexed) + c->events * sizeof(struct sl_multiplexed_event);
}

/* Number of events that are counted at the same time. */
static uint64_t width(const struct sl_multiplexed *m)
{
    return m->config->counters < m->n_sharing ? m->config->counters : m->n_sharing;
}

static struct sl_multiplexed_event *sharing_event(const struct sl_multiplexed *m, uint64_t i)
{
    return &m->event[1 + (m->first + i) % m->n_sharing];
}

static void set_active(struct sl_multiplexed *m, bool active)
{
    for (uint64_t i = 0; i < width(m); i++)
        sharing_event(m, i)->active = active;
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct sl_multiplexed *m = state;
    (void)host, (void)f;
    m->config = config;
    m->event = (struct sl_multiplexed_event *)(m + 1);
    m->n_sharing = m->config->events - 1;
    m->event[0].active = true;
    set_active(m, true);
    return 0;
}

/* ---- turns ---- */

static void rotate(struct sl_multiplexed *m)
{
    for (uint64_t i = 0; i < width(m); i++)
        sharing_event(m, i)->time += m->config->rotation;
    m->first = (m->first + width(m)) % m->n_sharing;
    m->turn_began += m->config->rotation;
}

static __attribute__((noinline)) void rotate_to_now(struct sl_multiplexed *m)
{
    uint64_t rotation = m->config->rotation, turns = (m->time - m->turn_began) / rotation;
    /* After as many turns as there are events all is as before, and each was counted for
     * `width` turns. */
    uint64_t rounds = turns / m->n_sharing;
    for (uint64_t i = 0; i < m->n_sharing; i++)
        sharing_event(m, i)->time += rounds * width(m) * rotation;
    m->turn_began += rounds * m->n_sharing * rotation;
    set_active(m, false);
    for (uint64_t i = rounds * m->n_sharing; i < turns; i++)
        rotate(m);
    set_active(m, true);
}

/* ---- events ---- */

static void step(void *state, const struct sl_event *event)
{
    struct sl_multiplexed *m = state;
    m->events++;
    m->weight += event->weight;
    if (__builtin_expect(event->tuple_id >= m->config->events, 0)) {
        m->drops++;
        m->drops_weight += event->weight;
        return;
    }
    struct sl_multiplexed_event *e = &m->event[event->tuple_id];
    e->tuple = event->tuple;
    e->seen = true;
    e->count += e->active ? event->weight : 0;
    if (event->tuple_id)
        return;
    m->time += event->weight;
    if (m->time - m->turn_began >= m->config->rotation && m->n_sharing)
        rotate_to_now(m);
}

static void observe(void *state, const struct sl_batch *batch)
{
    sl_batch_step(batch, state, step);
}

/* ---- results ---- */

/* Extrapolated count; 0 if the event was never counted. */
static uint64_t extrapolate(const struct sl_multiplexed *m, const struct sl_multiplexed_event *e)
{
    uint64_t time = e->time + (e->active ? m->time - m->turn_began : 0);
    if (e == m->event || time == m->time)
        return e->count;
    return time ? (uint64_t)((unsigned __int128)e->count * m->time / time) : 0;
}

static bool entry(const void *state, size_t i, struct sl_entry *out)
{
    const struct sl_multiplexed *m = state;
    if (i == m->config->events)
        return false;
    uint64_t n = extrapolate(m, &m->event[i]);
    *out = (struct sl_entry){m->event[i].tuple, n, n, n, n};
    return true;
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_multiplexed *m = state;
    uint64_t missed = 0;
    *out = (struct sl_table_status){.events = m->events,
                                    .weight = m->weight,
                                    .drops = m->drops,
                                    .drops_weight = m->drops_weight,
                                    .bounds = SL_BOUNDS_NONE};
    for (uint64_t i = 0; i < m->config->events; i++)
        missed += m->event[i].seen && !extrapolate(m, &m->event[i]);
    if (missed)
        snprintf(out->note, sizeof out->note,
                 "%llu events were never counted, because they occurred only while the counters "
                 "counted other events: use a smaller rotation",
                 (unsigned long long)missed);
}

const struct sl_table_kind sl_table_multiplexed = {
    .name = "multiplexed",
    .adds = SL_ADDS_LISTED,
    .summary =
        "a few exact counters that events use in turn; counts are extrapolated to the whole run",
    .storage = "64 x (counters + 1)",
    .options = options,
    .config_size = sizeof(struct sl_multiplexed_config),
    .input = {.by_tuple_id = true, .detector = "event", .holds = "events"},
    .storage_bits = storage_bits,
    SL_TABLE_FUNCTIONS,
    .entry = entry,
};
