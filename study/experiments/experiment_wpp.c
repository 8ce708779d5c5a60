/* SPDX-License-Identifier: MIT */
/* Whole program paths: how small a grammar the sequence of a program's paths makes, and how
 * much of the run a few subpaths are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"
#include "outcome.h"
#include "subpath.h"

/* Larus, who had the idea, looked for subpaths of at most 100 paths. */
static const struct sl_subpath_limits hot = {
    .percent = 0.1, .least = 2, .most = 100, .choice = SL_SUBPATH_LONGEST};

/* Figures of the grammar:
 *
 *     paths distinct rules symbols bytes    length of the sequence, tuples in it, the
 *                                           grammar's size and that of its saved form
 *     plain                                 bytes of the sequence with one number of as few
 *                                           bits as tell the tuples apart for each path
 *     subpaths covered                      hot ones, and their share of all paths */
static int tell_sequence(const struct sl_sequence *all, struct sl_job_figures *results,
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
        lab_figure(results, "wpp", "paths", NAN, paths);
        lab_figure(results, "wpp", "tuples", NAN, (double)all->n_tuples);
        lab_figure(results, "wpp", "rules", NAN, (double)all->grammar->n_rules);
        lab_figure(results, "wpp", "symbols", NAN, (double)all->grammar->n_symbols);
        lab_figure(results, "wpp", "bytes", NAN, (double)size);
        lab_figure(results, "wpp", "plain", NAN, paths * bits / 8);
        lab_figure(results, "wpp", "subpaths", NAN, (double)found.n);
        lab_figure(results, "wpp", "covered", NAN, found.whole > 0 ? covered / found.whole : NAN);
    }
    sl_subpaths_free(&found);
    free(saved);
    free(length);
    free(cost);
    return done ? 0 : sl_out_of_memory(f);
}

static int tell(const struct lab_step *step, struct sl_session *session,
                struct sl_job_figures *results, struct sl_failure *f)
{
    struct sl_sequence all;
    lab_tell(step, session, results);
    return sl_profile_sequence(sl_session_profile(session, 0), &all)
               ? tell_sequence(&all, results, f)
               : sl_fail(f, SL_ENOMEM, "the whole program path did not fit in memory");
}

int lab_wpp(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    return lab_look_at(step, false, tell, results, f);
}
