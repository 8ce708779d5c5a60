/* SPDX-License-Identifier: MIT */
/* The one place that what is printed goes through. Names of functions and files, arguments, texts
 * of databases and of traces can hold any bytes; some of these move a terminal's cursor, give it
 * commands, or turn the direction of writing so that a line reads as another one.
 *
 *     exporter, list, ... -> stream of sl_shown_open -> standard output, a file
 *
 * A stream cannot know which line ends are meant: whoever prints a text into a line makes it
 * printable first (utf8.h), and what gets past that is stopped here. */
#ifndef SL_SHOWN_H
#define SL_SHOWN_H

#include "sluice.h"

/* What stands for a character that must not be shown. */
enum sl_shown_as {
    SL_SHOWN_MARKED,   /* '?' */
    SL_SHOWN_AS_JSON,  /* \u001b: it can only be inside a string */
    SL_SHOWN_BYTES,    /* itself: what is written is no text */
    SL_SHOWN_COLOURED, /* as marked; the characters below become colours of a terminal */
};

/* Characters that no printable text has (utf8.h). */
enum sl_shown_colour {
    SL_COLOUR_PLAIN = 1,
    SL_COLOUR_HOT,
    SL_COLOUR_WARM,
    SL_COLOUR_NOTE,
    SL_COLOUR_HEADING,
};

/* A stream that writes to `to`, which is not written to until it is closed. What is not UTF-8
 * becomes U+FFFD; line ends and tabulators stay. NULL when memory ran out. */
FILE *sl_shown_open(FILE *to, enum sl_shown_as as, struct sl_failure *f);

/* Closes it, and writes what `to` still holds. Returns `result` if that is an error; SL_EIO if
 * not all could be written, "cannot write WHAT". */
int sl_shown_close(FILE *shown, FILE *to, int result, const char *what, struct sl_failure *f);

/* Prints `first`, then `text` in lines of at most 100 columns, broken at spaces; continuation lines
 * are indented to where `text` begins. Words that are too long stay whole. For ASCII. */
void sl_wrap(const char *first, const char *text, FILE *out);

#endif
