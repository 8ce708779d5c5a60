/* SPDX-License-Identifier: MIT */
/* Experiment `designs` of `sluice lab`, part `intervals`: uses tables of all kinds as interval
 * profilers and compares them with singlehash and multihash, the interval profilers of the paper
 * "Catching Accurate Profiles in Hardware".
 *
 * Interval profilers report the candidates of each interval. Any other table can do the same: it is
 * empty at the start of each interval, and the tuples that it has counted at least `threshold`
 * times at the end are its candidates. All tables get the same intervals and the interval error of
 * the paper (interval_error.c). Each reports only candidates to software, so their overheads are
 * comparable.
 *
 * The first profiles of a step are the interval profilers. They belong to the session; an observer
 * passes the session's events to the other tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "intervals.h"
#include "lab_experiments.h"
#include "table.h"
#include "spec.h"

/* ---- settings ---- */

#define PROFILERS 4u /* number of interval profilers, the first profiles of a step */

static const struct setting {
    const char *name; /* the step's argument */
    uint64_t length, threshold;
    uint64_t intervals; /* largest number to measure */
} settings[] = {{"10K", 10000, 100, 1000}, {"1M", 1000000, 1000, UINT64_MAX}};

/* ---- tables that start empty with each interval ---- */

struct other {
    struct sl_profile_spec spec;
    struct sl_table *table; /* NULL: not open */
    struct sl_interval_errors errors;
};

struct intervals {
    const struct setting *setting;
    struct other *other;
    size_t n;
    struct sl_interval_exact exact;
    uint64_t events, number; /* in the current interval; index of that interval */
    struct sl_profile_list found;
    struct sl_entry *entry;
    size_t entries_capacity;
    int error;            /* the first error; 0: none */
    struct sl_failure *f; /* its message */
};

static int begin(struct intervals *all)
{
    static const struct sl_table_host host = {.memory_bytes = UINT64_C(1) << 28};
    int error = 0;
    for (size_t i = 0; i < all->n && error >= 0; i++) {
        struct other *o = &all->other[i];
        sl_table_close(o->table);
        error = sl_table_create(&o->table, o->spec.table, o->spec.table_config, &host, all->f);
    }
    sl_interval_exact_clear(&all->exact);
    all->events = 0;
    return error;
}

/* Adds the error of one table, whose candidates are its entries with a count from the threshold. */
static int add_error(struct intervals *all, struct other *o, const struct sl_tuple_names *names)
{
    struct sl_interval interval = {.number = all->number,
                                   .events = all->events,
                                   .weight = all->events,
                                   .threshold = all->setting->threshold};
    sl_profile_list_clear(&all->found);
    sl_table_drain(o->table, names, sl_profile_list_add, &all->found);
    if (all->found.out_of_memory || !SL_GROW(all->entry, all->entries_capacity, all->found.n))
        return sl_out_of_memory(all->f);
    for (size_t i = 0; i < all->found.n; i++)
        if (all->found.entry[i].count >= interval.threshold)
            all->entry[interval.n_entries++] = (struct sl_entry){
                .tuple = all->found.entry[i].tuple, .count = all->found.entry[i].count};
    interval.entry = all->entry;
    return sl_interval_errors_add(&o->errors, &interval, sl_interval_exact_list(&all->exact, names))
               ? 0
               : sl_out_of_memory(all->f);
}

static int end_interval(struct intervals *all, const struct sl_tuple_names *names)
{
    int error = 0;
    for (size_t i = 0; i < all->n && error >= 0; i++)
        error = add_error(all, &all->other[i], names);
    all->number++;
    return error < 0 ? error : begin(all);
}

/* Batch observer of the session. All events have the weight 1. */
static void observe(void *context, const struct sl_batch *batch)
{
    struct intervals *all = context;
    for (size_t at = 0;
         at < batch->n && all->error >= 0 && all->number < all->setting->intervals;) {
        uint64_t left = all->setting->length - all->events;
        size_t n = batch->n - at < left ? batch->n - at : (size_t)left;
        struct sl_batch part = *batch;
        part.n = n;
        part.tuple_id += at;
        part.value += batch->value ? at : 0;
        if (!sl_interval_exact_observe(&all->exact, &part))
            all->error = sl_out_of_memory(all->f);
        for (size_t i = 0; i < all->n; i++)
            sl_table_observe(all->other[i].table, &part);
        all->events += n;
        at += n;
        if (all->error >= 0 && all->events == all->setting->length)
            all->error = end_interval(all, batch->names);
    }
}

/* ---- the step ---- */

static int open_others(struct intervals *all, const struct lab_step *step)
{
    int error = 0;
    all->n = 0;
    if (!(all->other = calloc(step->n_profiles, sizeof *all->other)))
        return sl_out_of_memory(all->f);
    for (size_t i = PROFILERS; i < step->n_profiles && error >= 0; i++)
        error = sl_profile_spec_parse(&all->other[all->n++].spec, step->profile[i].spec, all->f);
    return error < 0 ? error : begin(all);
}

static void close_all(struct intervals *all)
{
    for (size_t i = 0; i < all->n; i++) {
        sl_table_close(all->other[i].table);
        sl_interval_errors_free(&all->other[i].errors);
        sl_profile_spec_free(&all->other[i].spec);
    }
    sl_interval_exact_free(&all->exact);
    sl_profile_list_free(&all->found);
    free(all->entry);
    free(all->other);
}

static int add_figures(const struct lab_step *step, struct sl_session *session,
                       struct sl_job_results *results, struct sl_failure *f)
{
    const struct intervals *all = step->session_config.observe_context;
    (void)f;
    if (all->error < 0)
        return all->error;
    lab_add_replay_figures(step, session, results);
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_profile_spec *spec = &all->other[i].spec;
        const char *label = step->profile[PROFILERS + i].label;
        struct sl_interval_mean mean;
        sl_interval_errors_mean(&all->other[i].errors, &mean);
        lab_add_figure(results, label, "interval", NAN, mean.full ? mean.error : NAN);
        lab_add_figure(results, label, "reported", NAN, mean.reported);
        lab_add_figure(results, label, "candidates", NAN, mean.candidates);
        lab_add_figure(results, label, "full", NAN, (double)mean.full);
        lab_add_figure(results, label, "storage", NAN,
                       (double)spec->table->storage_bits(spec->table_config));
    }
    return 0;
}

int lab_intervals(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    size_t which = 0;
    while (strcmp(settings[which].name, step->argument))
        which++;
    struct intervals all = {.setting = &settings[which], .f = f};
    struct lab_step profilers = *step;
    profilers.n_profiles = PROFILERS;
    profilers.session_config.observe = observe;
    profilers.session_config.observe_context = &all;
    int error = open_others(&all, step);
    if (error >= 0)
        error = lab_run_session(&profilers, true, add_figures, results, f);
    close_all(&all);
    return error;
}
