/* SPDX-License-Identifier: MIT */
/* Process trees: with `sluice run --follow`, a program and all processes that it starts are
 * profiled, each by a separate sluice process. The sluice processes exchange data through files in
 * a temporary directory, for example /tmp/sluice-process-tree-Hs8dKq.
 *
 * A *run* is one program in one process. The first is called "first"; the Nth (from 0) program of
 * process PID, which it got by exec or inherited by fork, is called "PID-N".
 *
 *     sluice     link to this program; the engine executes it instead of each new program
 *     options    command line of the run, for the readers of the other processes: NAME 0 ... up to
 *                the program
 *     directory  link to the directory of the run; file names in its options are relative to it
 *     RUN.arguments   the program's file (empty: search for the name that follows), its arguments
 *     RUN.program     link to the file; not for the first
 *     RUN.started_by  link to the run that became this one by exec
 *     RUN.forked_by   or link to the run that forked this one
 *     RUN.db          its profile, after it has ended; missing if it was not profiled
 *     RUN.why         message why it was not profiled
 *     RUN.count       instead of RUN.db: instructions of a process that forked and soon called exec
 */
#ifndef SL_PROCESS_TREE_H
#define SL_PROCESS_TREE_H

#include "cli.h"

/* Makes the directory for a command line that begins with the command and ends before the program.
 * Returns its path, or NULL on failure. sluice becomes the parent of orphaned descendants. */
char *cli_process_tree_make(int argc, char **argv, struct sl_failure *f);

/* Writes RUN.arguments. `program` NULL: it is found by argv[0]. Returns false on failure. */
bool cli_process_tree_describe(const char *run, const char *program, char *const *argv);

/* Opens a regular file of the directory for reading; NULL if it is missing or no regular file. Does
 * not block if the guest has replaced it, for example by a pipe. */
FILE *cli_process_tree_open(const char *path);

/* Waits for all processes that the guest has started and adds their profiles to the session. Prints
 * which were not profiled, and why. Returns 0 or a negative enum sl_error. */
int cli_process_tree_gather(const char *process_tree, struct sl_session *session,
                            struct sl_failure *f);

/* Removes the directory with its files and frees the path; NULL is allowed. */
void cli_process_tree_remove(char *process_tree);

/* Sets the message "cannot WHAT: " and the reason (errno). Returns SL_EIO. */
int cli_process_tree_fail(struct sl_failure *f, const char *what);

/* ---- one process (child.c) ---- */

/* "followed DIRECTORY/RUN PROGRAM ARGUMENTS": this process becomes the engine with that program,
 * and a second process reads its stream. If that fails, it executes the program without profiling.
 */
int cli_run_followed(int argc, char **argv);

/* "forked DIRECTORY/RUN DESCRIPTOR PROCESS": starts a reader for PROCESS, which was forked from
 * that run. DESCRIPTOR is its ring when this returns 0. */
int cli_run_forked(int argc, char **argv);

#endif
