/* SPDX-License-Identifier: MIT */
/* Approximate counters, the common part of the tables `morris` and `fpc`. A counter has a few
 * bits, and an event increments the counter only with some probability.
 *
 * A counter holds a value v and is at level v >> mantissa. Each event makes a draw (draws.h), which
 * succeeds with probability base^-level and then increments v:
 *
 *     mantissa 0   Morris counter; v is X
 *     mantissa d   floating-point counter (Csuros, 2010): | exponent | mantissa, d bits |, exact up
 *                  to 2^d events, then with a constant relative precision
 *
 * A group of counters, each with its own shift register, counts the same events and is read as the
 * mean of its counters. A table has a number of groups; a tuple is counted by the group of its
 * id, as a CPU's event counters have selectors. Tuples with higher ids are dropped and
 * counted as drops. A counter at the end of its range stays there.
 *
 * An event of weight w is w draws of each counter. Above a weight of 65,536, the number of draws up
 * to the next success is drawn from a generator instead, and the registers continue from another
 * state: the distribution is the same, and 2^63 events take as long as some hundred. (With a long
 * mantissa: 2^mantissa numbers for each doubling.)
 *
 * Registers may be shared. Counters of one group never share one, but the k-th counters of all
 * groups may (approximate.c):
 *
 *     own      each counter has its own, which moves with each of its draws
 *     shared   one for the k-th counters of all groups, which moves with every event of any group
 *     clock    the same, but it moves with the clock of the CPU, whether or not there are events
 *
 * Storage is that of the counts. The paper (Xu, Kim, Nikolic, Shao, "Memory-Efficient Hardware
 * Performance Counters with Approximate-Counting Algorithms") does not count the registers, and
 * neither does storage_bits: `lfsr` bits for each counter or, if shared, for each counter of one
 * group. */
#ifndef SL_APPROXIMATE_H
#define SL_APPROXIMATE_H

#include "draws.h"
#include "table.h"

#define SL_APPROXIMATE_SKIP_ABOVE 65536u
#define SL_APPROXIMATE_GROUP_MAX 64u

enum sl_registers { SL_REGISTERS_OWN, SL_REGISTERS_SHARED, SL_REGISTERS_CLOCK };
enum sl_counter_reading { SL_READING_UNBIASED, SL_READING_PLAIN };

struct sl_approximate_config {
    uint64_t counters;    /* groups */
    uint64_t group, bits; /* counters of a group; bits of a counter */
    uint64_t exponent, mantissa, seed;
    double base;
    unsigned lfsr;      /* in sl_lfsrs */
    unsigned reading;   /* enum sl_counter_reading */
    unsigned steps;     /* enum sl_draw_steps */
    unsigned registers; /* enum sl_registers */
    /* Derived from the options: */
    uint64_t top;    /* largest value */
    double variance; /* of a group's reading, relative to the square of the true count */
};

/* The members of struct sl_table_kind that are the same in both tables. */
#define SL_APPROXIMATE_KIND                                                                      \
    .adds = SL_ADDS_LISTED, .config_size = sizeof(struct sl_approximate_config),                 \
    .input = {.by_tuple_id = true, .holds = "counters"},                                         \
    .storage_bits = sl_approximate_storage_bits, .size = sl_approximate_size,                    \
    .init = sl_approximate_init, .step = sl_approximate_step, .observe = sl_approximate_observe, \
    .entry = sl_approximate_entry, .status = sl_approximate_status,                              \
    .totals = &(const struct sl_table_totals){.sums_up_to = sl_approximate_sums_up_to},          \
    .timing = &(const struct sl_table_timing)                                                    \
    {                                                                                            \
        .timed = sl_approximate_timed                                                            \
    }

/* Sets config->top, the largest value: that of config->bits bits, limited by the levels that the
 * register allows. */
void sl_approximate_limit(struct sl_approximate_config *config);

/* Number of events that a value denotes. */
double sl_approximate_reading(const struct sl_approximate_config *config, uint64_t value);

bool sl_approximate_timed(const void *config);
uint64_t sl_approximate_storage_bits(const void *config);
size_t sl_approximate_size(const void *config, const struct sl_table_host *host);
int sl_approximate_init(void *state, const void *config, const struct sl_table_host *host,
                        struct sl_failure *f);
void sl_approximate_step(void *state, const struct sl_event *event);
void sl_approximate_observe(void *state, const struct sl_batch *batch);
bool sl_approximate_entry(const void *state, size_t i, struct sl_entry *entry);
void sl_approximate_status(const void *state, struct sl_table_status *status);

/* totals->sums_up_to: 0 if registers are shared, because the order of events then matters. */
uint64_t sl_approximate_sums_up_to(const void *config);

/* The counter values of the group of tuple `tuple_id`. */
void sl_approximate_values(const void *state, uint32_t tuple_id, uint32_t *value);

/* ---- the state: for approximate*.c and the RTL implementation ---- */

struct sl_approximate_counter {
    struct sl_draw_register reg;
    uint32_t value;
    uint32_t left; /* draws until `success`, or until the next search */
    bool success;
};

/* The counters are updated by the event that makes `left` 0. */
struct sl_approximate_group {
    uint64_t left, planned; /* events; initial value of `left` */
    struct sl_tuple tuple;
};

struct sl_approximate {
    const struct sl_approximate_config *config;
    struct sl_draws draws;
    void *shared; /* memory of `draws` */
    struct sl_approximate_group *group;
    struct sl_approximate_counter *counter; /* by group */
    uint64_t events, weight, drops, drops_weight;
    uint64_t *common; /* initial states of shared registers; NULL: not shared */
    uint64_t *now;    /* their current states */
};

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
