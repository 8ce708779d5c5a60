/* SPDX-License-Identifier: MIT */
#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "resources.h"

/* Candidates of single intervals that are kept; all are in the sums. */
#define CANDIDATES_KEPT 1000000u

int sl_measured_open(struct sl_measured *m, const struct sl_table_host *host, struct sl_failure *f)
{
    struct sl_table_host with_intervals = *host;
    with_intervals.interval = sl_intervals_add;
    with_intervals.context = &m->intervals;
    m->intervals.memory_bytes = host->memory_bytes;
    m->intervals.series.directory = m->intervals.candidates.directory = host->spill_directory;
    m->intervals.settled.directory = host->spill_directory;
    m->intervals.candidates_max = m->repetition ? 0 : CANDIDATES_KEPT;
    return sl_table_create(&m->table, m->kind, m->config, &with_intervals, f);
}

void sl_measured_close(struct sl_measured *m)
{
    sl_table_close(m->table);
    m->table = NULL;
    sl_curve_free(&m->curve);
    sl_overlaps_free(&m->overlaps);
    free(m->beside);
    sl_intervals_free(&m->intervals);
}

/* By the processor's time, so that what else the machine does makes no table slow. */
void sl_measured_observe(struct sl_measured *m, const struct sl_batch *batch)
{
    double before = sl_thread_seconds();
    sl_table_observe(m->table, batch);
    m->seconds += sl_thread_seconds() - before;
}

void sl_measured_conclude(struct sl_measured *m)
{
    switch (m->measure) {
    case SL_MEASURE_OVERLAP:
        m->judged = m->overlap.exact_weight > 0;
        m->headline = 1 - m->overlap.overlap;
        break;
    case SL_MEASURE_RELATIVE:
        m->judged = m->relative.tuples > 0;
        m->headline = m->relative.error;
        break;
    default:
        m->judged = m->invariance.tuples > 0;
        m->headline = m->invariance.error;
    }
}

bool sl_measured_point(struct sl_measured *m, uint64_t events)
{
    struct sl_table_status status;
    sl_table_status(m->table, &status);
    if (!sl_curve_add(&m->curve, events, m->headline) ||
        !SL_GROW(m->beside, m->room_beside, m->curve.n))
        return false;
    m->beside[m->curve.n - 1].sent = status.messages;
    m->beside[m->curve.n - 1].invariance = m->invariance.error;
    return true;
}

static void add_error(struct sl_measured *m, const char *name, double value)
{
    m->error[m->n_errors++] = (struct sl_figure){name, value};
}

/* A run of one window is as good in it as in all. */
static void name_dynamic(struct sl_measured *m)
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

void sl_measured_name_errors(struct sl_measured *m)
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
    if (m->measure == SL_MEASURE_RELATIVE && m->judged)
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

void sl_measured_status(const struct sl_measured *m, struct sl_table_status *status)
{
    sl_table_status(m->table, status);
    if (m->kind->intervals && !status->note[0])
        sl_intervals_note(&m->intervals, status->note, sizeof status->note);
}

double sl_measured_error(const struct sl_measured *m, const char *name)
{
    for (size_t i = 0; i < m->n_errors; i++)
        if (!strcmp(m->error[i].name, name))
            return m->error[i].value;
    return NAN;
}

bool sl_measured_each(const struct sl_measured *m, const struct sl_names *names,
                      bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    if (m->kind->intervals)
        return sl_intervals_each(&m->intervals, emit, context);
    sl_table_drain(m->table, names, emit, context);
    return true;
}
