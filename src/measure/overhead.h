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

/* NAN for a table that sends nothing, or of nothing. */
static inline double sl_overhead(const struct sl_table_status *status,
                                 struct sl_overhead_whole whole)
{
    return status->sends && whole.n ? (double)sl_overhead_cycles(status) / (double)whole.n
                                    : (double)NAN;
}

/* There is none between less than two messages. */
static inline bool sl_has_gaps(const struct sl_table_status *status)
{
    return status->sends && status->messages > 1;
}

#endif
