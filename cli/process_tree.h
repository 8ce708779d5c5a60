/* SPDX-License-Identifier: MIT */
/* A program and all that it starts (run --follow): a directory through which they find each other.
 *
 * A *run* is what a process does as one program. The first is called "first"; the Nth (from 0) that
 * process PID has become, by exec or by being forked, is called "PID-N".
 *
 *     sluice     a link to this program, which the engine starts in place of each program
 *     options    of this run, for those who read what these do: NAME 0 ... up to the program
 *     directory  a link to where the run began: files are named from there in its options
 *     RUN.arguments   the program's file, empty if it is to be found by the name that follows;
 *                     arguments
 *     RUN.program     a link to the file; not for the first
 *     RUN.started_by  a link to the run that has become this one, by exec
 *     RUN.forked_by   or to that from which it has forked
 *     RUN.db          what it did, once it has ended; not there if nobody has seen it
 *     RUN.why         then a sentence why, from whoever could not see it
 *     RUN.count       or how many instructions it was, if it forked and soon became another program
 *                     */
#ifndef SL_PROCESS_TREE_H
#define SL_PROCESS_TREE_H

#include "cli.h"

/* Makes it for a command line that begins with the command and ends before the program. Returns the
 * directory; NULL if it fails. From now on we are the parent of readers, too. */
char *cli_family_make(int argc, char **argv, struct sl_failure *f);

/* Writes RUN.arguments. `program` is NULL if it is to be found by argv[0]. */
bool cli_family_describe(const char *run, const char *program, char *const *argv);

/* Opens a file of the directory to be read; NULL if it is none. What the guest may have put into
 * its place, as a pipe, is not waited for. */
FILE *cli_family_open(const char *path);

/* Waits for all that the guest has started, and adds what they did to the session. Says which of
 * them nobody has seen, and why. */
int cli_family_gather(const char *family, struct sl_session *session, struct sl_failure *f);

/* Removes the directory and all that is in it. */
void cli_family_remove(char *family);

/* Says that something cannot be done, and why (errno). */
int cli_family_fail(struct sl_failure *f, const char *what);

/* ---- one of them (child.c) ---- */

/* "followed FAMILY/RUN PROGRAM ARGUMENTS": this process becomes the engine for that program.
 * Another one reads what it does. If nothing comes of that, it becomes the program as it is. */
int cli_followed(int argc, char **argv);

/* "forked FAMILY/RUN DESCRIPTOR PROCESS": another process reads what this one does, which has
 * forked from that run. The ring is behind the descriptor when this returns 0. */
int cli_forked(int argc, char **argv);

#endif
