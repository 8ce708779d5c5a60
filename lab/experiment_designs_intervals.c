/* Designs within intervals: what multi-hash is made for, by tables that are not.
 *
 * Interval profilers report the candidates of each interval by themselves. Any other table can be
 * used likewise: it begins empty with the interval, and what it has counted the threshold or more
 * for at its end are its candidates. All are judged by the document's error (interval_error.h)
 * on the same intervals, and each gives software nothing but candidates, so that overheads are
 * alike as far as these are.
 *
 * The profiles of a step that know intervals come first, and are the session's; the events
 * that it has for them go to the others, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_designs.h"
#include "failure.h"
#include "grow.h"
#include "interval_error.h"
#include "interval_exact.h"
#include "placed.h"
#include "spec.h"

/* ---- what is compared -------------------------------------------------------------------- */

static const struct setting {
    const char *name, *options;
    uint64_t length, threshold;
    uint64_t intervals; /* at most */
    const char *profilers[4], *others[9];
} settings[] = {
    {"10K", "interval=10K,threshold=1%", 10000, 100, 1000,
     {"multihash(tables=4,reset=0,", "multihash(tables=4,reset=0,ways=4,",
      "multihash(tables=4,reset=0,ways=1,", "singlehash("},
     {"spacesaving(entries=324,counter=24)", "misragries(entries=376,counter=24)",
      "countmin(rows=4,columns=256,counter=24,entries=214)",
      "countmin(rows=4,columns=256,counter=24,entries=214,conservative=1)",
      "countsketch(rows=3,columns=256,counter=24,entries=254)",
      "heavykeeper(rows=2,columns=256,counter=24,entries=240)",
      "elastic(buckets=32,counter=24,light=2048)", "cocosketch(rows=2,columns=128,counter=24)",
      "hpt(256x4,counter=24)"}},
    {"1M", "interval=1M,threshold=0.1%", 1000000, 1000, UINT64_MAX,
     {"multihash(tables=2,reset=1,", "multihash(tables=2,reset=1,ways=4,",
      "multihash(tables=4,reset=0,", "singlehash("},
     {"spacesaving(entries=733,counter=24)", "misragries(entries=849,counter=24)",
      "countmin(rows=4,columns=512,counter=24,entries=526)",
      "countmin(rows=4,columns=512,counter=24,entries=526,conservative=1)",
      "countsketch(rows=3,columns=512,counter=24,entries=607)",
      "heavykeeper(rows=2,columns=512,counter=24,entries=579)",
      "elastic(buckets=64,counter=24,light=4096)", "cocosketch(rows=3,columns=256,counter=24)",
      "hpt(1024x4,counter=24)"}},
};

static lab_perform perform;

void lab_plan_intervals(struct lab *lab, const struct lab_program *program, const char *detector)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct setting *s = &settings[i];
        struct lab_step *step = lab_step(lab, program, "%s %s %s", program->name, detector, s->name);
        char label[160];
        for (size_t j = 0; j < sizeof s->profilers / sizeof *s->profilers; j++) {
            snprintf(label, sizeof label, "%s%s)", s->profilers[j], s->options);
            lab_profile(step, label, "%s@%s", detector, label);
        }
        for (size_t j = 0; j < sizeof s->others / sizeof *s->others; j++)
            lab_profile(step, s->others[j], "%s@%s", detector, s->others[j]);
        lab_by(step, perform, s->name);
    }
}

/* ---- tables that begin anew ---------------------------------------------------------------- */

struct other {
    struct sl_profile_spec spec;
    struct sl_placed placed;
    struct sl_interval_errors errors;
};

struct intervals {
    const struct setting *setting;
    struct other *other;
    size_t n;
    struct sl_interval_exact exact;
    uint64_t events, number; /* in the interval; which it is */
    struct sl_profile_list found;
    struct sl_entry *entry;
    size_t room_entries;
    int error; /* 0, or the first that there was, in: */
    struct sl_failure *f;
};

static int begin(struct intervals *all)
{
    static const struct sl_table_host host = {.memory_bytes = UINT64_C(1) << 28};
    int error = 0;
    for (size_t i = 0; i < all->n && error >= 0; i++) {
        struct other *o = &all->other[i];
        sl_placed_close(&o->placed);
        error = sl_placed_open(&o->placed, o->spec.table, o->spec.table_config, &host, all->f);
    }
    sl_interval_exact_clear(&all->exact);
    all->events = 0;
    return error;
}

