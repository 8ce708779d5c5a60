/* SPDX-License-Identifier: MIT */
/* Rows of a comparison of two databases, collected from one database after the other. Rows of
 * the same code location have equal keys. Internal to difference.c and difference_rows.c. Functions
 * that return int return 0, or an error code if a database cannot be read. */
#ifndef SL_DIFFERENCE_ROWS_H
#define SL_DIFFERENCE_ROWS_H

#include "difference.h"
#include "line_match.h"

struct sl_difference_gathering {
    struct sl_difference *difference;
    struct sl_line_match lines;
    int side;
    char *program[SL_SIDES];        /* file name; both programs count as one object */
    const struct sl_db_profile *by; /* weights lines for line_match.h without a profile of blocks */
};

/* Adds the executed lines of a database to `lines`. */
int sl_difference_gather_lines(struct sl_difference_gathering *gathering,
                               struct sl_database *database, struct sl_failure *f);

/* Adds all entries of a database to the parts of the difference. */
int sl_difference_gather_rows(struct sl_difference_gathering *gathering,
                              struct sl_database *database, struct sl_failure *f);

/* Adds a row whose key is a name (events, commands). */
int sl_difference_gather_name(const struct sl_difference_gathering *gathering,
                              struct sl_difference_part *part, const char *name, uint64_t count,
                              struct sl_failure *f);

/* Merges rows with the same key; sorts rows by change and removes unchanged ones. */
void sl_difference_part_sum_up(struct sl_difference_part *part);
void sl_difference_part_sort(struct sl_difference_part *part);

void sl_difference_row_free(struct sl_difference_row *row);

/* The profile of a database with this detector and spec; NULL if there is none. */
const struct sl_db_profile *sl_difference_profile(const struct sl_database *database,
                                                  const struct sl_detector_kind *detector,
                                                  const char *spec);

#endif
