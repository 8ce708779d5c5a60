/* SPDX-License-Identifier: MIT */
/* What is hot now, on a terminal, while the program runs.
 *
 *     session ── an interval has ended ──► its heaviest, copied ──┐
 *                                                                 ├─► a picture, ten a second at
 *                                                                 most
 *     terminal ── keys ──► which profile, in which order, frozen ─┘
 *
 * The terminal has a thread of its own, which also makes names of what it shows. The session only
 * copies what fits on a screen: however short intervals are, and however slow the terminal is, the
 * program does not wait. So not every interval is shown; of each that is, what came and what went
 * are counted against the one before, as in the database. */
#ifndef SL_CLI_TOP_H
#define SL_CLI_TOP_H

#include "during_run.h"

/* Opens the terminal. Output of the program that would go there is kept apart until the end, and it
 * reads nothing from there. SL_EUSAGE if there is none. */
int cli_top_open(struct cli_top **top, const char *program, struct cli_so_far *so_far,
                 struct sl_failure *f);

/* An interval has ended. */
void cli_top_take(struct cli_top *top, const struct sl_live_interval *interval);

/* The terminal as it was; then the program's output. NULL will do. */
void cli_top_close(struct cli_top *top);

/* ---- one picture (top_picture.c) ---- */

#define TOP_ROWS 100u /* of an interval, at most */
#define TOP_TEXT 300u

enum cli_top_order { TOP_BY_COUNT, TOP_BY_NAME, TOP_NEWEST, TOP_ORDERS };

struct cli_top_row {
    uint64_t count;
    bool came;
    char what[TOP_TEXT], where[TOP_TEXT];
};

struct cli_top_head {
    const char *given, *unit;
    uint64_t number, events, weight;
    size_t n_candidates, n_came, n_gone, n_rows, n_gone_rows;
};

/* An interval as it is shown. */
struct cli_top_interval {
    struct cli_top_head head;
    struct cli_top_row row[TOP_ROWS], gone[TOP_ROWS];
};

struct cli_top_picture {
    const char *program, *message;
    const struct cli_top_interval *interval; /* NULL: there is none yet */
    const char *output;                      /* the program's last line */
    size_t profile, n_profiles;
    unsigned rows, columns;
    double seconds;
    enum cli_top_order order;
    bool frozen, helps;
};

/* What to write to a terminal, from malloc; NULL when memory ran out. */
char *cli_top_draw(const struct cli_top_picture *picture, size_t *n);

#endif
