/* What messages cost the software that they are sent to. */
#ifndef SL_OVERHEAD_H
#define SL_OVERHEAD_H

#include <math.h>

#include "sluice.h"

/* Cycles that software spends on a message, its share of an interrupt included:
 * what the document reckons with. */
#define SL_MESSAGE_CYCLES 30u

static inline uint64_t sl_overhead_cycles(const struct sl_table_status *status)
{
    return SL_MESSAGE_CYCLES * status->messages;
}

/* As a share of the run's instructions: there is no model of a machine that would say
 * how many cycles these took. NAN for a table that sends nothing, or without any. */
static inline double sl_overhead(const struct sl_table_status *status, uint64_t instructions)
{
    return status->sends && instructions ? (double)sl_overhead_cycles(status) / (double)instructions
                                         : (double)NAN;
}

/* There is none between less than two messages. */
static inline bool sl_has_gaps(const struct sl_table_status *status)
{
    return status->sends && status->messages > 1;
}

#endif
