/* SPDX-License-Identifier: MIT */
/* Operations on evaluated tables (a table with its results and measured errors) and on error curves
 * (evaluated_table.h). */
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
    sl_table_close(m->second);
    m->table = NULL;
    free(m->curve.point);
    sl_intervals_free(&m->intervals);
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

/* ---- error curves ---- */

bool sl_curve_add(struct sl_curve *curve, uint64_t events, double error)
{
    if (!SL_GROW(curve->point, curve->capacity, curve->n + 1))
        return false;
    if (curve->n && curve->point[curve->n - 1].events == events)
        curve->n--;
    curve->point[curve->n++] = (struct sl_curve_point){.events = events, .error = error};
    return true;
}

uint64_t sl_curve_below(const struct sl_curve *curve, double limit)
{
    size_t from = curve->n;
    while (from > 0 && curve->point[from - 1].error <= limit)
        from--;
    return from < curve->n ? curve->point[from].events : UINT64_MAX;
}
