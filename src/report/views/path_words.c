/* SPDX-License-Identifier: MIT */
#include "path_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#define ARROW " \xe2\x86\x92 "
#define AND_SO_ON "\xe2\x80\xa6"

/* What of "main+0x1c" is "main", and of "primes.c:12" is "primes.c:". */
static size_t function_part(const char *symbol)
{
    const char *offset = NULL;
    for (const char *at = symbol; (at = strstr(at, "+0x")); at++)
        offset = at;
    return offset ? (size_t)(offset - symbol) : strlen(symbol);
}

static size_t file_part(const char *line)
{
    return (size_t)(strrchr(line, ':') + 1 - line);
}

/* What of a name a reader has to be told who has just read the one before. */
static const char *news(const char *before, const char *name, size_t (*part)(const char *))
{
    size_t same = before ? part(before) : 0;
    bool repeats = same && same == part(name) && !memcmp(before, name, same) && name[same];
    return name + (repeats ? same : 0);
}

static char *finish(FILE *out, char **text)
{
    bool whole = out && !fclose(out);
    char *printable = whole && *text ? sl_utf8_printable(*text) : NULL;
    free(*text);
    return printable;
}

char *sl_symbol_span(const char *start, const char *end)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out)
        fprintf(out, "%s..%s", start, end ? news(start, end, function_part) : "");
    return finish(out, &text);
}

char *sl_path_span(const struct sl_path_view *view, const char *start)
{
    const struct sl_path_walk *walk = &view->walk;
    const char *end = walk->whole ? sl_path_view_sight(view, walk->n - 1)->end_symbol : NULL;
    return view->walks ? sl_symbol_span(start, end) : sl_utf8_printable(start);
}

static char *join(const char *const *name, size_t n, bool whole, size_t (*part)(const char *))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "%s%s", i ? ARROW : "", news(i ? name[i - 1] : NULL, name[i], part));
    if (out && n && !whole)
        fputs(ARROW AND_SO_ON, out);
    return finish(out, &text);
}

char *sl_path_lines(const struct sl_path_view *view)
{
    const char *line[SL_PATH_LINES_MAX];
    size_t n = sl_path_view_lines(view, line);
    return join(line, n, view->walk.whole, file_part);
}

char *sl_path_lines_whole(const struct sl_path_view *view)
{
    const char *line[SL_PATH_LINES_MAX];
    char *text = NULL;
    size_t n = sl_path_view_lines(view, line), size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "%s%s", i ? ARROW : "", line[i]);
    return finish(out, &text);
}

char *sl_path_blocks(const struct sl_path_view *view)
{
    const char *symbol[SL_PATH_WALK_MAX];
    size_t n = 0;
    for (size_t i = 0; i < view->walk.n; i++)
        if (sl_path_view_sight(view, i)->symbol)
            symbol[n++] = sl_path_view_sight(view, i)->symbol;
    return join(symbol, n, view->walk.whole, function_part);
}

char *sl_join_lines(char *const *line, size_t n)
{
    return join((const char *const *)line, n, true, file_part);
}

char *sl_join_symbols(char *const *symbol, size_t n)
{
    return join((const char *const *)symbol, n, true, function_part);
}
