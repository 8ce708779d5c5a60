/* SPDX-License-Identifier: MIT */
/* Text report of hot subpaths, which are sequences of events that occur repeatedly. A row has the
 * subpath's number of occurrences, percentage, first symbol, first line, number of events and, for
 * paths, branch outcomes. Below the row are the source lines of the subpath or, if no lines are
 * known, its symbols:
 *
 *     Hot subpaths by instructions
 *       6,247  75.56%  turn..main+0x26  turns.c:3  12  NT - NT TT - NT
 *                      turns.c:3 → 4 → 5 → 6 → 8 → 14 → 15 → 13 → 3 → 4 → 6 → 8
 *              75.56%  of 2,282,146 instructions; 4 more subpaths
 *       the sequence of 305,003 paths is compressed to 857 symbols in 128 rules (a factor of
 *       355.9); its size decreases from 2.3 MB to ...
 *
 * With -n, each event has a line of its own instead. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "entry_view.h"
#include "grow.h"
#include "utf8.h"

enum column { TIMES, SHARE, SYMBOL, LINE, EVENTS, OUTCOMES };

/* A list of texts of one subpath, freed by free_texts(). */
struct texts {
    char **text;
    size_t n, capacity;
};

struct listing {
    const struct sl_output *o;
    const struct sl_db_profile *profile;
    const struct sl_db_sequence *sequence;
    struct sl_entry_views views;
    struct sl_text_table table;
    uint64_t shown, shown_weight;
    struct texts *below; /* by row: the lines below it, in full one for each event */
    size_t below_capacity;
    /* Of the current subpath: */
    struct texts lines, symbols, outcomes;
    char *first_line, *end_symbol; /* its first line and last symbol */
};

static void free_texts(struct texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->text[i]);
    free(texts->text);
    *texts = (struct texts){0};
}

/* Adds a text, which the list then owns; NULL: out of memory. */
static bool add_text(struct texts *texts, char *text)
{
    bool added = text && SL_GROW(texts->text, texts->capacity, texts->n + 1);
    if (added)
        texts->text[texts->n++] = text;
    else
        free(text);
    return added;
}

/* ---- one subpath ---- */

static bool add_lines(struct listing *l, const struct sl_path_view *paths)
{
    const char *line[SL_PATH_LINES_MAX];
    size_t n = sl_path_view_lines(paths, line);
    bool added = true;
    for (size_t i = 0; i < n && added; i++)
        if (!l->lines.n || strcmp(l->lines.text[l->lines.n - 1], line[i]))
            added = add_text(&l->lines, strdup(line[i]));
    return added;
}

/* Adds a path; the view has looked at it. */
static bool add_path(struct listing *l, const struct sl_path_view *paths,
                     const struct sl_db_entry *entry, char *event)
{
    char outcomes[SL_PATH_OUTCOMES_SIZE];
    const struct sl_path_walk *walk = &paths->walk;
    const char *end = walk->whole ? sl_path_view_block(paths, walk->n - 1)->end_symbol : NULL;
    free(l->end_symbol);
    l->end_symbol = end ? strdup(end) : NULL;
    sl_path_outcomes(entry->value, outcomes);
    char *lines = sl_path_lines(paths);
    bool added = lines && event &&
                 add_text(&l->below[l->shown],
                          sl_asprintf("%s%s%s", event, lines[0] ? "  " : "", lines)) &&
                 add_text(&l->outcomes, strdup(outcomes[0] ? outcomes : "-")) &&
                 add_lines(l, paths);
    free(lines);
    return added;
}

static int add_step(void *context, int64_t of, const struct sl_db_entry *entry)
{
    struct listing *l = context;
    const struct sl_entry_view *view;
    int result = sl_entry_views_look(&l->views, of, l->profile, entry, &view, l->o->f);
    if (result)
        return result;
    char *event = sl_entry_text(view), *line = sl_db_line(&entry->at);
    bool added = event && add_text(&l->symbols, sl_entry_symbol(view->profile, entry));
    if (l->symbols.n == 1)
        l->first_line = line ? strdup(line) : NULL;
    if (view->paths.walks)
        added = added && add_path(l, &view->paths, entry, event);
    else
        added = added && add_text(&l->below[l->shown], strdup(event)) &&
                (!line || add_text(&l->lines, strdup(line)));
    free(line);
    free(event);
    return added ? 0 : sl_report_no_memory(l->o->f);
}

static char *spaced(const struct texts *texts)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < texts->n; i++)
        fprintf(out, "%s%s", i ? " " : "", texts->text[i]);
    if (out)
        fclose(out);
    return text;
}

