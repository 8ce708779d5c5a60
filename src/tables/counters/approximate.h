/* SPDX-License-Identifier: MIT */
/* Counters that count with a chance that falls as they grow, many in one table: what morris
 * and fpc have in common.
 *
 * A counter holds a value v and is at level v >> mantissa. For each event a draw is made
 * (draws.h), and v goes up by one if it succeeds, which is 1 in base^level times:
 *
 *     mantissa 0   Morris's counter; v is X
 *     mantissa d   the floating-point counter (Csuros 2010): | exponent | mantissa, d bits |,
 *                  exact up to 2^d events, then as fine as its mantissa everywhere
 *
 * A group of counters, each with a register of its own, counts the same events; it is read
 * as the mean of what its counters stand for. A table has a number of groups; a tuple has
 * the one of its number, as the event counters of a processor have each its selector. A
 * tuple with a higher number is dropped, and counted as such.
 *
 * An event of weight w is w draws of each counter of its group. Above a weight of 65,536,
 * unless nothing is left to draw for, the draws are not made: how many it takes to the next
 * success is drawn from a generator instead, as often as needed, and the registers begin
 * somewhere else afterwards. The distribution is the same, and 2^63 events take as long as
 * some hundred. (With a long mantissa: 2^mantissa numbers for each doubling.)
 *
 * Registers may be fewer. Counters of one group never share one, but the k-th of each group may
 * have the same (approximate_shared.c):
 *
 *     own      each counter has its own, which moves with each of its draws
 *     shared   one for the k-th counters of all groups, which moves with every event of any group
 *     clock    likewise, but it moves with the processor's clock, whether anything happens or not
 *
 * At the end of its range a counter stays as it is.
 *
 * Storage is what holds the counts. The document does not count the registers, and neither
 * is done here: `lfsr` bits for each counter, or, where all groups have the same ones, for those of
 * one. */
#ifndef SL_APPROXIMATE_H
#define SL_APPROXIMATE_H

#include "draws.h"
#include "table.h"

#define SL_APPROXIMATE_SKIP_ABOVE 65536u
#define SL_APPROXIMATE_GROUP_MAX 64u

enum sl_registers { SL_REGISTERS_OWN, SL_REGISTERS_SHARED, SL_REGISTERS_CLOCK };
enum sl_counter_reading { SL_READING_UNBIASED, SL_READING_PLAIN };

struct sl_approximate_config {
    uint64_t counters; /* groups, that is */
    uint64_t group, bits, exponent, mantissa, seed;
    double base;
    unsigned lfsr;      /* in sl_lfsrs */
    unsigned reading;   /* enum sl_counter_reading */
    unsigned steps;     /* enum sl_draw_steps */
    unsigned registers; /* enum sl_registers */
    /* What is known once all of the above is: */
    uint64_t top;    /* value at which it stays */
    double variance; /* of a group's reading, relative to the square of the true count */
};

/* Says how far values go: up to `top`, and not beyond the register's levels. */
void sl_approximate_limit(struct sl_approximate_config *config, uint64_t top);

/* What a value stands for. */
double sl_approximate_reading(const struct sl_approximate_config *config, uint64_t value);

size_t sl_approximate_size(const void *config, const struct sl_table_host *host);
int sl_approximate_init(void *state, const void *config, const struct sl_table_host *host,
                        struct sl_failure *f);
void sl_approximate_step(void *state, const struct sl_event *event);
void sl_approximate_observe(void *state, const struct sl_batch *batch);
void sl_approximate_drain(const void *state, const struct sl_names *names,
                          bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_approximate_status(const void *state, struct sl_table_status *status);

/* sl_table_kind.sums_up_to: where registers are shared, what comes between events matters. */
uint64_t sl_approximate_sums_up_to(const void *config);

/* The values of the counters of tuple `number`, as many as a group has. */
void sl_approximate_values(const void *state, uint32_t number, uint32_t *value);

/* Adds what another table of the same configuration counted: each counter is then
 * distributed as one that has seen the events of both. */
void sl_approximate_merge(void *state, const void *other);

/* ---- the state: for approximate*.c and the RTL implementation ---- */

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
