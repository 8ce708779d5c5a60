/* SPDX-License-Identifier: MIT */
/* Reads and summarizes the counts and errors of each run of a repeated profile (db.h). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "db_row.h"
#include "table.h"

/* Adds a value; rows are ordered by sample, then by run. */
static bool add_value(struct sl_db_runs *runs, struct sl_db_samples *all, uint64_t run,
                      const char *name, double value)
{
    struct sl_db_sample *last = all->n ? &all->sample[all->n - 1] : NULL;
    if (!last || strcmp(last->name, name)) {
        if (!SL_GROW(all->sample, all->capacity, all->n + 1))
            return false;
        last = &all->sample[all->n];
        if (!(last->name = strdup(name)))
            return false;
        all->n++;
    }
    if (!SL_GROW(last->value, last->capacity, last->n + 1))
        return false;
    last->value[last->n++] = value;
    runs->n = run + 1 > runs->n ? run + 1 : runs->n;
    return true;
}

static bool add_event(struct sl_db_runs *runs, sqlite3_stmt *row)
{
    const char *name = sl_column_text(row, 3);
    uint64_t run = sl_column_uint(row, 1), count = sl_column_uint(row, 4),
             exact = sl_column_uint(row, 5);
    double error = exact ? ((double)count - (double)exact) / (double)exact : NAN;
    if (!add_value(runs, &runs->events, run, name ? name : "", error))
        return false;
    struct sl_db_sample *event = &runs->events.sample[runs->events.n - 1];
    event->exact = exact;
    event->count = run ? event->count : count;
    return true;
}

/* Reads the option that specifies the number of events for which a table has storage. */
static int read_capacity(struct sl_database *database, const struct sl_db_profile *profile,
                         uint64_t *n, struct sl_failure *f)
{
    const struct sl_table_kind *table = NULL;
    for (size_t i = 0; sl_tables[i]; i++)
        if (sl_tables[i]->input.holds && !strcmp(sl_tables[i]->name, profile->table))
            table = sl_tables[i];
    if (!table)
        return 0;
    struct sl_rows rows = sl_rows_of_profile(database, SL_DB_OPTION, profile, "");
    while (sl_rows_next(&rows, NULL)) {
        const char *component = sl_column_text(rows.row, 1), *name = sl_column_text(rows.row, 2);
        if (component && name && !strcmp(component, table->name) &&
            !strcmp(name, table->input.holds))
            *n = sl_column_uint(rows.row, 3);
    }
    return sl_rows_end(&rows, f);
}

int sl_db_runs(struct sl_database *database, const struct sl_db_profile *profile,
               struct sl_db_runs *runs, struct sl_failure *f)
{
    struct sl_run_error error;
    *runs = (struct sl_db_runs){0};
    struct sl_rows rows = sl_rows_of_profile(database, SL_DB_READING, profile,
                                             "ORDER BY event_id, run");
    while (sl_rows_next(&rows, NULL))
        rows.result = add_event(runs, rows.row) ? 0 : sl_db_fail_memory(f);
    int result = sl_rows_end(&rows, f);
    if (!result) {
        rows = sl_rows_of_profile(database, SL_DB_RUN_ERROR, profile, "ORDER BY name, run");
        while (sl_rows_next(&rows, &error))
            rows.result = add_value(runs, &runs->measures, error.run, error.error.name,
                                    error.error.value)
                              ? 0
                              : sl_db_fail_memory(f);
        result = sl_rows_end(&rows, f);
    }
    if (!result)
        result = read_capacity(database, profile, &runs->capacity, f);
    if (result)
        sl_db_runs_free(runs);
    return result;
}

static void free_samples(struct sl_db_samples *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free(all->sample[i].name);
        free(all->sample[i].value);
    }
    free(all->sample);
}

void sl_db_runs_free(struct sl_db_runs *runs)
{
    free_samples(&runs->events);
    free_samples(&runs->measures);
    *runs = (struct sl_db_runs){0};
}

bool sl_db_spread(const struct sl_db_samples *all, const struct sl_db_sample *one,
                  struct sl_spread *spread)
{
    const struct sl_db_sample *first = one ? one : all->sample;
    size_t n_samples = one ? 1 : all->n, n = 0, capacity = 0;
    for (size_t i = 0; i < n_samples; i++)
        capacity += first[i].n;
    double *value = malloc((capacity + 1) * sizeof *value);
    if (!value)
        return false;
    for (size_t i = 0; i < n_samples; i++)
        for (size_t k = 0; k < first[i].n; k++)
            value[n++] = fabs(first[i].value[k]);
    *spread = sl_spread_of(value, n);
    free(value);
    return true;
}

double sl_db_event_bits(const struct sl_db_profile *profile, const struct sl_db_runs *runs)
{
    uint64_t n = runs->capacity > runs->events.n ? runs->capacity : runs->events.n;
    return (double)profile->status.storage_bits / (double)n;
}

/* ---- distributions ---- */

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b))
        return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
    return (a > b) - (a < b);
}

/* Returns a quantile of n sorted numbers, interpolated linearly. */
static double quantile(const double *number, size_t n, double fraction)
{
    double position = fraction * (double)(n - 1), below = floor(position);
    size_t i = (size_t)below;
    return i + 1 < n ? number[i] + (position - below) * (number[i + 1] - number[i]) : number[i];
}

struct sl_spread sl_spread_of(double *number, size_t n)
{
    struct sl_spread s = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    double sum = 0;
    SL_SORT(number, n, by_value);
    for (; s.n < n && !isnan(number[s.n]); s.n++)
        sum += number[s.n];
    if (!s.n)
        return s;
    s.min = number[0];
    s.lower_quartile = quantile(number, s.n, 0.25);
    s.median = quantile(number, s.n, 0.5);
    s.upper_quartile = quantile(number, s.n, 0.75);
    s.max = number[s.n - 1];
    s.mean = sum / (double)s.n;
    return s;
}

static size_t column_of(double number, double top, size_t width)
{
    double fraction = top > 0 ? number / top : 0;
    return (size_t)lround(fmin(fmax(fraction, 0), 1) * (double)(width - 1));
}

/* Later parts are drawn over earlier ones: whiskers, box, median. */
void sl_spread_draw(const struct sl_spread *s, double top, char *out, size_t width)
{
    memset(out, ' ', width);
    out[width] = '\0';
    if (!s->n || !width)
        return;
    size_t min = column_of(s->min, top, width), max = column_of(s->max, top, width);
    size_t low = column_of(s->lower_quartile, top, width);
    size_t high = column_of(s->upper_quartile, top, width);
    memset(out + min, '-', max - min + 1);
    memset(out + low, '=', high - low + 1);
    out[min] = out[max] = '|';
    out[low] = '[';
    out[high] = ']';
    out[column_of(s->median, top, width)] = '+';
    out[max + 1] = '\0';
}
