/* SPDX-License-Identifier: MIT */
/* A profile's table with its results and measured errors (evaluated_table.h). */
#include "evaluated_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "resources.h"

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
    sl_curve_free(&m->curve);
    sl_overlaps_free(&m->overlaps);
    free(m->at_point);
    sl_intervals_free(&m->intervals);
}

/* CPU time, so that other processes make no table look slow. */
void sl_evaluated_table_observe(struct sl_evaluated_table *m, const struct sl_batch *batch)
{
    double before = sl_thread_seconds();
    sl_table_observe(m->table, batch);
    m->seconds += sl_thread_seconds() - before;
}

void sl_evaluated_table_conclude(struct sl_evaluated_table *m)
{
    switch (m->measure) {
    case SL_MEASURE_OVERLAP:
        m->has_error = m->overlap.exact_weight > 0;
        m->headline = 1 - m->overlap.overlap;
        break;
    case SL_MEASURE_RELATIVE:
        m->has_error = m->relative.tuples > 0;
        m->headline = m->relative.error;
        break;
    default:
        m->has_error = m->invariance.tuples > 0;
        m->headline = m->invariance.error;
    }
}

bool sl_evaluated_table_point(struct sl_evaluated_table *m, uint64_t events)
{
    struct sl_table_status status;
    sl_table_status(m->table, &status);
    if (!sl_curve_add(&m->curve, events, m->headline) ||
        !SL_GROW(m->at_point, m->at_point_capacity, m->curve.n))
        return false;
    m->at_point[m->curve.n - 1].sent = status.messages;
    m->at_point[m->curve.n - 1].invariance = m->invariance.error;
    return true;
}

static void add_error(struct sl_evaluated_table *m, const char *name, double value)
{
    m->error[m->n_errors++] = (struct sl_named_value){name, value};
}

/* If the run had only one window, its overlap is that of the whole run. */
static void name_dynamic(struct sl_evaluated_table *m)
{
    struct sl_overlap_mean mean = {.overlap = m->overlap.overlap, .coverage = m->overlap.coverage};
    if (!m->windowed)
        return;
    if (m->overlaps.n)
        sl_overlaps_mean(&m->overlaps, &mean);
    add_error(m, "overlap_dynamic", mean.overlap);
    add_error(m, "coverage_dynamic", mean.coverage);
    add_error(m, "windows", (double)(mean.full - mean.empty));
}

void sl_evaluated_table_name_errors(struct sl_evaluated_table *m)
{
    static const char *const classes[SL_CANDIDATE_CLASSES] = {
        [SL_FALSE_POSITIVE] = "false_positive",
        [SL_FALSE_NEGATIVE] = "false_negative",
        [SL_NEUTRAL_POSITIVE] = "neutral_positive",
        [SL_NEUTRAL_NEGATIVE] = "neutral_negative",
    };
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&m->intervals.errors, &mean);
    if (m->invariance.tuples)
        add_error(m, "invariance", m->invariance.error);
    if (m->measure == SL_MEASURE_RELATIVE && m->has_error)
        add_error(m, "relative", m->relative.error);
    add_error(m, "overlap", m->overlap.overlap);
    add_error(m, "coverage", m->overlap.coverage);
    name_dynamic(m);
    if (!mean.full)
        return;
    add_error(m, "interval", mean.error);
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++)
        add_error(m, classes[i], mean.part[i]);
    add_error(m, "false_positive_rate", mean.false_positive_rate);
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