static bool add_row(struct listing *l, const struct sl_db_subpath *subpath)
{
    struct sl_text_table *table = &l->table;
    bool all_paths = l->outcomes.n == subpath->length;
    const char *first = l->symbols.n ? l->symbols.text[0] : "";
    sl_text_row(table);
    sl_text_put_number(table, TIMES, subpath->times);
    sl_text_put_percentage(table, SHARE, subpath->weight, l->sequence->weight);
    sl_text_put_own(table, SYMBOL,
                    all_paths && l->end_symbol ? sl_symbol_span(first, l->end_symbol)
                                               : sl_utf8_printable(first));
    if (l->first_line)
        sl_text_put_own(table, LINE, sl_utf8_printable(l->first_line));
    sl_text_put_format(table, EVENTS, "%llu", (unsigned long long)subpath->length);
    if (all_paths)
        sl_text_put_own(table, OUTCOMES, spaced(&l->outcomes));
    if (table->failed || l->o->config->n)
        return !table->failed;
    free_texts(&l->below[l->shown]);
    return add_text(&l->below[l->shown], l->lines.n
                                             ? sl_join_lines(l->lines.text, l->lines.n)
                                             : sl_join_symbols(l->symbols.text, l->symbols.n));
}

static int add_subpath(void *context, const struct sl_db_subpath *subpath)
{
    struct listing *l = context;
    if (!SL_GROW(l->below, l->below_capacity, (size_t)l->shown + 1))
        return sl_report_no_memory(l->o->f);
    int result = sl_db_subpath_events(l->o->database, l->profile, subpath->rank, add_step, l,
                                      l->o->f);
    if (!result)
        result = add_row(l, subpath) ? 0 : sl_report_no_memory(l->o->f);
    free_texts(&l->lines);
    free_texts(&l->symbols);
    free_texts(&l->outcomes);
    free(l->first_line);
    free(l->end_symbol);
    l->first_line = l->end_symbol = NULL;
    l->shown++;
    l->shown_weight += subpath->weight;
    return result;
}

/* ---- all subpaths ---- */

static void print_sequence(const struct sl_output *o, const struct sl_db_profile *profile,
                           const struct sl_db_sequence *sequence)
{
    char factors[160] = "", from[SL_FORMAT_SIZE], to[SL_FORMAT_SIZE];
    uint64_t plain = sl_db_sequence_uncompressed_bits(sequence);
    if (sequence->symbols && sequence->bytes)
        snprintf(factors, sizeof factors,
                 " (a factor of %.1f); its size decreases from %s to %s (a factor of %.1f)",
                 (double)sequence->length / (double)sequence->symbols,
                 sl_format_storage(plain, from), sl_format_storage(8 * sequence->bytes, to),
                 (double)plain / 8 / (double)sequence->bytes);
    sl_text_paragraph(o->out, o->width, "  ",
                      "the sequence of %s %s is compressed to %s symbols in %s rules%s",
                      SL_NUMBER(sequence->length),
                      profile->shared ? "events" : sl_format_entries(profile, sequence->length),
                      SL_NUMBER(sequence->symbols), SL_NUMBER(sequence->rules), factors);
}

static void print_below(const struct listing *l, size_t row)
{
    char first[96];
    const struct sl_output *o = l->o;
    const struct texts *below = &l->below[row];
    size_t indent = sl_text_end(&l->table, SHARE) + SL_TEXT_INDENT;
    snprintf(first, sizeof first, "%*s", (int)indent, "");
    for (size_t i = 0; o->config->n && i < below->n; i++)
        sl_text_paragraph(o->out, o->width, first, "%s", below->text[i]);
    if (o->config->n)
        return;
    sl_utf8_shorten(below->text[0], o->width > indent ? o->width - indent : 1);
    fprintf(o->out, "%s%s\n", first, below->text[0]);
}

static void print_listing(struct listing *l)
{
    uint64_t more = l->sequence->subpaths > l->shown ? l->sequence->subpaths - l->shown : 0;
    sl_text_fit(&l->table, l->o->width);
    for (size_t row = 0; row < l->shown; row++) {
        sl_text_print_row(&l->table, row, l->o->width, l->o->out);
        print_below(l, row);
    }
    const struct sl_text_sum sum = {l->shown_weight,
                                    l->sequence->weight,
                                    l->sequence->unit,
                                    more,
                                    more == 1 ? "subpath" : "subpaths",
                                    NULL};
    sl_text_print_sum(&sum, &l->table, SHARE, l->o->width, l->o->out);
}

static void free_listing(struct listing *l)
{
    for (size_t i = 0; i < l->shown; i++)
        free_texts(&l->below[i]);
    free(l->below);
    sl_entry_views_close(&l->views);
    sl_text_free(&l->table);
}

int sl_text_subpaths(const struct sl_output *o, const struct sl_db_profile *profile,
                     const struct sl_db_sequence *sequence, uint64_t n)
{
    struct listing listing = {.o = o,
                              .views = {o->database, NULL},
                              .profile = profile,
                              .sequence = sequence,
                              .table = {.columns = "rrsbrb"}};
    fprintf(o->out, "\nHot subpaths by %s\n", sequence->unit);
    int result = sl_db_subpaths(o->database, profile, n, add_subpath, &listing, o->f);
    if (!result && listing.shown)
        print_listing(&listing);
    else if (!result)
        fprintf(o->out, "  none\n");
    print_sequence(o, profile, sequence);
    free_listing(&listing);
    return result;
}
