/* SPDX-License-Identifier: MIT */
/* Interval profilers: how tuples are spread over their tables. */
#include "failure.h"
#include "hash_spread.h"
#include "lab_experiments.h"
#include "outcome.h"

/* Under the label "value 8", for 8 tables: deviation, by_chance and twins (x: bits of the
 * index), as in hash_spread.h. */
static int tell_spread(const struct sl_profile_list *tuples, const char *detector,
                       struct sl_job_figures *results, struct sl_failure *f)
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
        lab_figure(results, label, "deviation", bits, spread.deviation);
        lab_figure(results, label, "by_chance", bits, spread.by_chance);
        lab_figure(results, label, "twins", bits, spread.twins);
    }
    return 0;
}

static int replay_and_spread(const struct lab_step *step, struct sl_session *session,
                             struct sl_job_figures *results, struct sl_failure *f)
{
    struct sl_profile_list tuples = {0};
    int error = 0;
    lab_tell(step, session, results);
    if (!sl_profile_exact_list(sl_session_profile(session, 0), &tuples))
        error = sl_out_of_memory(f);
    else if (tuples.n)
        error = tell_spread(&tuples, step->argument, results, f);
    sl_profile_list_free(&tuples);
    return error;
}

/* A replay, and the spread of the tuples of its one detector. */
int lab_interval_spread(const struct lab_step *step, struct sl_job_figures *results,
                        struct sl_failure *f)
{
    return lab_look_at(step, true, replay_and_spread, results, f);
}
