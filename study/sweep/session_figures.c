/* SPDX-License-Identifier: MIT */
#include "session_figures.h"

#include <math.h>
#include <string.h>

#include "machine_event.h"
#include "delivery.h"
#include "interval_error.h"

/* ---- intervals ---- */

/* One profile's figures. */
struct teller {
    const struct sl_figures_to *to;
    size_t profile;
};

static void tell_at(const struct teller *t, const char *measure, double x, double value)
{
    t->to->tell(t->to->context, t->profile, measure, NULL, x, value);
}

static void tell(const struct teller *t, const char *measure, double value)
{
    tell_at(t, measure, NAN, value);
}

/* Errors of short intervals are not kept, and how the exact candidates change only with the
 * first that has their length and threshold: they would be most of a database. */
#define LONG_SERIES 250u

static void tell_series(const struct teller *t, const struct sl_interval_errors *errors,
                        bool change)
{
    for (size_t i = 0; i < errors->n; i++) {
        const struct sl_interval_error *e = &errors->interval[i];
        if (e->partial)
            continue;
        if (errors->n < LONG_SERIES)
            tell_at(t, "series", (double)e->number, e->error);
        if (i && change)
            tell_at(t, "change", (double)e->number, sl_candidates_changed(&e->exact_change));
    }
}

static bool same_option(const struct sl_profile *a, const struct sl_profile *b, const char *name)
{
    double x = sl_profile_option(a, name), y = sl_profile_option(b, name);
    return !(x < y) && !(x > y);
}

static bool has_new_candidates(const struct sl_session *s, size_t i)
{
    const struct sl_profile *p = sl_session_profile(s, i);
    for (size_t j = 0; j < i; j++) {
        const struct sl_profile *before = sl_session_profile(s, j);
        if (sl_profile_table(before)->kind->intervals && same_option(p, before, "interval") &&
            same_option(p, before, "threshold") &&
            !strcmp(sl_profile_asked(p)->detecting, sl_profile_asked(before)->detecting))
            return false;
    }
    return true;
}

/* Single-hash has neither tables nor conservative update to choose. */
static double option_of(const struct sl_profile *p, const char *name)
{
    double value = sl_profile_option(p, name);
    return !isnan(value) ? value : !strcmp(name, "tables");
}

static void tell_configuration(const struct teller *t, const struct sl_profile *p)
{
    static const struct {
        const char *name, *option;
    } figure[] = {
        {"tables", "tables"},   {"counters", "counters"},   {"bits", "bits"},
        {"length", "interval"}, {"threshold", "threshold"}, {"conservative", "conservative"},
        {"reset", "reset"},     {"retain", "retain"},       {"seed", "seed"},
    };
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        tell(t, figure[i].name, option_of(p, figure[i].option));
}

static void tell_intervals(const struct teller *t, const struct sl_session *s)
{
    const struct sl_profile *p = sl_session_profile(s, t->profile);
    const struct sl_intervals *intervals = &sl_profile_table(p)->intervals;
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&intervals->errors, &mean);
    tell_configuration(t, p);
    tell(t, "intervals", (double)intervals->series.n);
    tell(t, "full", (double)mean.full);
    tell(t, "promotions-dropped", (double)intervals->drops);
    tell(t, "bound",
         sl_false_positive_bound((unsigned)option_of(p, "tables"), option_of(p, "threshold"),
                                 (uint64_t)option_of(p, "counters")));
    if (mean.full) {
        tell(t, "tuples", mean.distinct);
        tell(t, "candidates", mean.candidates);
        tell(t, "covered", mean.covered);
        tell(t, "reported", mean.reported);
    }
    if (intervals->later.events) {
        tell(t, "foretold", (double)intervals->later.foretold / (double)intervals->later.events);
        tell(t, "entered", (double)intervals->later.entered);
    }
    if (t->to->series)
        tell_series(t, &intervals->errors, has_new_candidates(s, t->profile));
}

/* ---- all of it ---- */

static void tell_curve(const struct teller *t, const struct sl_evaluated_table *m, bool sends)
{
    for (size_t i = 0; i < m->curve.n; i++) {
        double events = (double)m->curve.point[i].events;
        tell_at(t, "curve", events, m->curve.point[i].error);
        if (sends)
            tell_at(t, "sent", events, (double)m->at_point[i].sent);
        if (m->by_instruction && m->measure != SL_MEASURE_INVARIANCE)
            tell_at(t, "invariance", events, m->at_point[i].invariance);
    }
}

static void tell_profile(const struct teller *t, const struct sl_session *s)
{
    const struct sl_profile *p = sl_session_profile(s, t->profile);
    const struct sl_evaluated_table *m = sl_profile_table(p);
    struct sl_table_status status = sl_profile_status(p);
    for (size_t i = 0; i < m->n_errors; i++)
        tell(t, m->error[i].name, m->error[i].value);
    tell(t, "events", (double)status.events);
    tell(t, "weight", (double)status.weight);
    tell(t, "distinct", (double)status.distinct);
    tell(t, "drops", (double)status.drops);
    tell(t, "storage", (double)status.storage_bits);
    if (status.sends) {
        tell(t, "messages", (double)status.messages);
        tell(t, "interrupts", (double)status.interrupts);
    }
    if (sl_has_gaps(&status)) {
        tell(t, "gap_min", (double)status.gap_min);
        tell(t, "gap_median", (double)status.gap_median);
    }
    if (t->to->series)
        tell_curve(t, m, status.sends);
    if (m->kind->intervals)
        tell_intervals(t, s);
}

static void tell_run(const struct teller *t, const struct sl_session *s)
{
    struct sl_run_totals run = sl_session_totals(s);
    const struct sl_machine *machine = sl_session_machine(s);
    tell(t, "instructions", (double)run.instructions);
    tell(t, "blocks", (double)run.blocks);
    tell(t, "loads", (double)run.loads);
    const uint64_t *total = machine ? sl_machine_totals(machine) : NULL;
    for (size_t i = 0; total && i < SL_MACHINE_TOTALS; i++)
        t->to->tell(t->to->context, t->profile, "machine", sl_machine_event_names[i].name, NAN,
                    (double)total[i]);
    uint64_t branches, work;
    if (sl_session_profiler_work(s, &branches, &work)) {
        t->to->tell(t->to->context, t->profile, "profiler", "branches", NAN, (double)branches);
        t->to->tell(t->to->context, t->profile, "profiler", "work", NAN, (double)work);
    }
}

void sl_session_figures(const struct sl_session *s, const struct sl_figures_to *to)
{
    struct teller t = {to, SL_FIGURES_RUN};
    tell_run(&t, s);
    for (t.profile = 0; t.profile < sl_session_profiles(s); t.profile++)
        tell_profile(&t, s);
}
