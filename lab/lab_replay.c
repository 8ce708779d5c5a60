/* The usual step: a program's stream through the step's profiles, with the exact profile
 * beside each. Figures that it leaves, by profile:
 *
 *     every error by its name          invariance overlap coverage interval false_positive ...
 *     events weight distinct drops     of the table, at the end
 *     storage                          bits
 *     messages interrupts              of one that tells software
 *     gap_min gap_median               events between two of these
 *     curve (x: events)                the invariance error as it evolved
 *     sent (x: events)                 the messages likewise
 *
 * and of a table that works by intervals
 *
 *     tables counters bits length threshold conservative reset retain adapt seed
 *                                      as it is configured; the threshold in %
 *     intervals full                   how many, and how many were not cut short
 *     tuples candidates covered        means over the full ones: distinct tuples, exact
 *     reported                         candidates and their share of the events, candidates
 *                                      of the profile
 *     bound                            on the rate of false positives
 *     foretold entered                 share of the events behind the first interval that were
 *                                      of tuples reported for the interval before, and again
 *                                      for their own; what was reported and had not been in
 *                                      the interval before
 *     series (x: interval)             error of each full interval
 *     change (x: interval)             share of the exact candidates of it or the one before
 *                                      that are in one of them only
 *
 * and under the label "": instructions, blocks, loads, and every count of the machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "happening.h"
#include "interval_error.h"
#include "lab.h"
#include "overhead.h"
#include "outcome.h"

/* Points of a curve for each doubling of the events: between two of them the exact profile
 * grows by a sixteenth at most, and its errors move as little. */
#define CURVE_POINTS 16u

/* That a table may grow to, an exact one above all: what it would have to drop makes every
 * error wrong. */
#define TABLE_BYTES (UINT64_C(4) << 30)

static int check_exact(const struct sl_session *s, struct sl_failure *f)
{
    uint64_t drops = sl_session_exact_drops(s);
    return drops ? sl_fail(f, SL_ENOMEM, "there was no room for %llu events in an exact profile",
                           (unsigned long long)drops)
                 : 0;
}

int lab_session_of(const struct lab_step *step, bool exact, struct sl_session **session,
                      struct sl_source **source, struct sl_failure *f)
{
    const char **spec = calloc(step->n_profiles + 1, sizeof *spec);
    struct sl_session_config config = {.spec = spec,
                                       .n_specs = step->n_profiles,
                                       .machine = step->machine,
                                       .exact = exact,
                                       .memory_bytes = 2 * step->n_profiles * TABLE_BYTES,
                                       .every = step->every,
                                       .curve_points = CURVE_POINTS,
                                       .window = step->window ? step->window : UINT64_MAX};
    if (!spec)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < step->n_profiles; i++)
        spec[i] = step->profile[i].spec;
    int error = sl_session_open(session, &config, f);
    if (error >= 0) {
        *source = NULL;
        error = sl_source_open(source, step->trace, f);
        if (error >= 0)
            error = sl_session_run(*session, *source, NULL, NULL, f);
        if (error >= 0)
            error = check_exact(*session, f);
        if (error < 0)
            sl_session_close(*session);
        if (error < 0 && *source)
            sl_source_close(*source);
    }
    free(spec);
    return error;
}

int lab_session(const struct lab_step *step, bool exact, struct sl_session **session,
                   struct sl_failure *f)
{
    struct sl_source *source;
    int error = lab_session_of(step, exact, session, &source, f);
    if (error >= 0)
        sl_source_close(source);
    return error;
}

/* ---- intervals ------------------------------------------------------------------------ */

struct following {
    uint64_t events;   /* behind the first interval */
    uint64_t foretold; /* of these */
    uint64_t entered;  /* candidates, also behind the first */
};

/* Candidates come by interval; those of each are few. */
static const struct sl_interval_candidate *next_interval(const struct sl_interval_candidate *at,
                                                       const struct sl_interval_candidate *end)
{
    const struct sl_interval_candidate *next = at;
    while (next < end && next->interval == at->interval)
        next++;
    return next;
}

static bool among(const struct sl_interval_candidate *low, const struct sl_interval_candidate *high,
                  struct sl_tuple tuple)
{
    while (low < high && sl_tuple_order(low->entry.tuple, tuple))
        low++;
    return low < high;
}

static struct following follow(const struct sl_intervals *all)
{
    const struct sl_interval_candidate *end = all->candidate + all->n_candidates;
    const struct sl_interval_candidate *before = all->candidate, *at = before;
    struct following sum = {0};
    for (size_t i = 1; i < all->n; i++) {
        sum.events += all->series[i].events;
        sum.entered += all->series[i].entered;
    }
    for (const struct sl_interval_candidate *next; at < end; before = at, at = next) {
        next = next_interval(at, end);
        bool in_a_row = before < at && before->interval + 1 == at->interval;
        for (const struct sl_interval_candidate *c = at; in_a_row && c < next; c++)
            if (among(before, at, c->entry.tuple))
                sum.foretold += c->entry.count;
    }
    return sum;
}

/* Errors of short intervals are not kept, and how the exact candidates change only with the
 * first that has their length and threshold: they would be most of the database. */
#define LONG_SERIES 250u

