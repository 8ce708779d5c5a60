/* SPDX-License-Identifier: MIT */
/* Passes all measurements of a finished session to a callback, one by one (session_measurements.h).
 */
#include "session_measurements.h"

#include <math.h>
#include <string.h>

#include "machine_event.h"
#include "delivery.h"
#include "intervals.h"

/* ---- intervals ---- */

/* Reports the measurements of one profile. */
struct reporter {
    const struct sl_measurement_sink *to;
    size_t profile;
};

static void report_at(const struct reporter *t, const char *measure, double x, double value)
{
    t->to->report(t->to->context, t->profile, measure, NULL, x, value);
}

static void report(const struct reporter *t, const char *measure, double value)
{
    report_at(t, measure, NAN, value);
}

/* To keep databases small, errors of single intervals are left out if there are many, and changes
 * of the exact candidates are stored only for the first profile with the same interval length and
 * threshold. */
#define LONG_SERIES 250u

static void report_series(const struct reporter *t, const struct sl_interval_errors *errors,
                          bool change)
{
    for (size_t i = 0; i < errors->n; i++) {
        const struct sl_interval_error *e = &errors->interval[i];
        if (e->partial)
            continue;
        if (errors->n < LONG_SERIES)
            report_at(t, "series", (double)e->number, e->error);
        if (i && change)
            report_at(t, "change", (double)e->number, e->change);
    }
}

static bool same_option(const struct sl_profile *a, const struct sl_profile *b, const char *name)
{
    double x = sl_profile_option(a, name), y = sl_profile_option(b, name);
    return !(x < y) && !(x > y);
}

static bool has_new_candidates(const struct sl_session *s, size_t i)
{
    const struct sl_profile *p = &s->profile[i];
    for (size_t j = 0; j < i; j++) {
        const struct sl_profile *before = &s->profile[j];
        if (before->table.kind->intervals && same_option(p, before, "interval") &&
            same_option(p, before, "threshold") &&
            !strcmp(p->spec.detecting, before->spec.detecting))
            return false;
    }
    return true;
}

/* singlehash has no options for tables and conservative update. */
static double option_of(const struct sl_profile *p, const char *name)
{
    double value = sl_profile_option(p, name);
    return !isnan(value) ? value : !strcmp(name, "tables");
}

static void report_configuration(const struct reporter *t, const struct sl_profile *p)
{
    static const struct {
        const char *name, *option;
    } figure[] = {
        {"tables", "tables"},   {"counters", "counters"},   {"bits", "bits"},
        {"length", "interval"}, {"threshold", "threshold"}, {"conservative", "conservative"},
        {"reset", "reset"},     {"retain", "retain"},       {"seed", "seed"},
    };
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        report(t, figure[i].name, option_of(p, figure[i].option));
}

static void report_intervals(const struct reporter *t, const struct sl_session *s)
{
    const struct sl_profile *p = &s->profile[t->profile];
    const struct sl_intervals *intervals = &p->table.intervals;
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&intervals->errors, &mean);
    report_configuration(t, p);
    report(t, "intervals", (double)intervals->series.n);
    report(t, "full", (double)mean.full);
    report(t, "promotions-dropped", (double)intervals->drops);
    report(t, "bound",
           sl_false_positive_bound((unsigned)option_of(p, "tables"), option_of(p, "threshold"),
                                   (uint64_t)option_of(p, "counters")));
    if (mean.full) {
        report(t, "tuples", mean.distinct);
        report(t, "candidates", mean.candidates);
        report(t, "covered", mean.covered);
        report(t, "reported", mean.reported);
    }
    if (intervals->later.events) {
        report(t, "predicted",
               (double)intervals->later.predicted / (double)intervals->later.events);
        report(t, "new_candidates", (double)intervals->later.entered);
    }
    if (t->to->series)
        report_series(t, &intervals->errors, has_new_candidates(s, t->profile));
}

/* ---- all measurements ---- */

static void report_curve(const struct reporter *t, const struct sl_evaluated_table *m, bool sends)
{
    for (size_t i = 0; i < m->curve.n; i++) {
        double events = (double)m->curve.point[i].events;
        report_at(t, "curve", events, m->curve.point[i].error);
        if (sends)
            report_at(t, "sent", events, (double)m->curve.point[i].sent);
        if (m->by_instruction && m->measure != SL_MEASURE_INVARIANCE)
            report_at(t, "invariance", events, m->curve.point[i].invariance);
    }
}

static void report_profile(const struct reporter *t, const struct sl_session *s)
{
    const struct sl_profile *p = &s->profile[t->profile];
    const struct sl_evaluated_table *m = &p->table;
    struct sl_table_status status = sl_profile_status(p);
    for (size_t i = 0; i < m->n_errors; i++)
        report(t, m->error[i].name, m->error[i].value);
    report(t, "events", (double)status.events);
    report(t, "weight", (double)status.weight);
    report(t, "distinct", (double)status.distinct);
    report(t, "drops", (double)status.drops);
    report(t, "storage", (double)status.storage_bits);
    if (status.sends) {
        report(t, "messages", (double)status.messages);
        report(t, "interrupts", (double)status.interrupts);
    }
    if (sl_has_gaps(&status)) {
        report(t, "gap_min", (double)status.gap_min);
        report(t, "gap_median", (double)status.gap_median);
    }
    if (t->to->series)
        report_curve(t, m, status.sends);
    if (m->kind->intervals)
        report_intervals(t, s);
}

static void report_run(const struct reporter *t, const struct sl_session *s)
{
    const struct sl_machine *machine = s->machine;
    report(t, "instructions", (double)s->instructions);
    report(t, "blocks", (double)s->blocks);
    report(t, "loads", (double)s->loads);
    const uint64_t *total = machine ? sl_machine_totals(machine) : NULL;
    for (size_t i = 0; total && i < SL_MACHINE_TOTALS; i++)
        t->to->report(t->to->context, t->profile, "machine", sl_machine_event_names[i].name, NAN,
                      (double)total[i]);
    if (s->profiler.profile) {
        t->to->report(t->to->context, t->profile, "profiler", "branches", NAN,
                      (double)s->profiler.branches);
        t->to->report(t->to->context, t->profile, "profiler", "busy_cycles", NAN,
                      (double)s->profiler.cycles);
    }
}

void sl_session_measurements(const struct sl_session *s, const struct sl_measurement_sink *to)
{
    struct reporter t = {to, SL_MEASUREMENT_OF_RUN};
    report_run(&t, s);
    for (t.profile = 0; t.profile < s->n_profiles; t.profile++)
        report_profile(&t, s);
}
