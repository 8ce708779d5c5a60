/* SPDX-License-Identifier: MIT */
/* Statistics of the delivery of a table's messages to software, and the overhead of that.
 *
 * One list of statistics serves the database and all reports. Those of a queue exist if the table
 * has that queue; those of convergence if software tests for it. */
#ifndef SL_DELIVERY_H
#define SL_DELIVERY_H

#include <math.h>
#include <stddef.h>

#include "sluice.h"

struct sl_delivery_figure {
    const char *name; /* "queue_late" */
    size_t offset;    /* in struct sl_table_status */
    size_t only;      /* offset of a member that is not 0 if the statistic exists */
};

extern const struct sl_delivery_figure sl_delivery_figures[]; /* terminated by a name of NULL */

/* The statistic of that name, or NULL. */
const struct sl_delivery_figure *sl_delivery_find(const char *name);

bool sl_delivery_has(const struct sl_table_status *status, const struct sl_delivery_figure *figure);
uint64_t sl_delivery_value(const struct sl_table_status *status,
                           const struct sl_delivery_figure *figure);
void sl_delivery_set(struct sl_table_status *status, const struct sl_delivery_figure *figure,
                     uint64_t value);

/* The smallest gap of class i of sl_table_status.gap. */
uint64_t sl_gap_low(unsigned i);

/* The unit of gaps and waiting times: "cycles" or "events". */
const char *sl_time_unit(const struct sl_table_status *status);

/* ---- overhead of messages ---- */

/* Cycles of software per message, including its part of an interrupt (the paper's assumption). A
 * test for convergence comes in addition. The time of a thread that reads a queue is configured. */
#define SL_MESSAGE_CYCLES 30u

/* Cycles of software for all messages so far. */
static inline uint64_t sl_overhead_cycles(const struct sl_table_status *status)
{
    uint64_t came = status->output.came - status->output.lost;
    return status->output.capacity ? status->output.service * came
                                   : (SL_MESSAGE_CYCLES + status->check_cycles) * status->messages;
}

/* The denominator of the overhead: cycles of the CPU model, or without one the instructions of the
 * run, as if each took one cycle. */
struct sl_overhead_whole {
    uint64_t n;
    const char *of; /* "cycles", "instructions" */
};

static inline struct sl_overhead_whole sl_overhead_whole(uint64_t instructions, uint64_t cycles)
{
    return cycles ? (struct sl_overhead_whole){cycles, "cycles"}
                  : (struct sl_overhead_whole){instructions, "instructions"};
}

/* The overhead as a fraction. NAN for a table that sends no messages, for an empty run, and if
 * another thread reads the messages in parallel. */
static inline double sl_overhead(const struct sl_table_status *status,
                                 struct sl_overhead_whole whole)
{
    return status->sends && whole.n && !status->output.capacity
               ? (double)sl_overhead_cycles(status) / (double)whole.n
               : (double)NAN;
}

/* True if there are gaps, that is, at least two messages. */
static inline bool sl_has_gaps(const struct sl_table_status *status)
{
    return status->sends && status->messages > 1;
}

#endif
