/* SPDX-License-Identifier: MIT */
/* What is told of how a table's messages reach software, figure by figure: one list for whoever
 * saves, reads and shows them. Those of a queue are there if there is the queue; those of
 * convergence if somebody checks it. */
#ifndef SL_DELIVERY_H
#define SL_DELIVERY_H

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

#endif
