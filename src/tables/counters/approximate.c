/* SPDX-License-Identifier: MIT */
/* Counts events with approximate counters, which are the common part of the tables `morris` and
 * `fpc`. approximate.h describes the algorithm. */
#include "approximate.h"

/* ---- initialization ---- */

bool sl_approximate_timed(const void *config)
{
    return ((const struct sl_approximate_config *)config)->registers == SL_REGISTERS_CLOCK;
}

uint64_t sl_approximate_storage_bits(const void *config)
{
    const struct sl_approximate_config *c = config;
    return c->counters * c->group * c->bits;
}

void sl_approximate_limit(struct sl_approximate_config *c)
{
    uint64_t levels = sl_draws_levels_max(&sl_lfsrs[c->lfsr], c->base);
    uint64_t top = (UINT64_C(1) << c->bits) - 1;
    c->top = top >> c->mantissa < levels ? top : levels << c->mantissa;
}

static struct sl_draws_config draws_config(const struct sl_approximate_config *c)
{
    return (struct sl_draws_config){.lfsr = &sl_lfsrs[c->lfsr],
                                    .base = c->base,
                                    .levels = (unsigned)(c->top >> c->mantissa) + 1,
                                    .steps = c->steps,
                                    .seed = c->seed};
}

static void *lay_out(struct sl_layout *l, const struct sl_approximate_config *c,
                     struct sl_approximate *a)
{
    struct sl_draws_config draws = draws_config(c);
    sl_layout_array(l, 1, sizeof *a);
    a->group = sl_layout_array(l, c->counters, sizeof *a->group);
    a->counter = sl_layout_array(l, c->counters * c->group, sizeof *a->counter);
    a->shared = sl_layout_array(l, 1, sl_draws_bytes(&draws));
    a->common = sl_layout_array(l, c->registers ? c->group : 0, sizeof *a->common);
    a->now = sl_layout_array(l, c->registers ? c->group : 0, sizeof *a->now);
    return sl_layout_array(l, c->counters * c->group, sl_draw_register_bytes(draws.lfsr));
}

size_t sl_approximate_size(const void *config, const struct sl_table_host *host)
{
    struct sl_layout l = {0};
    struct sl_approximate unused;
    (void)host;
    lay_out(&l, config, &unused);
    return l.used;
}

int sl_approximate_init(void *state, const void *config, const struct sl_table_host *host,
                        struct sl_failure *f)
{
    struct sl_approximate *a = state;
    const struct sl_approximate_config *c = config;
    struct sl_draws_config draws = draws_config(c);
    struct sl_layout l = {.base = (uintptr_t)state};
    (void)host, (void)f;
    char *seen = lay_out(&l, c, a);
    a->config = c;
    sl_draws_init(&a->draws, &draws, a->shared);
    for (size_t i = 0; i < c->counters * c->group; i++) {
        size_t at = i * sl_draw_register_bytes(draws.lfsr);
        a->counter[i].reg.seen = (uint16_t *)(void *)(seen + at);
        sl_draws_begin(&a->draws, &a->counter[i].reg);
    }
    for (size_t i = 0; i < c->counters; i++)
        a->group[i].left = a->group[i].planned = 1;
    for (size_t i = 0; a->common && i < c->group; i++)
        a->common[i] = a->now[i] = a->counter[i].reg.state;
    return 0;
}

uint64_t sl_approximate_sums_up_to(const void *config)
{
    const struct sl_approximate_config *c = config;
    return c->registers ? 0 : SL_APPROXIMATE_SKIP_ABOVE;
}

/* ---- counting ---- */

/* Computes the number of events until a counter of the group may change. */
static void plan(struct sl_approximate *a, struct sl_approximate_group *g)
{
    struct sl_approximate_counter *c = sl_approximate_counters(a, g);
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < a->config->group; i++, c++) {
        unsigned level = sl_approximate_level(a, c->value);
        if (!level) {
            c->left = (1u << a->config->mantissa) - c->value;
        } else if (c->value == a->config->top) {
            c->left = UINT32_MAX;
            c->success = false;
        } else if (!c->left) {
            c->left = sl_draws_search(&a->draws, level, &c->reg, &c->success);
        }
        next = c->left < next ? c->left : next;
    }
    g->left = g->planned = next;
}

/* Adds n events to the counters. Only the last of them may change the level of a counter. */
static void apply_events(struct sl_approximate *a, struct sl_approximate_group *g, uint64_t n)
{
    struct sl_approximate_counter *c = sl_approximate_counters(a, g);
    for (size_t i = 0; i < a->config->group; i++, c++) {
        if (!sl_approximate_level(a, c->value)) {
            c->value += (uint32_t)n;
            c->left = 0;
        } else {
            c->left -= (uint32_t)n;
            c->value += !c->left && c->success;
        }
    }
}

