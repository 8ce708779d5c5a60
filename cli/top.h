/* SPDX-License-Identifier: MIT */
/* Screen of `sluice top`: shows the functions and the most frequent tuples (heavy hitters) of the
 * latest interval on the terminal while the profiled program runs.
 *
 *     session ── an interval has ended ──► copy of its top entries ──┐
 *             └─ every second ──► costs of functions (top_functions.c) ─┤
 *                                                                    ├─► screen, at most 10 per s
 *     terminal ── keys ──► view, sort order, frozen ─────────────────┘
 *
 * A view is the table of functions or the heavy hitters of a profile. The terminal has its own
 * thread, which also looks up the names of heavy hitters. The session only copies the entries that
 * fit on a screen: the program does not wait, however short intervals are and however slow the
 * terminal is. So not every interval is shown. "New" and "gone" are relative to the previous
 * interval of the run, as in the database, not to the interval shown before. */
#ifndef SL_CLI_TOP_H
#define SL_CLI_TOP_H

#include "during_run.h"

/* Opens the terminal. Output of the program to the terminal goes to a temporary file until the end,
 * and its input from the terminal is empty. Call after sl_session_set_callbacks(). Returns 0,
 * SL_EUSAGE if there is no terminal, or SL_ENOMEM. */
int cli_top_open(struct cli_top **top, struct sl_session *session, const char *program,
                 struct cli_snapshot *snapshot, struct sl_failure *f);

/* Shows an interval that has ended. */
void cli_top_add(struct cli_top *top, const struct sl_live_interval *interval);

/* Shows the functions of an interval if one has ended. Call from sl_session_callbacks.poll. */
void cli_top_poll(struct cli_top *top);

/* Restores the terminal and prints the program's output. NULL is allowed. */
void cli_top_close(struct cli_top *top);

/* ---- functions (top_functions.c) ---- */

#define TOP_ROWS 100u /* entries of an interval, at most */
#define TOP_HISTORY 20u

struct cli_top_function {
    uint64_t self, total;
    const char *name, *module, *where; /* valid until cli_function_costs_close() */
    float history[TOP_HISTORY];        /* `self` as a part of each interval, the newest last */
};

/* An interval of functions: the top ones by `self` and by `total`, in any order. */
struct cli_top_functions {
    uint64_t number, weight;
    double seconds;
    size_t n; /* functions that were executed */
    bool has_callers;
    const char *unit;
    size_t n_rows;
    struct cli_top_function row[2 * TOP_ROWS];
};

struct cli_function_costs;

/* Returns NULL if the session has no profile of functions, or out of memory. */
struct cli_function_costs *cli_function_costs_open(struct sl_session *session);

/* Returns true and fills `out` if an interval has ended. Call from sl_session_callbacks.poll. */
bool cli_function_costs_poll(struct cli_function_costs *costs, struct cli_top_functions *out);

void cli_function_costs_close(struct cli_function_costs *costs); /* NULL is allowed */

/* ---- one screen (top_screen.c) ---- */

#define TOP_NAME_COLUMNS 400u /* longer names are shortened in any case */
#define TOP_TEXT (4 * TOP_NAME_COLUMNS + 1)
#define TOP_LONG_TEXT 20000u

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
    const struct cli_top_functions *functions; /* of the view; NULL: none, or another view */
    const struct cli_top_interval *interval;   /* of the view; NULL: none, or another view */
    const char *output;                        /* the program's last line of output */
    const char *const *view;                   /* names of the views */
    size_t at, n_views;
    unsigned rows, columns;
    double seconds;
    enum cli_top_order order;
    bool by_total; /* order of functions */
    bool frozen, helps;
    bool utf8; /* the terminal shows UTF-8 */
};

/* Returns the text to write to the terminal, from malloc(), and its length; NULL if out of memory.
 */
char *cli_top_draw(const struct cli_top_screen *screen, size_t *n);

/* Copy of the text without control characters; NULL if out of memory. */
char *cli_top_printable(const char *text);

/* Prints at most `most` columns; returns how many. cli_top_put_padded() adds spaces. */
unsigned cli_top_put(FILE *out, const char *text, unsigned most);
void cli_top_put_padded(FILE *out, const char *text, unsigned columns);

/* Copies a name to `to`, of TOP_TEXT bytes, shortened to TOP_NAME_COLUMNS. */
void cli_top_copy_name(char *to, char *name);

/* Returns whether the name fits in `columns`, if necessary without its template arguments and
 * namespaces. cli_top_put_name() prints it like that. */
bool cli_top_name_fits(const char *name, unsigned columns);
void cli_top_put_name(FILE *out, const char *name, unsigned columns);

/* Prints the rows of functions, below their headings, in `space` lines (top_function_rows.c). */
void cli_top_put_functions(FILE *out, const struct cli_top_screen *screen, unsigned space);

#define TOP_BOLD "\033[1m"
#define TOP_DIM "\033[2m"
#define TOP_REVERSE "\033[7m"
#define TOP_PLAIN "\033[0m"
#define TOP_LINE_END "\r\n\033[K" /* erases the next line: this one may end in the last column */

#endif
