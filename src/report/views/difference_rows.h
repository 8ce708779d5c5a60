/* SPDX-License-Identifier: MIT */
/* How the rows of a difference are gathered: database by database, with a key that is the same for
 * the same place of both sides. */
#ifndef SL_DIFFERENCE_ROWS_H
#define SL_DIFFERENCE_ROWS_H

#include "difference.h"
#include "line_match.h"

struct sl_difference_gathering {
    struct sl_difference *difference;
    struct sl_line_match lines;
    int side;
    char *program[SL_SIDES]; /* last part of its path: both are one object */
    const struct sl_saved_profile
        *by; /* whose entries say which lines executed what, if no blocks do */
};

/* Adds the lines of a database that executed something. */
int sl_difference_gather_lines(struct sl_difference_gathering *gathering,
                               struct sl_database *database, struct sl_failure *f);

/* Adds all that a database has to the parts of the difference. */
int sl_difference_gather_rows(struct sl_difference_gathering *gathering,
                              struct sl_database *database, struct sl_failure *f);

/* Adds a row that is told apart by a name alone. */
int sl_difference_gather_name(const struct sl_difference_gathering *gathering,
                              struct sl_difference_part *part, const char *name, uint64_t count,
                              struct sl_failure *f);

/* Rows with the same key become one; those that explain most come first. */
void sl_difference_part_sum_up(struct sl_difference_part *part);
void sl_difference_part_sort(struct sl_difference_part *part);

void sl_difference_row_free(struct sl_difference_row *row);

/* The profile of a database that a part is of; NULL if there is none. */
const struct sl_saved_profile *sl_difference_profile(const struct sl_database *database,
                                                     const struct sl_difference_part *part);

/* What a profile of blocks says of lines: "instructions", also where it counts executions. */
const char *sl_difference_lines_by(const struct sl_saved_profile *profile);

#endif
