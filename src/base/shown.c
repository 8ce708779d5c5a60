/* SPDX-License-Identifier: MIT */
/* Output filter (shown.h): a stdio stream that replaces control characters and invalid UTF-8.
 * Printable ASCII is copied in long runs; other bytes are collected until they form a character. */
#include "shown.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "failure.h"
#include "utf8.h"

struct shown {
    FILE *to;
    enum sl_shown_as as;
    char begun[4]; /* first bytes of an incomplete character */
    size_t n_begun;
};

static bool passes(unsigned char c)
{
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

static const char *const colours[] = {
    [SL_COLOUR_PLAIN] = "\033[0m", [SL_COLOUR_HOT] = "\033[1;31m",  [SL_COLOUR_WARM] = "\033[33m",
    [SL_COLOUR_NOTE] = "\033[36m", [SL_COLOUR_HEADING] = "\033[1m",
};

static void put_character(const struct shown *s, const char *text, size_t n)
{
    uint32_t code = sl_utf8_code(text, n);
    if (s->as == SL_SHOWN_COLOURED && code < sizeof colours / sizeof *colours && colours[code]) {
        fputs(colours[code], s->to);
        return;
    }
    if (!sl_utf8_hidden(code) || (n == 1 && passes((unsigned char)*text)))
        fwrite(text, 1, n, s->to);
    else if (s->as != SL_SHOWN_AS_JSON)
        putc('?', s->to);
    else if (code < 0x10000)
        fprintf(s->to, "\\u%04x", code);
    else
        fprintf(s->to, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
}

/* Writes one character of `text`, of which n bytes are available. Returns its size, 0 if it is
 * incomplete. */
static size_t put_one(const struct shown *s, const char *text, size_t n)
{
    size_t size = sl_utf8_size(text, n);
    if (size > n)
        return 0;
    if (size)
        put_character(s, text, size);
    else
        fputs("\xef\xbf\xbd", s->to);
    return size ? size : 1;
}

static ssize_t put(void *cookie, const char *text, size_t n)
{
    struct shown *s = cookie;
    size_t at = 0;
    while (at < n && !ferror(s->to)) {
        size_t plain = at;
        while (!s->n_begun && plain < n && passes((unsigned char)text[plain]))
            plain++;
        if (plain > at) {
            fwrite(text + at, 1, plain - at, s->to);
            at = plain;
            continue;
        }
        s->begun[s->n_begun++] = text[at++];
        for (size_t took; s->n_begun && (took = put_one(s, s->begun, s->n_begun));) {
            s->n_begun -= took;
            memmove(s->begun, s->begun + took, s->n_begun);
        }
    }
    return ferror(s->to) ? 0 : (ssize_t)n; /* 0: an error, see fopencookie(3) */
}

static ssize_t put_bytes(void *cookie, const char *bytes, size_t n)
{
    const struct shown *s = cookie;
    return fwrite(bytes, 1, n, s->to) == n ? (ssize_t)n : 0;
}

static int finish(void *cookie)
{
    struct shown *s = cookie;
    for (size_t i = 0; i < s->n_begun; i++)
        fputs("\xef\xbf\xbd", s->to);
    int result = ferror(s->to) ? EOF : 0;
    free(s);
    return result;
}

FILE *sl_shown_open(FILE *to, enum sl_shown_as as, struct sl_failure *f)
{
    struct shown *s = calloc(1, sizeof *s);
    cookie_io_functions_t functions = {.write = as == SL_SHOWN_BYTES ? put_bytes : put,
                                       .close = finish};
    if (s)
        *s = (struct shown){.to = to, .as = as};
    FILE *stream = s ? fopencookie(s, "w", functions) : NULL;
    if (!stream) {
        free(s);
        sl_fail(f, SL_ENOMEM, "out of memory: cannot print the output");
    }
    return stream;
}

int sl_flush_output(FILE *out, const char *what, struct sl_failure *f)
{
    SL_REQUIRE(f, out && what);
    errno = 0; /* the reason of an earlier error is lost */
    if (!fflush(out) && !ferror(out))
        return 0;
    return errno ? sl_fail_errno(f, SL_EIO, "cannot write %s", what)
                 : sl_fail(f, SL_EIO, "cannot write %s", what);
}

int sl_shown_close(FILE *shown, FILE *to, int result, const char *what, struct sl_failure *f)
{
    bool closed = !fclose(shown);
    return result < 0 ? result
           : closed   ? sl_flush_output(to, what, f)
                      : sl_fail_errno(f, SL_EIO, "cannot write %s", what);
}

void sl_print_line(FILE *out, const char *format, ...)
{
    if (!(out && format))
        return;
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    text = length < 0 ? NULL : sl_own_printable(text);
    fprintf(out, "%s\n", text ? text : "sluice: out of memory");
    free(text);
}

void sl_text_wrap(const char *text, const char *first, size_t width, FILE *out)
{
    size_t indent = sl_utf8_length(first);
    size_t fits = width > indent ? width - indent : 1;
    while (*text == ' ')
        text++;
    do {
        size_t end = sl_utf8_bytes(text, fits);
        if (text[end] && text[end] != ' ') { /* within a word: back to its start */
            size_t space = end;
            while (space && text[space] != ' ')
                space--;
            end = space ? space : end;
        }
        fprintf(out, "%*s%.*s\n", (int)indent, first, (int)end, text);
        text += end;
        while (*text == ' ')
            text++;
        first = "";
    } while (*text);
}
