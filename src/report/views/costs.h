/* SPDX-License-Identifier: MIT */
/* Costs by code location, from function and block profiles. Annotated code and the report formats
 * for profile viewers (callgrind, pprof and others) are made from these costs.
 *
 * There is a column for each metric of the profiles of functions and blocks, and a row for each
 * function or, if a metric has a profile of blocks, for each instruction. A block profile by count
 * can replace a block profile by instructions, because the instructions of each block are known.
 * Other costs of a block are divided evenly among its instructions, because their distribution is
 * not known. Rows are sorted by file, function, inlined call, source line and address. */
#ifndef SL_COSTS_H
#define SL_COSTS_H

#include "db_code.h"
#include "db_lines.h"

struct sl_cost_column {
    const char *name; /* "instructions", "cycles", ...; "entries": of functions */
    const char *unit; /* "count", or "pJ" */
    int64_t profile;
    int rank;       /* the profile with the highest rank fills the column */
    bool of_blocks; /* from a profile of blocks: rows are instructions */
    bool scaled;    /* entries count executions; each is multiplied by the number of instructions */
};

struct sl_costs {
    struct sl_database *database;
    uint64_t n; /* entries of each profile; 0: all */
    struct sl_cost_column column[SL_COST_COLUMNS];
    size_t n_columns;
    bool of_blocks; /* some column comes from a profile of blocks */
    struct sl_db_code code;
    struct sl_db_lines lines;
};

/* True if a profile of functions has inclusive costs, which do not add up. */
bool sl_cost_is_inclusive(const struct sl_db_profile *profile);

/* The part of a cost for `count` of n units, after `before` units. Parts are differences of rounded
 * prefix sums, so that they add up to `whole`. */
uint64_t sl_cost_part(uint64_t whole, uint64_t before, uint64_t count, uint64_t n);

/* Order of two texts, as by strcmp(3); NULL comes first. */
int sl_compare_texts(const char *a, const char *b);

/* "primes.c:25"; NULL if the line is not known. */
#define SL_COST_LINE_SIZE 512
const char *sl_cost_line(const struct sl_cost_location *at, char buffer[SL_COST_LINE_SIZE]);

/* Calls `frame` for everything that contains a code location, the outermost first: object (NULL if
 * it is in none), function, inlined functions, source line (instructions of blocks only). `file` is
 * NULL and `line` is 0 where they do not apply. Stops if `frame` returns other than 0, and returns
 * that. */
typedef int sl_cost_frame(void *context, const char *name, const char *file, int line);
int sl_cost_frames(const struct sl_cost_location *at, sl_cost_frame *frame, void *context);

/* Reads the code and chooses the columns, from the first n entries of each profile (0: all).
 * Returns 0, or an error: SL_EUSAGE if there is no profile of functions or blocks. Call
 * sl_costs_close() only after success. */
int sl_costs_open(struct sl_costs *costs, struct sl_database *database, uint64_t n,
                  struct sl_failure *f);

/* The same, but without such a profile it returns 0, and there are no columns. */
int sl_costs_open_any(struct sl_costs *costs, struct sl_database *database, uint64_t n,
                      struct sl_failure *f);
void sl_costs_close(struct sl_costs *costs);

/* Index of the column of blocks with this name, or of the first column of blocks if `name` is NULL;
 * n_columns if there is none. */
size_t sl_costs_block_column(const struct sl_costs *costs, const char *name);

/* Calls `each` for every row, with a cost for each column. `at` and `cost` are valid only during
 * the call. Text is printable, and `function` is never NULL: without a name, it is an address or
 * "???". Stops if `each` returns other than 0, and returns that. */
typedef int sl_costs_row(void *context, const struct sl_cost_location *at, const uint64_t *cost);
int sl_costs_each(const struct sl_costs *costs, sl_costs_row *each, void *context,
                  struct sl_failure *f);

/* As sl_costs_each(), but instructions with the same function, inlined call and line are one row,
 * at the first of the instructions. */
int sl_costs_lines(const struct sl_costs *costs, sl_costs_row *each, void *context,
                   struct sl_failure *f);

/* Calls `each` for every transfer between two code locations, in the order of `from`. Transfers are
 * the entries of the first profile by count whose second field has the type `second`. Makes no
 * calls without a profile of this type. */
int sl_costs_transfers(const struct sl_costs *costs, enum sl_field_type second,
                       sl_cost_transfer *each, void *context, struct sl_failure *f);

#endif
