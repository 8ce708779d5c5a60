/* SPDX-License-Identifier: MIT */
/* Rows of a comparison of two databases, collected from one database after the other. Rows of
 * the same code location have equal keys. Internal to difference.c and difference_rows.c. Functions
 * that return int return 0, or an error code if a database cannot be read. */
#ifndef SL_DIFFERENCE_ROWS_H
#define SL_DIFFERENCE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "difference.h"

/* Matching of the source lines of two builds of a program, for `diff`.
 *
 * An inserted line moves all lines below it. But the lines of a function keep their order, and most
 * lines keep their execution counts. So the executed lines of each function are aligned in order,
 * so that many counts are equal and the others differ by little. Among equally good alignments, the
 * one that moves the fewest lines relative to the first line of the function is chosen. If a
 * function has the same lines in both builds, no line moves.
 *
 *     before   10: 5   11: 800   12: 800   14: 5
 *     after    30: 5   31: 800   32: 64    33: 800   35: 5      32 is new, 33 was 12 */

struct sl_line_match {
    struct sl_line_weight {
        char *group;   /* identifies a function's lines in one file */
        int line, was; /* `was`: on side 1, after sl_line_match_align(): the line before; 0: new */
        uint64_t weight;
    } * line[2];
    size_t n[2], capacity[2];
};

/* Adds a line of `group` with its execution count, before (side 0) or after (side 1). Returns false
 * if out of memory. */
bool sl_line_match_add(struct sl_line_match *match, int side, const char *group, int line,
                       uint64_t weight);

/* Computes the alignment. Call once, after all lines were added. Returns false if out of memory. */
bool sl_line_match_align(struct sl_line_match *match);

/* Returns the line before for a line after; 0 if it is new. A line that was not added moves like
 * its neighbour. */
int sl_line_match_find(const struct sl_line_match *match, const char *group, int line);

void sl_line_match_free(struct sl_line_match *match);

/* ---- rows (difference_rows.c) ---- */

struct sl_difference_gathering {
    struct sl_difference *difference;
    struct sl_line_match lines;
    int side;
    char *program[SL_SIDES]; /* file name; both programs count as one object */
    const struct sl_db_profile
        *by; /* weights lines for difference_rows.h without a profile of blocks */
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
