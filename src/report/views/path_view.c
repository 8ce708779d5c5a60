/* SPDX-License-Identifier: MIT */
/* Formats paths as branch outcomes ("TNT"), blocks and source lines (path_view.h). The names of
 * a block are looked up once and cached. */
#include "path_view.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

int sl_path_view_open(struct sl_path_view *view, struct sl_database *database,
                      const struct sl_db_profile *profile, struct sl_failure *f)
{
    *view = (struct sl_path_view){.database = database};
    view->config = profile->config;
    if (profile->detector->second.type != SL_FIELD_OUTCOMES)
        return 0;
    int result = sl_db_code(database, &view->code, f);
    if (!result)
        result = sl_path_walker_init(&view->walker, &view->code.code, f);
    if (result)
        return result;
    view->names = calloc(view->code.statics.n_blocks + 1, sizeof *view->names);
    view->walks = view->names;
    return view->names ? 0 : sl_db_fail_memory(f);
}

void sl_path_view_close(struct sl_path_view *view)
{
    for (size_t b = 0; view->names && b < view->code.statics.n_blocks; b++) {
        free(view->names[b].symbol);
        free(view->names[b].line);
        free(view->names[b].end_symbol);
        free(view->names[b].end_line);
    }
    free(view->names);
    sl_path_walker_free(&view->walker);
    sl_db_code_free(&view->code);
    *view = (struct sl_path_view){0};
}

static int look_up(struct sl_path_view *view, uint32_t block, struct sl_failure *f)
{
    struct sl_path_block_names *names = &view->names[block];
    const struct sl_block_end *end = &view->code.code.end[block];
    if (names->known)
        return 0;
    names->known = true;
    int result = sl_db_names(view->database, view->code.statics.block[block].pc, &names->symbol,
                             &names->line, f);
    return result || end->branch_insn == SL_NO_INDEX
               ? result
               : sl_db_names(view->database, end->branch_pc, &names->end_symbol, &names->end_line,
                             f);
}

int sl_path_view_look(struct sl_path_view *view, const struct sl_db_entry *entry,
                      struct sl_failure *f)
{
    int result = 0;
    view->walk.n = 0;
    view->walk.whole = false;
    if (!view->walks)
        return 0;
    sl_path_walk(&view->walker, view->config, entry->at.address, entry->value, &view->walk);
    for (size_t i = 0; !result && i < view->walk.n; i++)
        result = look_up(view, view->walk.block[i], f);
    return result;
}

const struct sl_path_block_names *sl_path_view_block(const struct sl_path_view *view, size_t i)
{
    return &view->names[view->walk.block[i]];
}

static size_t add_line(const char **line, size_t n, const char *next)
{
    if (!next || (n && !strcmp(line[n - 1], next)))
        return n;
    line[n] = next;
    return n + 1;
}

size_t sl_path_view_lines(const struct sl_path_view *view, const char *line[SL_PATH_LINES_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < view->walk.n; i++) {
        n = add_line(line, n, sl_path_view_block(view, i)->line);
        n = add_line(line, n, sl_path_view_block(view, i)->end_line);
    }
    return n;
}

const char *sl_path_outcomes(uint64_t value, char buffer[SL_PATH_OUTCOMES_SIZE])
{
    unsigned length = sl_path_length(value);
    length = length <= SL_PATH_LENGTH_MAX ? length : 0; /* the database is damaged */
    for (unsigned i = 0; i < length; i++)
        buffer[i] = sl_path_taken(value, i) ? 'T' : 'N';
    buffer[length] = '\0';
    return buffer;
}

/* ---- paths as text ---- */

#define ARROW " \xe2\x86\x92 "
#define AND_SO_ON "\xe2\x80\xa6"

/* Length of "main" in "main+0x1c", and of "primes.c:" in "primes.c:12". */
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

/* The part of a name that differs from the name before it; the whole name if `part` is NULL. */
static const char *new_part(const char *before, const char *name, size_t (*part)(const char *))
{
    size_t same = before && part ? part(before) : 0;
    bool repeats = same && same == part(name) && !memcmp(before, name, same) && name[same];
    return name + (repeats ? same : 0);
}

char *sl_symbol_span(const char *start, const char *end)
{
    const char *last = end ? new_part(start, end, function_part) : "";
    return sl_own_printable(sl_asprintf("%s..%s", start, last));
}

char *sl_path_span(const struct sl_path_view *view, const char *start)
{
    const struct sl_path_walk *walk = &view->walk;
    const char *end = walk->whole ? sl_path_view_block(view, walk->n - 1)->end_symbol : NULL;
    return view->walks ? sl_symbol_span(start, end) : sl_utf8_printable(start);
}

static char *join(const char *const *name, size_t n, bool whole, size_t (*part)(const char *))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "%s%s", i ? ARROW : "", new_part(i ? name[i - 1] : NULL, name[i], part));
    if (out && n && !whole)
        fputs(ARROW AND_SO_ON, out);
    if (out && !fclose(out))
        return sl_own_printable(text);
    free(text);
    return NULL;
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
    size_t n = sl_path_view_lines(view, line);
    return join(line, n, true, NULL);
}

char *sl_path_blocks(const struct sl_path_view *view)
{
    const char *symbol[SL_PATH_WALK_MAX];
    size_t n = 0;
    for (size_t i = 0; i < view->walk.n; i++)
        if (sl_path_view_block(view, i)->symbol)
            symbol[n++] = sl_path_view_block(view, i)->symbol;
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
