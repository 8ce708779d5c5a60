/* SPDX-License-Identifier: MIT */
/* Collects the costs of source lines (hot_lines.h): one element per row of costs.h, then sorted and
 * merged. */
#include "hot_lines.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "grow.h"
#include "modules.h"

struct collecting {
    struct sl_hot_lines *lines;
    const struct sl_db_program *program;
    size_t column;
    struct sl_failure *f;
};

static void free_line(struct sl_hot_line *line)
{
    free(line->path);
    free(line->function);
    free(line->host);
}

static int add_line(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct collecting *c = context;
    struct sl_hot_lines *lines = c->lines;
    if (!cost[c->column] || !at->file || at->line <= 0)
        return 0;
    if (!SL_GROW(lines->line, lines->capacity, lines->n + 1))
        return sl_report_no_memory(c->f);
    struct sl_hot_line *line = &lines->line[lines->n++];
    *line = (struct sl_hot_line){.path = strdup(at->file),
                                 .line = at->line,
                                 .function = strdup(at->inlined ? at->inlined->name : at->function),
                                 .host = at->inlined ? strdup(at->function) : NULL,
                                 .cost = cost[c->column],
                                 .own = sl_is_own_object(c->program, at->path)};
    return line->path && line->function && (line->host || !at->inlined) ? 0
                                                                        : sl_report_no_memory(c->f);
}

static int by_place(const void *a, const void *b)
{
    const struct sl_hot_line *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    order = order ? order : (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->function, y->function);
}

static int by_cost(const void *a, const void *b)
{
    const struct sl_hot_line *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost ? -1 : 1) : by_place(a, b);
}

static void sort_and_merge(struct sl_hot_lines *lines)
{
    size_t n = 0;
    if (lines->n)
        qsort(lines->line, lines->n, sizeof *lines->line, by_place);
    for (size_t i = 0; i < lines->n; i++) {
        struct sl_hot_line *last = n ? &lines->line[n - 1] : NULL;
        if (!last || by_place(last, &lines->line[i])) {
            lines->line[n++] = lines->line[i];
            continue;
        }
        last->cost += lines->line[i].cost;
        if (last->host && (!lines->line[i].host || strcmp(last->host, lines->line[i].host))) {
            free(last->host);
            last->host = NULL;
        }
        free_line(&lines->line[i]);
    }
    lines->n = n;
    if (n)
        qsort(lines->line, n, sizeof *lines->line, by_cost);
}

int sl_hot_lines_load(struct sl_hot_lines *lines, struct sl_database *database, const char *metric,
                      struct sl_failure *f)
{
    struct collecting c = {.lines = lines, .program = &database->program, .f = f};
    struct sl_costs costs;
    struct sl_failure why;
    *lines = (struct sl_hot_lines){0};
    int result = sl_costs_open(&costs, database, 0, &why);
    if (result == SL_EUSAGE)
        return 0;
    if (result)
        return *f = why, result;
    c.column = sl_costs_block_column(&costs, metric);
    if (c.column < costs.n_columns)
        result = sl_costs_lines(&costs, add_line, &c, f);
    sort_and_merge(lines);
    sl_costs_close(&costs);
    return result;
}

void sl_hot_lines_free(struct sl_hot_lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        free_line(&lines->line[i]);
    free(lines->line);
    *lines = (struct sl_hot_lines){0};
}
