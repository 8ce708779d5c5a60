/* SPDX-License-Identifier: MIT */
/* Output filter that makes text safe for terminals. Names of functions and files, arguments, and
 * texts from databases and traces can contain any bytes. Control characters among them could move
 * the cursor, send commands to the terminal, or reverse the direction of the text.
 *
 *     exporter, list, ... -> stream of sl_shown_open -> standard output, a file
 *
 * A stream cannot know which newlines are intended: code that prints a foreign text within a line
 * makes it printable first (utf8.h). This filter stops what is missed there. */
#ifndef SL_SHOWN_H
#define SL_SHOWN_H

#include "sluice.h"

/* Replacement of a hidden character. */
enum sl_shown_as {
    SL_SHOWN_MARKED,   /* '?' */
    SL_SHOWN_AS_JSON,  /* \u001b: it can only be within a string */
    SL_SHOWN_BYTES,    /* none: the output is binary */
    SL_SHOWN_COLOURED, /* as MARKED; the characters below become escape sequences for colours */
};

/* Control characters, which printable text does not have (utf8.h). */
enum sl_shown_colour {
    SL_COLOUR_PLAIN = 1,
    SL_COLOUR_HOT,
    SL_COLOUR_WARM,
    SL_COLOUR_NOTE,
    SL_COLOUR_HEADING,
};

/* Opens a stream that writes to `to`; do not write to `to` until it is closed. Invalid UTF-8
 * becomes U+FFFD; newlines and tabs stay. Returns NULL if out of memory. */
FILE *sl_shown_open(FILE *to, enum sl_shown_as as, struct sl_failure *f);

/* Closes the stream and flushes `to`. Returns `result` if that is an error; SL_EIO, "cannot write
 * WHAT", if writing failed; else 0. */
int sl_shown_close(FILE *shown, FILE *to, int result, const char *what, struct sl_failure *f);

/* Prints a paragraph, broken at spaces into lines of at most `width` characters. The first line
 * starts with `first`, the others with as many spaces. */
void sl_text_wrap(const char *text, const char *first, size_t width, FILE *out);

#endif
