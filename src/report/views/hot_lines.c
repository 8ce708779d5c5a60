/* SPDX-License-Identifier: MIT */
/* Collects the costs of source lines (hot_lines.h): one element per row that sl_costs_lines()
 * reports. The elements are sorted, and elements of the same line are merged. */
#include "hot_lines.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "grow.h"
#include "modules.h"

#define LEAST 0.001           /* minimum share of a line that is selected */
#define LEAST_OF_LIBRARY 0.01 /* the same, of a line of a library */

struct collecting {
    struct sl_hot_lines *lines;
    const struct sl_db_program *program;
    size_t column;
    bool by_host;
    struct sl_failure *f;
};

static void free_line(struct sl_hot_line *line)
{
    free(line->path);
    free(line->where);
    free(line->function);
    free(line->host);
}

/* Sets the members that distinguish elements. Returns false if out of memory. */
static bool describe(struct sl_hot_line *line, const struct sl_cost_location *at, bool by_host)
{
    char text[SL_COST_LINE_SIZE];
    const char *where = sl_cost_line(at, text), *inlined = at->inlined ? at->inlined->name : NULL;
    bool unnamed = at->object_name && !strcmp(at->function, "???");
    const char *host = by_host && unnamed ? at->object_name : at->function;
    line->where = where ? strdup(where) : NULL;
    line->function = by_host && inlined ? sl_asprintf("%s, inlined in %s", inlined, host)
                                        : strdup(inlined ? inlined : host);
    if (by_host)
        return line->function && (line->where || !where);
    line->path = strdup(at->file);
    line->line = at->line;
    line->host = inlined ? strdup(host) : NULL;
    return line->function && line->where && line->path && (line->host || !inlined);
}

static int add_line(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct collecting *c = context;
    struct sl_hot_lines *lines = c->lines;
    if (!cost[c->column] || (!c->by_host && (!at->file || at->line <= 0)))
        return 0;
    if (!SL_GROW(lines->line, lines->capacity, lines->n + 1))
        return sl_report_no_memory(c->f);
    struct sl_hot_line *line = &lines->line[lines->n++];
    *line = (struct sl_hot_line){.cost = cost[c->column],
                                 .own = sl_is_own_code(c->program, at->path, at->file)};
    return describe(line, at, c->by_host) ? 0 : sl_report_no_memory(c->f);
}

static int by_place(const void *a, const void *b)
{
    const struct sl_hot_line *x = a, *y = b;
    int order = sl_compare_texts(x->path, y->path);
    order = order ? order : (x->line > y->line) - (x->line < y->line);
    order = order ? order : strcmp(x->function, y->function);
    return order ? order : sl_compare_texts(x->where, y->where);
}

static int by_cost(const void *a, const void *b)
{
    const struct sl_hot_line *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost ? -1 : 1) : by_place(a, b);
}

static void merge(void *into, void *line)
{
    struct sl_hot_line *to = into, *from = line;
    to->cost += from->cost;
    if (to->host && (!from->host || strcmp(to->host, from->host))) {
        free(to->host);
        to->host = NULL;
    }
    free_line(from);
}

int sl_hot_lines_load(struct sl_hot_lines *lines, struct sl_database *database, const char *metric,
                      bool by_host, struct sl_failure *f)
{
    struct collecting c = {
        .lines = lines, .program = &database->program, .by_host = by_host, .f = f};
    struct sl_costs costs;
    *lines = (struct sl_hot_lines){0};
    int result = sl_costs_open_any(&costs, database, 0, f);
    if (result)
        return result;
    c.column = sl_costs_block_column(&costs, metric);
    if (c.column < costs.n_columns)
        result = sl_costs_lines(&costs, add_line, &c, f);
    sl_costs_close(&costs);
    if (result)
        return result;
    lines->n = SL_SORT_AND_MERGE(lines->line, lines->n, by_place, merge);
    SL_SORT(lines->line, lines->n, by_cost);
    return 0;
}

void sl_hot_lines_select(struct sl_hot_lines *lines, uint64_t total, size_t n)
{
    size_t selected = 0, all = lines->n;
    bool own = false;
    for (size_t i = 0; i < all; i++)
        own |= lines->line[i].own;
    for (size_t i = 0; i < all; i++) {
        struct sl_hot_line *line = &lines->line[i];
        if (selected < n && line->own == own &&
            sl_ratio(line->cost, total) >= (own ? LEAST : LEAST_OF_LIBRARY))
            lines->line[selected++] = *line;
        else
            free_line(line);
    }
    lines->n = selected;
}

bool sl_hot_lines_add(struct sl_hot_lines *lines, struct sl_hot_lines *from)
{
    bool good = SL_GROW(lines->line, lines->capacity, lines->n + from->n + 1);
    for (size_t i = 0; good && i < from->n; i++)
        lines->line[lines->n++] = from->line[i];
    from->n = good ? 0 : from->n;
    sl_hot_lines_free(from);
    lines->n = SL_SORT_AND_MERGE(lines->line, lines->n, by_place, merge);
    SL_SORT(lines->line, lines->n, by_cost);
    return good;
}

void sl_hot_lines_free(struct sl_hot_lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        free_line(&lines->line[i]);
    free(lines->line);
    *lines = (struct sl_hot_lines){0};
}
