/* SPDX-License-Identifier: MIT */
/* Hash functions in the experiment `interval` of `sluice lab`: measures how evenly the hash
 * functions of the interval profilers distribute the tuples of real programs over the counters. */
#include "failure.h"
#include "hash_spread.h"
#include "lab_experiments.h"
#include "session.h"

/* Adds the figures deviation, by_chance and twins (the aliased fraction) of hash_spread.h at x =
 * bits of the index, with labels such as "value 8" for 8 tables. */
static int add_spread(const struct sl_profile_list *tuples, const char *detector,
                      struct sl_job_results *results, struct sl_failure *f)
{
    static const struct {
        unsigned tables, bits;
    } forms[] = {{1, 11}, {4, 9}, {8, 7}, {8, 8}, {8, 9}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && tuples->n; i++) {
        struct hash_spread spread;
        char label[40];
        double bits = forms[i].bits;
        if (!hash_spread(tuples, 1, forms[i].tables, forms[i].bits, &spread))
            return sl_out_of_memory(f);
        snprintf(label, sizeof label, "%s %u", detector, forms[i].tables);
        lab_add_figure(results, label, "deviation", bits, spread.deviation);
        lab_add_figure(results, label, "by_chance", bits, spread.by_chance);
        lab_add_figure(results, label, "twins", bits, spread.aliased);
    }
    return 0;
}

static int replay_and_spread(const struct lab_step *step, struct sl_session *session,
                             struct sl_job_results *results, struct sl_failure *f)
{
    struct sl_profile_list tuples = {0};
    int error = 0;
    lab_add_replay_figures(step, session, results);
    if (!sl_profile_exact_list(&session->profile[0], &tuples))
        error = sl_out_of_memory(f);
    else if (tuples.n)
        error = add_spread(&tuples, step->argument, results, f);
    sl_profile_list_free(&tuples);
    return error;
}

/* A replay of profiles of one detector, which also measures the spread of the detector's tuples. */
int lab_interval_spread(const struct lab_step *step, struct sl_job_results *results,
                        struct sl_failure *f)
{
    return lab_run_session(step, true, replay_and_spread, results, f);
}
