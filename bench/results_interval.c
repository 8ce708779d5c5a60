/* What interval profilers make of one stream, as rows for a database.
 *
 *     build/bench/results_interval STREAM SPEC...
 *     build/bench/results_interval -b
 *
 * Each SPEC is a profile whose table works by intervals. All go over the stream in one
 * pass, with the exact profile of every interval beside them, as `sluice replay --exact`
 * does it; this prints all that was measured, also what the database of a run does not
 * have: distinct tuples, the exact candidates, how they change. Columns are separated by
 * tabs, "" is what there is none of:
 *
 *     profile   what is configured, then the means over the full intervals, for each SPEC
 *     interval  the series of intervals: of all SPECs with at least a million events in one,
 *               of the shorter ones the first with its detector, length and threshold
 *     bound     with -b: the bound on false positives, by counters in all and tables
 *
 * "foretold" is what a profile is for that is used while the program runs: the share of
 * all events behind the first interval that were of tuples reported for the interval
 * before, and again for their own. "entered" counts what was reported and had not been
 * in the interval before: what a user of the profile has to act on. */
#include <stdlib.h>
#include <string.h>

#include "interval_error.h"
#include "interval_table.h"
#include "session.h"

#define BOUND_TABLES 16u

/* ---- candidates from one interval to the next -------------------------------- */

struct following {
    uint64_t events;   /* behind the first interval */
    uint64_t foretold; /* of these */
    uint64_t entered;  /* candidates, also behind the first */
};

/* Candidates come by interval; those of each are few. */
static const struct sl_result_candidate *next_interval(const struct sl_result_candidate *at,
                                                       const struct sl_result_candidate *end)
{
    const struct sl_result_candidate *next = at;
    while (next < end && next->interval == at->interval)
        next++;
    return next;
}

static bool among(const struct sl_result_candidate *low, const struct sl_result_candidate *high,
                  struct sl_tuple tuple)
{
    while (low < high && sl_tuple_order(low->entry.tuple, tuple))
        low++;
    return low < high;
}

static struct following follow(const struct sl_intervals *all)
{
    const struct sl_result_candidate *end = all->candidate + all->n_candidates;
    const struct sl_result_candidate *before = all->candidate, *at = before;
    struct following sum = {0};
    for (size_t i = 1; i < all->n; i++) {
        sum.events += all->series[i].events;
        sum.entered += all->series[i].entered;
    }
    for (const struct sl_result_candidate *next; at < end; before = at, at = next) {
        next = next_interval(at, end);
        bool in_a_row = before < at && before->interval + 1 == at->interval;
        for (const struct sl_result_candidate *c = at; in_a_row && c < next; c++)
            if (among(before, at, c->entry.tuple))
                sum.foretold += c->entry.count;
    }
    return sum;
}

/* ---- rows --------------------------------------------------------------------- */

static void print_configuration(const struct sl_keep *keep)
{
    const struct sl_interval_config *c = keep->spec->table_config;
    printf("\t%s\t%llu\t%llu\t%llu\t%llu\t%g\t%d\t%d\t%d\t%d", keep->spec->detector[0].kind->name,
           (unsigned long long)c->tables, (unsigned long long)c->counters,
           (unsigned long long)c->bits, (unsigned long long)c->interval, c->threshold,
           c->conservative, c->reset, c->retain, c->adapt);
}

