/* SPDX-License-Identifier: MIT */
/* Full-screen output on the terminal (/dev/tty) and input of single keys, both independent of
 * standard input and standard output.
 *
 * It is opened by name, so that it works if the program's output is redirected, and non-blocking,
 * so that sluice does not wait for a terminal that is stopped or gone: a screen that it does not
 * accept is dropped for the next one. */
#ifndef SL_CLI_TERMINAL_H
#define SL_CLI_TERMINAL_H

#include <stddef.h>
#include <termios.h>

#include "cli.h"

struct cli_terminal {
    int fd; /* -1: gone */
    struct termios before;
    unsigned rows, columns;
    char *unwritten; /* rest of the current screen */
    size_t n_unwritten;
};

/* Opens the terminal. Returns 0, or SL_EUSAGE if there is none. */
int cli_terminal_open(struct cli_terminal *t, struct sl_failure *f);

/* Updates rows and columns. Returns true if they have changed. */
bool cli_terminal_measure(struct cli_terminal *t);

/* Waits for a key for at most `milliseconds`. Returns it, 0 if there was none, or -1 if the
 * terminal is gone. */
int cli_terminal_key(struct cli_terminal *t, int milliseconds);

/* Writes as much of `text` as the terminal accepts, and the rest later. Takes ownership of `text`,
 * which is from malloc(). */
void cli_terminal_show(struct cli_terminal *t, char *text, size_t n);

/* Restores the terminal and closes it. */
void cli_terminal_close(struct cli_terminal *t);

#endif
