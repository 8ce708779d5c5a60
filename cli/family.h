/* A program and all that it starts (run --follow): a directory through which they find each other.
 *
 *     sluice     a link to this program, which the engine starts in place of each program
 *     options    of this run, for those who read what these do: NAME 0 ... up to the program
 *     directory  a link to where the run began: files are named from there in its options
 *     PID-N.program   a link to the Nth program that process PID has become
 *     PID-N.db        what it did, once it has ended; not there if nobody has seen it
 *     PID-N.why       then a sentence why, from whoever could not see it */
#ifndef SL_FAMILY_H
#define SL_FAMILY_H

#include "cli.h"

/* Makes it for a command line that begins with the command and ends before the program. Returns the
 * directory; NULL if it fails. From now on we are the parent of readers, too. */
char *cli_family_make(int argc, char **argv, struct sl_failure *f);

/* Waits for all that the guest has started, and adds what they did to the session. Says which of
 * them nobody has seen, and why. */
int cli_family_gather(const char *family, struct sl_session *session, struct sl_failure *f);

/* Removes the directory and all that is in it. */
void cli_family_remove(char *family);

/* "followed FAMILY PROGRAM ARGUMENTS": this process becomes the engine for that program. Another
 * one reads what it does. If nothing comes of that, it becomes the program as it is. */
int cli_followed(int argc, char **argv);

#endif
