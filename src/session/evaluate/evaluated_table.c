/* SPDX-License-Identifier: MIT */
/* Functions of evaluated tables, which are tables with their results and measured errors, and of
 * error curves (evaluated_table.h). */
#include "evaluated_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

/* Candidates of single intervals that are stored; further ones are only in the sums. */
#define CANDIDATES_KEPT 1000000u

int sl_evaluated_table_open(struct sl_evaluated_table *m, const struct sl_table_host *host,
                            struct sl_failure *f)
{
    struct sl_table_host with_intervals = *host;
    with_intervals.interval = sl_intervals_add;
    with_intervals.context = &m->intervals;
    m->intervals.memory_bytes = host->memory_bytes;
    m->intervals.series.directory = m->intervals.candidates.directory = host->spill_directory;
    m->intervals.on_disk.directory = host->spill_directory;
    m->intervals.candidates_max = m->repetition ? 0 : CANDIDATES_KEPT;
    return sl_table_create(&m->table, m->kind, m->config, &with_intervals, f);
}

void sl_evaluated_table_close(struct sl_evaluated_table *m)
{
    sl_table_close(m->table);
    m->table = NULL;
    free(m->curve.point);
    free(m->at_point);
    sl_intervals_free(&m->intervals);
}

void sl_evaluated_table_status(const struct sl_evaluated_table *m, struct sl_table_status *status)
{
    sl_table_status(m->table, status);
    if (m->kind->intervals && !status->note[0])
        sl_intervals_warning(&m->intervals, status->note, sizeof status->note);
}

double sl_evaluated_table_error(const struct sl_evaluated_table *m, const char *name)
{
    for (size_t i = 0; i < m->n_errors; i++)
        if (!strcmp(m->error[i].name, name))
            return m->error[i].value;
    return NAN;
}

bool sl_evaluated_table_each(const struct sl_evaluated_table *m, const struct sl_tuple_names *names,
                             bool (*emit)(void *context, const struct sl_entry *entry),
                             void *context)
{
    if (m->kind->intervals)
        return sl_intervals_each(&m->intervals, emit, context);
    sl_table_drain(m->table, names, emit, context);
    return true;
}

/* ---- repeated runs ---- */

/* Destination of the counts of one run. */
struct filling {
    struct sl_reading *reading;
    const struct sl_tuple_names *names;
    bool exact;
};

static bool fill(void *context, const struct sl_entry *entry)
{
    const struct filling *to = context;
    size_t i = 0;
    while (i < to->names->n && to->names->pc[i] != entry->tuple.pc)
        i++;
    if (i < to->names->n)
        *(to->exact ? &to->reading[i].exact : &to->reading[i].count) = entry->count;
    return true;
}

bool sl_readings_add(struct sl_readings *r, uint64_t run, const struct sl_evaluated_table *table,
                     const struct sl_table *exact, const struct sl_tuple_names *names)
{
    if (!SL_GROW(r->reading, r->capacity, r->n + names->n))
        return false;
    struct filling to = {r->reading + r->n, names, false};
    for (size_t i = 0; i < names->n; i++)
        r->reading[r->n++] = (struct sl_reading){.run = run, .number = i, .event = names->pc[i]};
    if (!sl_evaluated_table_each(table, names, fill, &to))
        return false;
    to.exact = true;
    sl_table_drain(exact, names, fill, &to);
    return true;
}

bool sl_readings_add_errors(struct sl_readings *r, uint64_t run,
                            const struct sl_evaluated_table *table)
{
    if (!SL_GROW(r->error, r->errors_capacity, r->n_errors + table->n_errors))
        return false;
    for (size_t i = 0; i < table->n_errors; i++)
        r->error[r->n_errors++] = (struct sl_run_error){run, table->error[i]};
    return true;
}

void sl_readings_free(struct sl_readings *r)
{
    free(r->reading);
    free(r->error);
    *r = (struct sl_readings){0};
}

/* ---- error curves ---- */

bool sl_curve_add(struct sl_curve *curve, uint64_t events, double error)
{
    if (!SL_GROW(curve->point, curve->capacity, curve->n + 1))
        return false;
    if (curve->n && curve->point[curve->n - 1].events == events)
        curve->n--;
    curve->point[curve->n++] = (struct sl_curve_point){events, error};
    return true;
}

uint64_t sl_curve_below(const struct sl_curve *curve, double limit)
{
    size_t from = curve->n;
    while (from > 0 && curve->point[from - 1].error <= limit)
        from--;
    return from < curve->n ? curve->point[from].events : UINT64_MAX;
}
