/* SPDX-License-Identifier: MIT */
/* What the code cost, place by place: what all formats for viewers are made from.
 *
 * There is a column for each metric of the profiles of functions and blocks, and a row
 * for each function or, where a metric has a profile of blocks, for each instruction. A profile
 * of blocks by count is as good as one by instructions: each block has so many. What else a block
 * cost is spread over its instructions evenly, as nobody knows which of them it was. Rows come
 * by file, function, inlined call, source line and address. */
#ifndef SL_COSTS_H
#define SL_COSTS_H

#include "saved_code.h"
#include "saved_costs.h"
#include "saved_lines.h"

struct sl_cost_column {
    const char *name; /* "instructions", "cycles", ...; "entries": of functions */
    const char *unit; /* "count", or "pJ" */
    int64_t profile;
    int rank;       /* of several profiles that could fill it, the highest does */
    bool of_blocks; /* its rows are */
    bool scaled;    /* what it has are executions, each so many instructions */
};

struct sl_costs {
    struct sl_database *database;
    uint64_t n; /* entries of each profile; 0: all */
    struct sl_cost_column column[SL_COST_COLUMNS];
    size_t n_columns;
    bool of_blocks; /* some column is */
    struct sl_saved_code code;
    struct sl_saved_lines lines;
};

/* Whether a profile is of functions with all that they call: its costs do not add up. */
bool sl_cost_is_inclusive(const struct sl_saved_profile *profile);

/* "primes.c:25", or NULL if it is not known. */
#define SL_COST_LINE_ROOM 512
const char *sl_cost_line(const struct sl_cost_place *at, char room[SL_COST_LINE_ROOM]);

/* Fills the columns: SL_EUSAGE if there is none. */
int sl_costs_open(struct sl_costs *costs, struct sl_database *database,
                  const struct sl_report_config *config, struct sl_failure *f);
void sl_costs_close(struct sl_costs *costs);

/* Calls `each` for every row, with a cost for each column; what it gets is gone afterwards. Text
 * is printable, and `function` is never NULL: without a name, it is whatever it can be called.
 * Stops when it returns other than 0, and returns that. */
typedef int sl_costs_row(void *context, const struct sl_cost_place *at, const uint64_t *cost);
int sl_costs_each(const struct sl_costs *costs, sl_costs_row *each, void *context,
                  struct sl_failure *f);

/* The same line by line: instructions with a function, an inlined call and a line in common are one
 * row, at the first of them. */
int sl_costs_lines(const struct sl_costs *costs, sl_costs_row *each, void *context,
                   struct sl_failure *f);

/* The same for all that went from one place to another, of the first profile by count
 * whose second field is of this type; nothing if there is none. In the order of `from`. */
int sl_costs_passages(const struct sl_costs *costs, enum sl_reads second,
                      int (*each)(void *context, const struct sl_cost_place *from,
                                  const struct sl_cost_place *to, uint64_t count),
                      void *context, struct sl_failure *f);

#endif
