/* SPDX-License-Identifier: MIT */
/* Text report of the spread of errors over runs with different seeds: one row per event, one row
 * for all events together, and a box plot (spread.h) if the line is long enough:
 *
 *     Errors over 50 runs  event(all)@morris
 *       event          min    25%  median    75%    max   mean  0%               102.2%
 *       cycles       0.42%  8.14%   20.4%  35.0%  71.2%  24.1%  |--[==+===]------|
 *       instructions  2.1%   ...
 *       all          0.02%  7.31%   18.8%  33.5%   102%  23.0%  |-[==+===]-------------|
 *
 * A second form has one row per error measure of the text report, without a plot, because the best
 * value is 0 for some measures and 1 for others. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum column { NAME, MIN, LOWER, MEDIAN, UPPER, MAX, MEAN, DRAWING, N_COLUMNS };

#define LEAST_DRAWING 16u
#define MOST_DRAWING 40u

struct rows {
    struct sl_text_table table;
    struct sl_spread *spread; /* by row, without the header */
    size_t n;
};

static void add_row(struct rows *rows, const char *name, const struct sl_spread *s)
{
    const double figure[] = {s->min, s->lower_quartile, s->median, s->upper_quartile, s->max,
                             s->mean};
    char percent[SL_FORMAT_SIZE];
    sl_text_row(&rows->table);
    sl_text_put_own(&rows->table, NAME, sl_utf8_printable(name));
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        sl_text_put(&rows->table, MIN + i, sl_format_percent(figure[i], false, percent));
    rows->spread[rows->n++] = *s;
}

static void add_header(struct rows *rows, const char *name)
{
    sl_text_add_row(&rows->table, (const char *const[N_COLUMNS]){name, "min", "25%", "median",
                                                                 "75%", "max", "mean"});
}

static void add_sample(struct rows *rows, const struct sl_db_samples *samples,
                       const struct sl_db_sample *one, const char *name)
{
    struct sl_spread spread = {0};
    if (!sl_db_spread(samples, one, &spread))
        rows->table.failed = true;
    else if (spread.n)
        add_row(rows, name, &spread);
}

static bool fill_events(struct rows *rows, const struct sl_db_samples *events, uint64_t least)
{
    add_header(rows, "event");
    for (size_t i = 0; i < events->n; i++)
        if (events->sample[i].exact >= least)
            add_sample(rows, events, &events->sample[i], events->sample[i].name);
    add_sample(rows, events, NULL, "all");
    return !rows->table.failed;
}

static bool fill_measures(struct rows *rows, const struct sl_db_samples *measures,
                          enum sl_measure measure)
{
    static const char *const printed[][2] = {
        {"interval", "interval error"},
        {"invariance", "error"},
        {"overlap", "overlap"},
    };
    add_header(rows, "measure");
    for (size_t k = 0; k < sizeof printed / sizeof *printed; k++)
        for (size_t i = 0; i < measures->n; i++)
            if (!strcmp(measures->sample[i].name, printed[k][0]) &&
                (measure == SL_MEASURE_INVARIANCE || strcmp(printed[k][0], "invariance")))
                add_sample(rows, measures, &measures->sample[i], printed[k][1]);
    return !rows->table.failed;
}

/* Adds box plots, if the lines have space for them. Returns false if out of memory. */
static bool draw(struct rows *rows, size_t width)
{
    struct sl_text_table *table = &rows->table;
    char percent[SL_FORMAT_SIZE];
    size_t used = SL_TEXT_INDENT;
    double top = 0;
    for (size_t i = 0; i < DRAWING; i++)
        used += SL_TEXT_INDENT + table->width[i];
    size_t space = width > used ? width - used : 0;
    space = space > MOST_DRAWING ? MOST_DRAWING : space;
    if (space < LEAST_DRAWING)
        return true;
    for (size_t i = 0; i < rows->n; i++)
        top = fmax(top, rows->spread[i].max);
    table->width[DRAWING] = space;
    table->cell[DRAWING] = sl_asprintf("0%%%*s", (int)space - 2,
                                       sl_format_percent(top, false, percent));
    bool whole = table->cell[DRAWING];
    for (size_t i = 0; i < rows->n && whole; i++) {
        char *drawing = malloc(space + 1);
        if ((whole = drawing))
            sl_spread_draw(&rows->spread[i], top, drawing, space);
        table->cell[(i + 1) * N_COLUMNS + DRAWING] = drawing;
    }
    return whole;
}

/* Returns the number of lines. */
static size_t print(const struct sl_db_profile *profile, struct rows *rows, const char *what,
                    size_t runs, size_t width, FILE *out)
{
    char heading[64], *given = sl_utf8_printable(profile->given);
    if (!given)
        return 0;
    snprintf(heading, sizeof heading, "%s over %zu runs  ", what, runs);
    if (out)
        putc('\n', out);
    size_t lines = 1 + sl_text_wrap(given, heading, width, out) + 1 + rows->n;
    if (out)
        sl_text_print(&rows->table, width, out);
    free(given);
    return lines;
}

static struct rows open_rows(const struct sl_db_samples *samples)
{
    return (struct rows){.table = {.columns = "srOrOrrl"},
                         .spread = calloc(samples->n + 1, sizeof(struct sl_spread))};
}

static void free_rows(struct rows *rows)
{
    sl_text_free(&rows->table);
    free(rows->spread);
}

void sl_text_run_events(const struct sl_db_profile *profile, const struct sl_db_runs *runs,
                        uint64_t least, size_t width, FILE *out)
{
    if (runs->n < 2)
        return;
    struct rows rows = open_rows(&runs->events);
    if (rows.spread && fill_events(&rows, &runs->events, least)) {
        sl_text_fit(&rows.table, width);
        if (draw(&rows, width))
            print(profile, &rows, "Errors", runs->n, width, out);
    }
    free_rows(&rows);
}

size_t sl_text_run_measures(const struct sl_db_profile *profile, const struct sl_db_runs *runs,
                            size_t width, FILE *out)
{
    size_t lines = 0;
    if (runs->n < 2)
        return 0;
    struct rows rows = open_rows(&runs->measures);
    if (rows.spread && fill_measures(&rows, &runs->measures, profile->detector->error_measure) &&
        rows.n) {
        sl_text_fit(&rows.table, width);
        lines = print(profile, &rows, "Measures", runs->n, width, out);
    }
    free_rows(&rows);
    return lines;
}
