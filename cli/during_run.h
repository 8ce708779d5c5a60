/* SPDX-License-Identifier: MIT */
/* Output of a command while the profiled program is still running: the results of each interval
 * when the interval ends, and snapshots of the database.
 *
 *     session ── an interval has ended ──► lines of JSON (lines.c), a terminal (top.h)
 *             └─ after each chunk ───────► a snapshot, if SIGPROF requested it (snapshot.c)
 */
#ifndef SL_CLI_MEANWHILE_H
#define SL_CLI_MEANWHILE_H

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cli.h"

/* ---- lines of JSON (--live) ---- */

struct cli_lines;
struct cli_top;

/* Opens the file or descriptor of --live. Returns 0, SL_EIO if it cannot be written, or SL_ENOMEM.
 */
int cli_lines_open(struct cli_lines **lines, const struct cli_live_options *options,
                   struct sl_failure *f);

/* Queues a line and takes ownership of it; NULL (out of memory) counts as a lost line. The line is
 * also lost if the queue is full or the reader is gone: only for regular files does this wait. */
void cli_lines_add(struct cli_lines *lines, char *line);

/* Writes the rest of the queue, for at most 2 s if the reader is slow; prints how many lines were
 * lost, if any. NULL is allowed. */
void cli_lines_close(struct cli_lines *lines);

/* ---- snapshots of the database ---- */

struct cli_snapshot {
    struct sl_session *session;
    const char *path;
    struct cli_snapshot_shared *shared; /* shared memory with the saving process */
    pid_t saver;                        /* the saving process; 0: none */
    bool quiet;
    atomic_uint saved; /* number of snapshots saved */
};

/* Installs a handler of SIGPROF that requests a snapshot. SIGPROF is free for that: a terminal does
 * not send it, and sluice does not forward it to the guest. */
void cli_snapshot_start(struct cli_snapshot *snapshot, struct sl_session *session,
                        const struct cli_options *options);

/* Call regularly (sl_session_callbacks.poll): starts a requested snapshot, and prints a line when
 * it is done. */
void cli_snapshot_poll(struct cli_snapshot *snapshot);

/* Request a snapshot; number of snapshots saved. Any thread may call these. */
void cli_snapshot_request(void);
unsigned cli_snapshot_saved(struct cli_snapshot *snapshot);

/* Waits for a snapshot in progress, so that it cannot replace the final database. */
void cli_snapshot_end(struct cli_snapshot *snapshot);

/* ---- all of it ---- */

struct cli_during_run {
    struct cli_lines *lines; /* NULL: no --live */
    struct cli_top *top;     /* NULL: not sluice top */
    struct cli_snapshot snapshot;
};

/* Attaches the outputs that the options request to the session; `program` is the name shown by top.
 * `m` must stay valid until cli_during_run_end(); call that after the session has run and before it
 * is saved. Returns 0 or a negative enum sl_error. */
int cli_during_run_start(struct cli_during_run *m, struct sl_session *session,
                         const struct cli_options *options, const char *program,
                         struct sl_failure *f);
void cli_during_run_end(struct cli_during_run *m);

#endif
