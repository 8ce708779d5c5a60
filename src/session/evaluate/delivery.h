/* SPDX-License-Identifier: MIT */
/* What is told of how a table's messages reach software, figure by figure: one list for whoever
 * saves, reads and shows them. Those of a queue are there if there is the queue; those of
 * convergence if somebody checks it. */
#ifndef SL_DELIVERY_H
#define SL_DELIVERY_H

#include <math.h>
#include <stddef.h>

#include "sluice.h"

struct sl_delivery_figure {
    const char *name; /* "queue_late" */
    size_t offset;    /* in struct sl_table_status */
    size_t only;      /* likewise: what is not 0 where there is such a figure */
};

extern const struct sl_delivery_figure sl_delivery_figures[]; /* name NULL at the end */

/* NULL: there is none of that name. */
const struct sl_delivery_figure *sl_delivery_find(const char *name);

bool sl_delivery_has(const struct sl_table_status *status, const struct sl_delivery_figure *figure);
uint64_t sl_delivery_value(const struct sl_table_status *status,
                           const struct sl_delivery_figure *figure);
void sl_delivery_set(struct sl_table_status *status, const struct sl_delivery_figure *figure,
                     uint64_t value);

/* The least gap that is counted at place i of sl_table_status.gap. */
uint64_t sl_gap_low(unsigned i);

/* What gaps and waits are counted in. */
const char *sl_time_unit(const struct sl_table_status *status);

/* ---- what messages cost the software that they are sent to ---- */

/* Cycles that software spends on a message, its share of an interrupt included:
 * what the document reckons with. Looking whether an instruction has converged comes on top. A
 * thread that reads a queue takes as long as its configuration says. */
#define SL_MESSAGE_CYCLES 30u

static inline uint64_t sl_overhead_cycles(const struct sl_table_status *status)
{
    uint64_t came = status->output.came - status->output.lost;
    return status->output.room ? status->output.service * came
                               : (SL_MESSAGE_CYCLES + status->check_cycles) * status->messages;
}

/* What these cycles are a share of: those that the machine took for the run, or, where
 * none was modelled, the run's instructions, as if each took one. */
struct sl_overhead_whole {
    uint64_t n;
    const char *of; /* "cycles", "instructions" */
};

static inline struct sl_overhead_whole sl_overhead_whole(uint64_t instructions, uint64_t cycles)
{
    return cycles ? (struct sl_overhead_whole){cycles, "cycles"}
                  : (struct sl_overhead_whole){instructions, "instructions"};
}

/* NAN for a table that sends nothing, of nothing, or where a thread beside the program reads the
 * messages. */
static inline double sl_overhead(const struct sl_table_status *status,
                                 struct sl_overhead_whole whole)
{
    return status->sends && whole.n && !status->output.room
               ? (double)sl_overhead_cycles(status) / (double)whole.n
               : (double)NAN;
}

/* There is none between less than two messages. */
static inline bool sl_has_gaps(const struct sl_table_status *status)
{
    return status->sends && status->messages > 1;
}

#endif
