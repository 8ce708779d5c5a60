/* SPDX-License-Identifier: MIT */
/* Experiment `wpp` (whole program paths) of `sluice lab`: measures how small the sequence of all
 * paths of a program becomes when it is compressed to a grammar, and which fraction of the run a
 * few hot subpaths cover. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"
#include "session.h"
#include "subpath.h"

/* Limits from Larus, "Whole program paths", 1999: subpaths of at most 100 paths. */
static const struct sl_subpath_limits hot = {
    .percent = 0.1, .least = 2, .most = 100, .choice = SL_SUBPATH_LONGEST};

/* Figures of the grammar:
 *
 *     paths tuples rules symbols bytes   length of the sequence, distinct paths, size of the
 *                                        grammar, size of its saved form
 *     plain                              size in bytes of the sequence as an array of path numbers
 *                                        with the smallest sufficient width
 *     subpaths covered                   number of hot subpaths, and their fraction of all paths */
static int add_grammar(const struct sl_sequence *all, struct sl_job_results *results,
                       struct sl_failure *f)
{
    struct sl_subpaths found = {0};
    size_t size = 0;
    uint8_t *saved = sl_grammar_save(all->grammar, &size);
    uint64_t *length = calloc(all->grammar->n_rules + 1, sizeof *length);
    double *cost = calloc(all->n_tuples + 1, sizeof *cost), covered = 0;
    bool done = saved && length && cost;
    for (size_t i = 0; done && i < all->n_tuples; i++)
        cost[i] = 1;
    done = done && sl_subpaths_find(&found, all->grammar, cost, &hot);
    for (size_t i = 0; i < found.n; i++)
        covered += (double)found.hot[i].times * found.hot[i].weight;
    if (done) {
        sl_grammar_lengths(all->grammar, length);
        double paths = all->grammar->n_rules ? (double)length[0] : 0;
        double bits = ceil(log2(fmax((double)all->n_tuples, 2)));
        lab_add_figure(results, "wpp", "paths", NAN, paths);
        lab_add_figure(results, "wpp", "tuples", NAN, (double)all->n_tuples);
        lab_add_figure(results, "wpp", "rules", NAN, (double)all->grammar->n_rules);
        lab_add_figure(results, "wpp", "symbols", NAN, (double)all->grammar->n_symbols);
        lab_add_figure(results, "wpp", "bytes", NAN, (double)size);
        lab_add_figure(results, "wpp", "plain", NAN, paths * bits / 8);
        lab_add_figure(results, "wpp", "subpaths", NAN, (double)found.n);
        lab_add_figure(results, "wpp", "covered", NAN,
                       found.whole > 0 ? covered / found.whole : NAN);
    }
    sl_subpaths_free(&found);
    free(saved);
    free(length);
    free(cost);
    return done ? 0 : sl_out_of_memory(f);
}

static int add_figures(const struct lab_step *step, struct sl_session *session,
                       struct sl_job_results *results, struct sl_failure *f)
{
    struct sl_sequence all;
    lab_add_replay_figures(step, session, results);
    return sl_profile_sequence(&session->profile[0], &all)
               ? add_grammar(&all, results, f)
               : sl_fail(f, SL_ENOMEM, "out of memory for the whole program path");
}

int lab_wpp(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    return lab_run_session(step, false, add_figures, results, f);
}
