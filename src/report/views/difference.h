/* SPDX-License-Identifier: MIT */
/* Differences of two databases (`diff`): regressions and improvements, as data for the text, JSON
 * and HTML reports.
 *
 * The databases may be of different builds, so nothing is matched by address. Objects are matched
 * by file name (the two programs match, whatever their names), functions by name and file, lines by
 * their position in the function (difference_rows.h), and code without lines by its offset in the
 * function. Entries that match within one database are one row. With --follow, the rows contain the
 * sums over all processes. */
#ifndef SL_DIFFERENCE_H
#define SL_DIFFERENCE_H

#include "format.h"

enum { SL_BEFORE, SL_AFTER, SL_SIDES };

/* A place. Texts are NULL where they are not known; a line is 0 on the side that does not have
 * it. */
struct sl_difference_place {
    char *function; /* printable, like all texts: "is_prime", "weigh, inlined in main" */
    char *object;   /* "primes" */
    char *file;     /* "primes.c" */
    int line[SL_SIDES];
};

struct sl_difference_row {
    char *key;                     /* equal for the same place of both sides */
    struct sl_difference_place at; /* `function` is the name of an event or a command */
    struct sl_difference_place to; /* target of an edge or a loop */
    char *second; /* other distinguishing text: "0x2a (42)", "NT", "< main"; NULL */
    uint64_t count[SL_SIDES];
    uint64_t low[SL_SIDES], high[SL_SIDES]; /* if the part has estimates */
};

struct sl_difference_part {
    char *name;        /* in JSON: "edge:count@exact", "line:instructions", "machine" */
    char *heading;     /* "Edges by count" */
    const char *units; /* "instructions"; NULL: rows have different units */
    const struct sl_detector_kind *detector; /* of the rows; NULL: lines, events, commands */
    bool of_lines;
    uint64_t weight[SL_SIDES];     /* total, also of unsaved entries; 0: rows do not add up */
    bool estimates;                /* low and high of the rows are valid */
    struct sl_difference_row *row; /* the largest change first; unchanged rows are not in it */
    size_t n, capacity;
    size_t n_same; /* number of unchanged rows */
};

struct sl_difference_run {
    char *database, *command;
    uint64_t instructions, blocks, loads, cycles; /* of all processes; cycles 0: no CPU model */
    uint64_t processes;                           /* processes that the program started */
};

struct sl_difference {
    struct sl_difference_run run[SL_SIDES];
    struct sl_difference_part *part;
    size_t n, capacity;
    struct sl_warnings warnings;
};

/* Compares two databases. Returns 0, SL_EUSAGE if they have nothing in common, or an error of
 * opening or reading. Call sl_difference_free() in either case. */
int sl_difference_make(struct sl_difference *difference, const char *before, const char *after,
                       struct sl_failure *f);
void sl_difference_free(struct sl_difference *difference);

/* Relative change: 0.1, -0.02; infinite if `before` is 0. */
double sl_difference_growth(uint64_t before, uint64_t after);

/* Relative change of the run: that of instructions or of cycles, whichever is larger. */
struct sl_regression sl_difference_regression(const struct sl_difference *difference);

/* A row's change relative to the part's total before; relative to the row itself if rows do not add
 * up. */
double sl_difference_share(const struct sl_difference_part *part,
                           const struct sl_difference_row *row);

/* True if the bounds allow both true counts to be equal. */
bool sl_difference_doubtful(const struct sl_difference_part *part,
                            const struct sl_difference_row *row);

/* "primes.c:12": the line after, or before if it is gone; NULL if it is not known. */
#define SL_DIFFERENCE_LINE_SIZE 300
const char *sl_difference_line(const struct sl_difference_place *place,
                               char buffer[SL_DIFFERENCE_LINE_SIZE]);

#endif