static void print_profile(const struct sl_keep *keep)
{
    const struct sl_interval_config *c = keep->spec->table_config;
    struct following following = follow(&keep->intervals);
    struct sl_table_status status;
    struct sl_interval_mean mean;
    uint64_t drops = 0;
    sl_table_status(keep->table, &status);
    sl_interval_errors_mean(&keep->intervals.errors, &mean);
    for (size_t i = 0; i < keep->intervals.n; i++)
        drops += keep->intervals.series[i].drops;
    printf("profile");
    print_configuration(keep);
    printf("\t%llu\t%.9g\t%llu\t%llu\t%llu", (unsigned long long)status.storage_bits,
           sl_false_positive_bound((unsigned)c->tables, c->threshold, c->counters),
           (unsigned long long)status.events, (unsigned long long)mean.full,
           (unsigned long long)drops);
    if (mean.full)
        printf("\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g", mean.error,
               mean.part[SL_FALSE_POSITIVE], mean.part[SL_FALSE_NEGATIVE],
               mean.part[SL_NEUTRAL_POSITIVE], mean.part[SL_NEUTRAL_NEGATIVE],
               mean.false_positive_rate, mean.distinct, mean.candidates, mean.reported);
    else
        printf("\t\t\t\t\t\t\t\t\t");
    if (following.events)
        printf("\t%.9g\t%llu\n", (double)following.foretold / (double)following.events,
               (unsigned long long)following.entered);
    else
        printf("\t\t\n");
}

static void print_series(const struct sl_keep *keep)
{
    const struct sl_interval_errors *errors = &keep->intervals.errors;
    for (size_t i = 0; i < errors->n; i++) {
        const struct sl_interval_error *e = &errors->interval[i];
        if (e->partial)
            continue;
        printf("interval");
        print_configuration(keep);
        printf("\t%llu\t%.9g\t%llu\t", (unsigned long long)e->number, e->error,
               (unsigned long long)e->candidates);
        if (i)
            printf("%.9g", sl_candidates_changed(&e->exact_change));
        printf("\n");
    }
}

/* Exact candidates are the same in all series of one length and threshold, and those of
 * short intervals would be most of the output. */
static bool wants_series(const struct sl_session *s, size_t i)
{
    const struct sl_interval_config *c = s->spec[i].table_config;
    for (size_t j = 0; j < i; j++) {
        const struct sl_interval_config *d = s->spec[j].table_config;
        if (c->interval == d->interval && c->threshold_units == d->threshold_units &&
            s->spec[i].detector[0].kind == s->spec[j].detector[0].kind)
            return c->interval >= 1000000;
    }
    return !c->adapt;
}

static void print_bounds(void)
{
    for (uint64_t counters = 500; counters <= 4000; counters *= 2)
        for (unsigned tables = 1; tables <= BOUND_TABLES; tables++)
            printf("bound\t%llu\t%u\t%.9g\n", (unsigned long long)counters, tables,
                   sl_false_positive_bound(tables, 1, counters));
}

/* ---- the pass ------------------------------------------------------------------- */

static int measure(const char *stream, const char *const *specs, size_t n, struct sl_failure *f)
{
    struct sl_session_config config = {.spec = specs, .n_specs = n, .exact = true};
    struct sl_session *session;
    struct sl_source *source;
    int error = sl_session_open(&session, &config, f);
    if (error < 0)
        return error;
    for (size_t i = 0; i < n && !error; i++)
        if (!session->spec[i].table->cut) {
            snprintf(f->text, sizeof f->text, "%s does not work by intervals", specs[i]);
            error = SL_EUSAGE;
        }
    if (!error)
        error = sl_source_open(&source, stream, f);
    if (!error) {
        error = sl_session_run(session, source, NULL, NULL, f);
        sl_source_close(source);
    }
    for (size_t i = 0; i < n && !error; i++) {
        print_profile(&session->profile[i]);
        if (wants_series(session, i))
            print_series(&session->profile[i]);
    }
    sl_session_close(session);
    return error;
}

int main(int argc, char **argv)
{
    struct sl_failure f = {0};
    if (argc == 2 && !strcmp(argv[1], "-b")) {
        print_bounds();
        return 0;
    }
    if (argc < 3) {
        fprintf(stderr, "usage: results_interval STREAM SPEC...\n"
                        "       results_interval -b\n");
        return 2;
    }
    int error = measure(argv[1], (const char *const *)argv + 2, (size_t)argc - 2, &f);
    if (error < 0)
        fprintf(stderr, "results_interval: %s\n", f.text);
    return error < 0;
}