/* Counts n events of weight 1 at once, from a generator. */
static void leap(struct sl_approximate *a, struct sl_approximate_counter *c, uint64_t n)
{
    uint32_t exact = 1u << a->config->mantissa, top = (uint32_t)a->config->top;
    if (c->value < exact) {
        uint64_t some = n < exact - c->value ? n : exact - c->value;
        c->value += (uint32_t)some;
        n -= some;
    }
    while (n && c->value >= exact && c->value < top) {
        uint64_t gap = sl_draws_gap(&a->draws, sl_approximate_level(a, c->value));
        c->value += gap <= n;
        n -= gap < n ? gap : n;
    }
}

/* Counts a large weight at once, with a generator instead of the registers. */
static void skip(struct sl_approximate *a, struct sl_approximate_group *g, uint64_t weight)
{
    struct sl_approximate_counter *c = sl_approximate_counters(a, g);
    apply_events(a, g, g->planned - g->left);
    for (size_t i = 0; i < a->config->group; i++, c++) {
        leap(a, c, weight);
        sl_draws_begin(&a->draws, &c->reg);
        c->left = 0;
    }
    plan(a, g);
}

static __attribute__((noinline)) void count(struct sl_approximate *a, uint32_t tuple_id,
                                            struct sl_tuple tuple, uint64_t weight)
{
    struct sl_approximate_group *g = &a->group[tuple_id];
    g->tuple = tuple;
    if (weight > SL_APPROXIMATE_SKIP_ABOVE) {
        skip(a, g, weight);
        return;
    }
    while (weight >= g->left) {
        weight -= g->left;
        apply_events(a, g, g->planned);
        plan(a, g);
    }
    g->left -= weight;
}

/* ---- shared registers ---- */

/* The k-th counter of each group draws from the k-th register, so that counters of one group are
 * independent and those of two groups are not. Draws are made one by one. For large weights, a
 * generator is used, and no register moves.
 *
 * `shared`: after each draw of a group all registers move.
 *
 * `clock`: the state of a register depends only on the cycle. w occurrences of an event that a CPU
 * model reports for a block at once are taken as one in each of the w cycles up to the reported
 * one. Without times, each event is a cycle. */
#define FIRST_CYCLE (UINT64_C(1) << 32) /* so that the first event has cycles before it */

static void draw(struct sl_approximate *a, struct sl_approximate_counter *c)
{
    for (size_t i = 0; i < a->config->group; i++, c++) {
        unsigned level = sl_approximate_level(a, c->value);
        if (c->value < a->config->top && sl_draws_succeeds(&a->draws, level, a->now[i]))
            c->value++;
    }
}

/* `time` is a cycle, or the number of events so far. */
static void count_shared(struct sl_approximate *a, const struct sl_event *event, uint64_t time)
{
    const struct sl_approximate_config *config = a->config;
    if (event->tuple_id >= config->counters) {
        a->drops++;
        a->drops_weight += event->weight;
        return;
    }
    struct sl_approximate_group *g = &a->group[event->tuple_id];
    struct sl_approximate_counter *c = sl_approximate_counters(a, g);
    g->tuple = event->tuple;
    if (event->weight > SL_APPROXIMATE_SKIP_ABOVE) {
        for (size_t i = 0; i < config->group; i++)
            leap(a, &c[i], event->weight);
        return;
    }
    for (size_t i = 0; i < config->group; i++)
        if (config->registers == SL_REGISTERS_CLOCK && event->weight)
            a->now[i] = sl_draws_after(&a->draws, a->common[i],
                                       FIRST_CYCLE + time - event->weight + 1);
    for (uint64_t n = 0; n < event->weight; n++) {
        draw(a, c);
        for (size_t i = 0; i < config->group; i++)
            a->now[i] = sl_draws_after(&a->draws, a->now[i], 1);
    }
}

/* ---- events ---- */

/* True if the event changes only the countdown, as most events do. */
static inline bool only_counts_down(struct sl_approximate *a, uint32_t tuple_id, uint64_t weight)
{
    if (__builtin_expect(tuple_id >= a->config->counters, 0)) {
        a->drops++;
        a->drops_weight += weight;
        return true;
    }
    struct sl_approximate_group *g = &a->group[tuple_id];
    bool passed = weight < g->left;
    g->left -= passed ? weight : 0;
    return passed;
}

void sl_approximate_step(void *state, const struct sl_event *event)
{
    struct sl_approximate *a = state;
    a->events++;
    a->weight += event->weight;
    if (a->common)
        count_shared(a, event, event->time ? event->time : a->events);
    else if (!only_counts_down(a, event->tuple_id, event->weight))
        count(a, event->tuple_id, event->tuple, event->weight);
}

void sl_approximate_observe(void *state, const struct sl_batch *batch)
{
    struct sl_approximate *a = state;
    uint64_t sum = 0;
    if (a->common) {
        sl_batch_step(batch, a, sl_approximate_step);
        return;
    }
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t tuple_id = batch->tuple_id[i];
        uint64_t weight = batch->weight ? batch->weight[i] : 1;
        sum += weight;
        if (__builtin_expect(only_counts_down(a, tuple_id, weight), 1))
            continue;
        count(a, tuple_id, sl_tuple_named(batch->names, tuple_id), weight);
    }
    a->events += batch->n;
    a->weight += sum;
}