/* Those of its entries that are candidates, by its own counts. */
static int report(struct intervals *all, struct other *o, const struct sl_names *names)
{
    struct sl_interval interval = {.number = all->number, .events = all->events,
                                   .weight = all->events, .threshold = all->setting->threshold};
    sl_profile_list_clear(&all->found);
    sl_table_drain(o->placed.table, names, sl_profile_list_add, &all->found);
    if (all->found.out_of_memory || !SL_GROW(all->entry, all->room_entries, all->found.n))
        return sl_fail(all->f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < all->found.n; i++)
        if (all->found.entry[i].count >= interval.threshold)
            all->entry[interval.n_entries++] =
                (struct sl_entry){.tuple = all->found.entry[i].tuple, .count = all->found.entry[i].count};
    interval.entry = all->entry;
    return sl_interval_errors_add(&o->errors, &interval, sl_interval_exact_list(&all->exact, names))
               ? 0
               : sl_fail(all->f, SL_ENOMEM, "out of memory");
}

static int end_interval(struct intervals *all, const struct sl_names *names)
{
    int error = 0;
    for (size_t i = 0; i < all->n && error >= 0; i++)
        error = report(all, &all->other[i], names);
    all->number++;
    return error < 0 ? error : begin(all);
}

/* Events weigh 1 here. */
static void observe(void *context, const struct sl_batch *batch)
{
    struct intervals *all = context;
    for (size_t at = 0; at < batch->n && all->error >= 0 && all->number < all->setting->intervals;) {
        uint64_t left = all->setting->length - all->events;
        size_t n = batch->n - at < left ? batch->n - at : (size_t)left;
        struct sl_batch part = *batch;
        part.n = n;
        part.number += at;
        part.value += batch->value ? at : 0;
        if (!sl_interval_exact_observe(&all->exact, &part))
            all->error = sl_fail(all->f, SL_ENOMEM, "out of memory");
        for (size_t i = 0; i < all->n; i++)
            sl_table_observe(all->other[i].placed.table, &part);
        all->events += n;
        at += n;
        if (all->error >= 0 && all->events == all->setting->length)
            all->error = end_interval(all, batch->names);
    }
}

/* ---- a step -------------------------------------------------------------------------------- */

static int open_others(struct intervals *all, const struct lab_step *step, size_t first)
{
    int error = 0;
    all->n = 0;
    if (!(all->other = calloc(step->n_profiles - first + 1, sizeof *all->other)))
        return sl_fail(all->f, SL_ENOMEM, "out of memory");
    for (size_t i = first; i < step->n_profiles && error >= 0; i++)
        error = sl_profile_spec_parse(&all->other[all->n++].spec, step->profile[i].spec, all->f);
    return error < 0 ? error : begin(all);
}

static void close_all(struct intervals *all)
{
    for (size_t i = 0; i < all->n; i++) {
        sl_placed_close(&all->other[i].placed);
        sl_interval_errors_free(&all->other[i].errors);
        sl_profile_spec_free(&all->other[i].spec);
    }
    sl_interval_exact_free(&all->exact);
    sl_profile_list_free(&all->found);
    free(all->entry);
    free(all->other);
}

static void tell_others(const struct intervals *all, const struct lab_step *step, size_t first,
                        struct sl_job_figures *results)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_profile_spec *spec = &all->other[i].spec;
        const char *label = step->profile[first + i].label;
        struct sl_interval_mean mean;
        sl_interval_errors_mean(&all->other[i].errors, &mean);
        lab_figure(results, label, "interval", NAN, mean.full ? mean.error : NAN);
        lab_figure(results, label, "reported", NAN, mean.reported);
        lab_figure(results, label, "candidates", NAN, mean.candidates);
        lab_figure(results, label, "full", NAN, (double)mean.full);
        lab_figure(results, label, "storage", NAN, (double)spec->table->storage_bits(spec->table_config));
    }
}

static int run(struct intervals *all, const struct lab_step *step, size_t first,
               struct sl_job_figures *results)
{
    const char *spec[sizeof settings->profilers / sizeof *settings->profilers];
    struct lab_step profilers = *step;
    struct sl_session_config config = {.spec = spec, .n_specs = first, .exact = true,
                                       .window = UINT64_MAX, .observe = observe,
                                       .observe_context = all};
    struct sl_session *session;
    struct sl_source *source = NULL;
    profilers.n_profiles = first;
    for (size_t i = 0; i < first; i++)
        spec[i] = step->profile[i].spec;
    int error = sl_session_open(&session, &config, all->f);
    if (error < 0)
        return error;
    if ((error = sl_source_open(&source, step->trace, all->f)) >= 0)
        error = sl_session_run(session, source, NULL, NULL, all->f);
    error = error < 0 ? error : all->error;
    if (error >= 0) {
        lab_tell(&profilers, session, results);
        tell_others(all, step, first, results);
    }
    sl_session_close(session);
    if (source)
        sl_source_close(source);
    return error;
}

static int perform(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    size_t which = 0, first = sizeof settings->profilers / sizeof *settings->profilers;
    while (strcmp(settings[which].name, step->argument))
        which++;
    struct intervals all = {.setting = &settings[which], .f = f};
    int error = open_others(&all, step, first);
    if (error >= 0)
        error = run(&all, step, first, results);
    close_all(&all);
    return error;
}
