/* SPDX-License-Identifier: MIT */
/* Text report of the costs of source lines, from a block profile:
 *
 *     1,115,203  12.76%  weigh, inlined in main  in.c:4
 *       792,009   9.06%  cmp                     in.c:3
 *                 21.82%  of 8,739,225 instructions; 1,204 more lines
 *
 * A line that was inlined in several functions has a row for each of them. Code without line
 * information is one row per function. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "costs.h"
#include "grow.h"
#include "utf8.h"

enum column { COST, SHARE, FUNCTION, LINE };

struct line {
    uint64_t cost;
    char *function, *where; /* `where` may be NULL */
};

struct listing {
    struct line *line;
    size_t n, capacity;
    size_t column; /* cost column */
    struct sl_failure *f;
};

bool sl_text_is_lines(const struct sl_db_profiles *profiles, size_t i)
{
    const struct sl_db_profile *profile = &profiles->profile[i];
    for (size_t k = 0; k < i; k++)
        if (profiles->profile[k].detector == profile->detector &&
            profiles->profile[k].metric == profile->metric)
            return false;
    return profile->detector->second.type == SL_FIELD_END && profile->metric->weigh &&
           !profile->shared && !strcmp(profile->table, "exact");
}

static int add_line(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct listing *listing = context;
    char where[SL_COST_LINE_SIZE];
    if (!cost[listing->column])
        return 0;
    if (!SL_GROW(listing->line, listing->capacity, listing->n + 1))
        return sl_report_no_memory(listing->f);
    struct line *line = &listing->line[listing->n++];
    const char *known = sl_cost_line(at, where);
    const char *own = strcmp(at->function, "???") || !at->object_name ? at->function
                                                                      : at->object_name;
    *line = (struct line){.cost = cost[listing->column],
                          .function = at->inlined
                                          ? sl_asprintf("%s, inlined in %s", at->inlined->name, own)
                                          : strdup(own),
                          .where = known ? strdup(known) : NULL};
    return line->function && (line->where || !known) ? 0 : sl_report_no_memory(listing->f);
}

static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = strcmp(x->function, y->function);
    return order ? order : strcmp(x->where ? x->where : "", y->where ? y->where : "");
}

static int by_cost(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost ? -1 : 1) : by_place(a, b);
}

static void free_line(struct line *line)
{
    free(line->function);
    free(line->where);
}

/* Merges equal places and sorts lines by cost. */
static void sort_and_merge(struct listing *listing)
{
    size_t kept = 0;
    if (listing->n)
        qsort(listing->line, listing->n, sizeof *listing->line, by_place);
    for (size_t i = 0; i < listing->n; i++)
        if (kept && !by_place(&listing->line[kept - 1], &listing->line[i])) {
            listing->line[kept - 1].cost += listing->line[i].cost;
            free_line(&listing->line[i]);
        } else {
            listing->line[kept++] = listing->line[i];
        }
    listing->n = kept;
    if (kept)
        qsort(listing->line, kept, sizeof *listing->line, by_cost);
}

static int print(const struct sl_text *t, const struct listing *listing,
                 const struct sl_db_profile *profile, size_t n)
{
    struct sl_text_table table = {.columns = "rrss"};
    uint64_t shown = 0;
    for (size_t i = 0; i < n; i++) {
        sl_text_row(&table);
        sl_text_put_number(&table, COST, listing->line[i].cost);
        sl_text_put_percentage(&table, SHARE, listing->line[i].cost, profile->weight);
        sl_text_put(&table, FUNCTION, listing->line[i].function);
        sl_text_put(&table, LINE, listing->line[i].where);
        shown += listing->line[i].cost;
    }
    const struct sl_text_sum sum = {shown,
                                    profile->weight,
                                    profile->metric->units,
                                    listing->n - n,
                                    listing->n - n == 1 ? "line" : "lines",
                                    NULL};
    return sl_text_finish_sum(&table, &sum, SHARE, t->width, t->out) ? 0
                                                                     : sl_report_no_memory(t->f);
}

int sl_text_lines(const struct sl_text *t, const struct sl_db_profile *profile, uint64_t n)
{
    struct listing listing = {.f = t->f};
    struct sl_costs costs;
    int result = sl_costs_open(&costs, t->database, 0, t->f);
    if (result)
        return result;
    while (listing.column < costs.n_columns && costs.column[listing.column].profile != profile->id)
        listing.column++;
    if (listing.column < costs.n_columns)
        result = sl_costs_lines(&costs, add_line, &listing, t->f);
    sort_and_merge(&listing);
    if (!result)
        result = print(t, &listing, profile, n && n < listing.n ? n : listing.n);
    for (size_t i = 0; i < listing.n; i++)
        free_line(&listing.line[i]);
    free(listing.line);
    sl_costs_close(&costs);
    return result;
}
