/* SPDX-License-Identifier: MIT */
/* A table of approximate counters from the inside, for approximate.c, which counts, and
 * approximate_read.c, which says what came out. */
#ifndef SL_APPROXIMATE_STATE_H
#define SL_APPROXIMATE_STATE_H

#include "approximate.h"
#include "draws.h"

struct sl_approximate_counter {
    struct sl_draw_register reg;
    uint32_t value;
    uint32_t left; /* draws until `success`, or until there is more to be searched */
    bool success;
};

/* Its counters change, or have to be looked at, with the event that makes `left` 0. */
struct sl_approximate_group {
    uint64_t left, planned; /* events; what `left` began with */
    struct sl_tuple tuple;
};

struct sl_approximate {
    const struct sl_approximate_config *config;
    struct sl_draws draws;
    void *shared; /* what these need */
    struct sl_approximate_group *group;
    struct sl_approximate_counter *counter; /* group by group */
    uint64_t events, weight, drops, drops_weight;
    uint64_t *common; /* where registers are shared: each as it began; NULL: they are not */
    uint64_t *now;    /* and as it is, with `shared` */
};

/* So many events of weight 1 at once, from a generator. */
void sl_approximate_leap(struct sl_approximate *a, struct sl_approximate_counter *c, uint64_t n);

/* An event where registers are shared; `time` is a cycle, or how many events there were. */
void sl_approximate_count_shared(struct sl_approximate *a, const struct sl_event *event,
                                 uint64_t time);

static inline struct sl_approximate_counter *
sl_approximate_counters(const struct sl_approximate *a, const struct sl_approximate_group *g)
{
    return a->counter + (size_t)(g - a->group) * a->config->group;
}

static inline unsigned sl_approximate_level(const struct sl_approximate *a, uint32_t value)
{
    return value >> a->config->mantissa;
}

#endif