static void tell_series(const struct sl_interval_errors *errors, const char *label, bool change,
                        struct lab_results *results)
{
    for (size_t i = 0; i < errors->n; i++) {
        const struct sl_interval_error *e = &errors->interval[i];
        if (e->partial)
            continue;
        if (errors->n < LONG_SERIES)
            lab_figure(results, label, "series", (double)e->number, e->error);
        if (i && change)
            lab_figure(results, label, "change", (double)e->number,
                          sl_candidates_changed(&e->exact_change));
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
        if (sl_profile_measured(before)->kind->cut && same_option(p, before, "interval") &&
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

static void tell_configuration(const struct sl_profile *p, const char *label,
                               struct lab_results *results)
{
    static const struct {
        const char *name, *option;
    } figure[] = {
        {"tables", "tables"}, {"counters", "counters"}, {"bits", "bits"},
        {"length", "interval"}, {"threshold", "threshold"}, {"conservative", "conservative"},
        {"reset", "reset"}, {"retain", "retain"}, {"adapt", "adapt"}, {"seed", "seed"},
    };
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        lab_figure(results, label, figure[i].name, NAN, option_of(p, figure[i].option));
}

static void tell_intervals(const struct sl_session *s, size_t which, const char *label,
                           struct lab_results *results)
{
    const struct sl_profile *p = sl_session_profile(s, which);
    const struct sl_intervals *intervals = &sl_profile_measured(p)->intervals;
    struct following following = follow(intervals);
    struct sl_interval_mean mean;
    uint64_t drops = 0;
    sl_interval_errors_mean(&intervals->errors, &mean);
    for (size_t i = 0; i < intervals->n; i++)
        drops += intervals->series[i].drops;
    tell_configuration(p, label, results);
    lab_figure(results, label, "intervals", NAN, (double)intervals->n);
    lab_figure(results, label, "full", NAN, (double)mean.full);
    lab_figure(results, label, "promotions-dropped", NAN, (double)drops);
    lab_figure(results, label, "bound", NAN,
                  sl_false_positive_bound((unsigned)option_of(p, "tables"),
                                          option_of(p, "threshold"),
                                          (uint64_t)option_of(p, "counters")));
    if (mean.full) {
        lab_figure(results, label, "tuples", NAN, mean.distinct);
        lab_figure(results, label, "candidates", NAN, mean.candidates);
        lab_figure(results, label, "covered", NAN, mean.covered);
        lab_figure(results, label, "reported", NAN, mean.reported);
    }
    if (following.events) {
        lab_figure(results, label, "foretold", NAN,
                      (double)following.foretold / (double)following.events);
        lab_figure(results, label, "entered", NAN, (double)following.entered);
    }
    tell_series(&intervals->errors, label, has_new_candidates(s, which), results);
}

/* ---- all of it -------------------------------------------------------------------------- */

static void tell_profile(const struct sl_session *s, size_t which, const char *label,
                         struct lab_results *results)
{
    const struct sl_profile *p = sl_session_profile(s, which);
    const struct sl_measured *m = sl_profile_measured(p);
    struct sl_table_status status = sl_profile_status(p);
    for (size_t i = 0; i < m->n_errors; i++)
        lab_figure(results, label, m->error[i].name, NAN, m->error[i].value);
    lab_figure(results, label, "events", NAN, (double)status.events);
    lab_figure(results, label, "weight", NAN, (double)status.weight);
    lab_figure(results, label, "distinct", NAN, (double)status.distinct);
    lab_figure(results, label, "drops", NAN, (double)status.drops);
    lab_figure(results, label, "storage", NAN, (double)status.storage_bits);
    if (status.sends) {
        lab_figure(results, label, "messages", NAN, (double)status.messages);
        lab_figure(results, label, "interrupts", NAN, (double)status.interrupts);
    }
    if (sl_has_gaps(&status)) {
        lab_figure(results, label, "gap_min", NAN, (double)status.gap_min);
        lab_figure(results, label, "gap_median", NAN, (double)status.gap_median);
    }
    for (size_t i = 0; i < m->curve.n; i++) {
        double events = (double)m->curve.point[i].events;
        lab_figure(results, label, "curve", events, m->curve.point[i].error);
        if (status.sends)
            lab_figure(results, label, "sent", events, (double)m->sent[i]);
    }
    if (m->kind->cut)
        tell_intervals(s, which, label, results);
}

static void tell_run(const struct sl_session *s, struct lab_results *results)
{
    struct sl_run_totals run = sl_session_totals(s);
    const struct sl_machine *machine = sl_session_machine(s);
    lab_figure(results, "", "instructions", NAN, (double)run.instructions);
    lab_figure(results, "", "blocks", NAN, (double)run.blocks);
    lab_figure(results, "", "loads", NAN, (double)run.loads);
    const uint64_t *total = machine ? sl_machine_totals(machine) : NULL;
    for (size_t i = 0; total && i < SL_H_TOTALS; i++)
        lab_figure_of(results, "", "machine", sl_happening_names[i].name,
                         (double)total[i]);
}

void lab_tell(const struct lab_step *step, const struct sl_session *session,
                 struct lab_results *results)
{
    tell_run(session, results);
    for (size_t i = 0; i < step->n_profiles; i++)
        tell_profile(session, i, step->profile[i].label, results);
}

int lab_replay(const struct lab_step *step, struct lab_results *results,
                  struct sl_failure *f)
{
    struct sl_session *session;
    int error = lab_session(step, true, &session, f);
    if (error < 0)
        return error;
    lab_tell(step, session, results);
    sl_session_close(session);
    return 0;
}
