/* SPDX-License-Identifier: MIT */
/* Statistics about the messages that a hardware table sends to software, and the overhead of the
 * messages.
 *
 * The database and all reports share one list of statistics. A table has the statistics of a queue
 * only if it has that queue, and those of convergence only if software tests for convergence. */
#ifndef SL_DELIVERY_H
#define SL_DELIVERY_H

#include <math.h>

#include "sluice.h"

struct sl_delivery_statistic {
    const char *name; /* "queue_delayed" */
    size_t offset;    /* of the member in struct sl_table_status */
    size_t only;      /* offset of a member that is not 0 if the statistic exists */
};

extern const struct sl_delivery_statistic
    sl_delivery_statistics[]; /* terminated by a name of NULL */

/* Returns the statistic with this name, or NULL. */
const struct sl_delivery_statistic *sl_delivery_find(const char *name);

/* True if the table has the statistic. */
bool sl_delivery_has(const struct sl_table_status *status,
                     const struct sl_delivery_statistic *figure);
uint64_t sl_delivery_value(const struct sl_table_status *status,
                           const struct sl_delivery_statistic *figure);
void sl_delivery_set(struct sl_table_status *status, const struct sl_delivery_statistic *figure,
                     uint64_t value);

/* Returns the smallest gap of class i of the histogram sl_table_status.gap. */
uint64_t sl_gap_low(unsigned i);

/* Returns the unit of gaps and waiting times: "cycles" or "events". */
const char *sl_time_unit(const struct sl_table_status *status);

/* ---- overhead of messages ---- */

/* Cycles of software per message, including its part of an interrupt, as the paper assumes. A test
 * for convergence takes more cycles. A thread that reads a queue takes the configured time. */
#define SL_MESSAGE_CYCLES 30u

/* Cycles of software for all messages so far. */
static inline uint64_t sl_overhead_cycles(const struct sl_table_status *status)
{
    uint64_t received = status->output.arrived - status->output.lost;
    return status->output.capacity ? status->output.service * received
                                   : (SL_MESSAGE_CYCLES + status->check_cycles) * status->messages;
}

/* The denominator of the overhead: cycles of the CPU model or, without a CPU model, instructions of
 * the run, as if each took one cycle. */
struct sl_overhead_whole {
    uint64_t n;
    const char *of; /* "cycles", "instructions" */
};

static inline struct sl_overhead_whole sl_overhead_whole(uint64_t instructions, uint64_t cycles)
{
    return cycles ? (struct sl_overhead_whole){cycles, "cycles"}
                  : (struct sl_overhead_whole){instructions, "instructions"};
}

/* Returns the overhead as a fraction. It is NAN for a table that sends no messages, for an empty
 * run, and if another thread reads the messages in parallel. */
static inline double sl_overhead(const struct sl_table_status *status,
                                 struct sl_overhead_whole whole)
{
    return status->sends && whole.n && !status->output.capacity
               ? (double)sl_overhead_cycles(status) / (double)whole.n
               : (double)NAN;
}

/* True if there were at least two messages, and therefore a gap between messages. */
static inline bool sl_has_gaps(const struct sl_table_status *status)
{
    return status->sends && status->messages > 1;
}

#endif
