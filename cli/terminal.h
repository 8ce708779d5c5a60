/* SPDX-License-Identifier: MIT */
/* A terminal on which a picture stands and keys are read, apart from the standard streams.
 *
 * It is opened by its own name, so that a program whose output is redirected can be watched, and
 * without waiting, so that a terminal that is stopped or gone holds up nobody: a picture that it
 * does not take is dropped for the next. */
#ifndef SL_CLI_TERMINAL_H
#define SL_CLI_TERMINAL_H

#include <stddef.h>
#include <termios.h>

#include "cli.h"

struct cli_terminal {
    int fd; /* -1: gone */
    struct termios before;
    unsigned rows, columns;
    char *unwritten; /* the rest of a picture */
    size_t n_unwritten;
};

/* SL_EUSAGE if there is none. */
int cli_terminal_open(struct cli_terminal *t, struct sl_failure *f);

/* Looks how large it is now; whether that has changed. */
bool cli_terminal_measure(struct cli_terminal *t);

/* Waits for a key, milliseconds at most. 0: none; -1: the terminal is gone. */
int cli_terminal_key(struct cli_terminal *t, int milliseconds);

/* Takes `text`, which is from malloc, and writes it as far as it can. */
void cli_terminal_show(struct cli_terminal *t, char *text, size_t n);

/* The terminal as it was. */
void cli_terminal_close(struct cli_terminal *t);

#endif
