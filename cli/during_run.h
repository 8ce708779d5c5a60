/* SPDX-License-Identifier: MIT */
/* What a command does while the program still runs: intervals as they end, and the database as it
 * would be if the program ended now.
 *
 *     session ── an interval has ended ──► lines of JSON (lines.c), a terminal (top.h)
 *             └─ now and then ───────────► saved so far, if a signal asks for it (snapshot.c)
 */
#ifndef SL_CLI_MEANWHILE_H
#define SL_CLI_MEANWHILE_H

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cli.h"

/* ---- lines for whoever reads along ---- */

struct cli_lines;
struct cli_top;

/* Lines to where the options say. SL_EIO if that cannot be written to. */
int cli_lines_open(struct cli_lines **lines, const struct cli_live_wish *wish,
                   struct sl_failure *f);

/* Takes the line, which may be NULL: then it is lost, as it is if a reader is that far behind, or
 * gone. Does not wait for one. */
void cli_lines_add(struct cli_lines *lines, char *line);

/* Waits for a slow reader no longer than seconds; says how many lines were lost, if some were.
 * NULL will do. */
void cli_lines_close(struct cli_lines *lines);

/* ---- the database so far ---- */

struct cli_so_far {
    struct sl_session *session;
    const char *path;
    struct cli_so_far_shared *shared; /* with the process that saves */
    pid_t saver;                      /* 0: none is at work */
    bool quiet;
    atomic_uint saved; /* how often */
};

/* From now on SIGPROF asks for it, which is nobody's: a terminal does not send it, and we pass it
 * to no guest. */
void cli_so_far_start(struct cli_so_far *so_far, struct sl_session *session,
                      const struct cli_options *options);

/* To be called now and then (sl_watcher.attend): begins to save if that was asked for, says when it
 * is done. */
void cli_so_far_attend(struct cli_so_far *so_far);

/* Asks for it as the signal does; how often it was done. By any thread. */
void cli_so_far_ask(void);
unsigned cli_so_far_saved(struct cli_so_far *so_far);

/* Waits for what was begun: nothing may be replaced by what is older. */
void cli_so_far_end(struct cli_so_far *so_far);

/* ---- both ---- */

struct cli_meanwhile {
    struct cli_lines *lines; /* NULL: nobody reads along */
    struct cli_top *top;     /* NULL: nor looks on */
    struct cli_so_far so_far;
};

/* Watches the session as the options want it; a terminal calls it `program`. `m` stays until it is
 * closed, which is to be done after the session has run and before it is saved. */
int cli_meanwhile_start(struct cli_meanwhile *m, struct sl_session *session,
                        const struct cli_options *options, const char *program,
                        struct sl_failure *f);
void cli_meanwhile_end(struct cli_meanwhile *m);

#endif
