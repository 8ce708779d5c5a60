/* SPDX-License-Identifier: MIT */
/* Screen of `sluice top`: shows the most frequent tuples (heavy hitters) of the latest interval on
 * the terminal while the profiled program runs.
 *
 *     session ── an interval has ended ──► copy of its top entries ──┐
 *                                                                    ├─► screen, at most 10 per s
 *     terminal ── keys ──► profile, sort order, frozen ──────────────┘
 *
 * The terminal has its own thread, which also looks up names. The session only copies the entries
 * that fit on a screen: the program does not wait, however short intervals are and however slow the
 * terminal is. So not every interval is shown. "New" and "gone" are relative to the previous
 * interval of the run, as in the database, not to the interval shown before. */
#ifndef SL_CLI_TOP_H
#define SL_CLI_TOP_H

#include "during_run.h"

/* Opens the terminal. Output of the program to the terminal goes to a temporary file until the end,
 * and its input from the terminal is empty. Returns 0, SL_EUSAGE if there is no terminal, or
 * SL_ENOMEM. */
int cli_top_open(struct cli_top **top, const char *program, struct cli_snapshot *snapshot,
                 struct sl_failure *f);

/* Shows an interval that has ended. */
void cli_top_add(struct cli_top *top, const struct sl_live_interval *interval);

/* Restores the terminal and prints the program's output. NULL is allowed. */
void cli_top_close(struct cli_top *top);

/* ---- one screen (top_screen.c) ---- */

#define TOP_ROWS 100u /* entries of an interval, at most */
#define TOP_TEXT 300u

enum cli_top_order { TOP_BY_COUNT, TOP_BY_NAME, TOP_NEWEST, TOP_ORDERS };

struct cli_top_row {
    uint64_t count;
    bool is_new;
    char what[TOP_TEXT], where[TOP_TEXT];
};

struct cli_top_head {
    const char *given, *unit;
    uint64_t number, events, weight;
    size_t n_candidates, n_new, n_gone, n_rows, n_gone_rows;
};

/* An interval with its names as text. */
struct cli_top_interval {
    struct cli_top_head head;
    struct cli_top_row row[TOP_ROWS], gone[TOP_ROWS];
};

struct cli_top_screen {
    const char *program, *message;
    const struct cli_top_interval *interval; /* NULL: none has ended yet */
    const char *output;                      /* the program's last line of output */
    size_t profile, n_profiles;
    unsigned rows, columns;
    double seconds;
    enum cli_top_order order;
    bool frozen, helps;
};

/* Returns the text to write to the terminal, from malloc(), and its length; NULL if out of memory.
 */
char *cli_top_draw(const struct cli_top_screen *screen, size_t *n);

#endif
