/* SPDX-License-Identifier: MIT */
/* A table in memory of its own: straight from the system, so that it is zeroed, aligned, and
 * takes only as much as is used. */
#ifndef SL_PLACED_H
#define SL_PLACED_H

#include "table.h"

/* All zero before it is opened. */
struct sl_placed {
    struct sl_table *table; /* NULL: it is not open */
    void *memory;
    size_t bytes;
};

/* To be closed, also on failure. */
int sl_placed_open(struct sl_placed *placed, const struct sl_table_kind *kind, const void *config,
                   const struct sl_table_host *host, struct sl_failure *f);
void sl_placed_close(struct sl_placed *placed);

#endif
