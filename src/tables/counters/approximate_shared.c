/* SPDX-License-Identifier: MIT */
/* Counts events with approximate counters that share shift registers. A shift register supplies the
 * random bits that decide whether a counter is incremented.
 *
 * The k-th counter of each group draws from the k-th register, so that counters of one group are
 * independent and those of two groups are not. Draws are made one by one. For large weights, a
 * generator is used, and no register moves.
 *
 * `shared`: after each draw of a group all registers move.
 *
 * `clock`: the state of a register depends only on the cycle. w occurrences of an event that a CPU
 * model reports for a block at once are taken as one in each of the w cycles up to the reported
 * one. Without times, each event is a cycle. */
#include "approximate.h"

#define FIRST_CYCLE (UINT64_C(1) << 32) /* so that the first event has cycles before it */

static void draw(struct sl_approximate *a, struct sl_approximate_counter *c)
{
    for (size_t i = 0; i < a->config->group; i++, c++) {
        unsigned level = sl_approximate_level(a, c->value);
        if (c->value < a->config->top && sl_draws_succeeds(&a->draws, level, a->now[i]))
            c->value++;
    }
}

void sl_approximate_count_shared(struct sl_approximate *a, const struct sl_event *event,
                                 uint64_t time)
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
            sl_approximate_leap(a, &c[i], event->weight);
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
