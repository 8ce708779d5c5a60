#include "group.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* Static tuples for which tables keep hashes; memory is used as they come. */
#define NAMES_KEPT (1u << 20)
/* Candidates of single intervals that are saved; all are in the sums. */
#define CANDIDATES_KEPT 1000000u

/* ---- judging ------------------------------------------------------------- */

/* Functions cannot be found in an exact profile of something else. */
static bool is_comparable(const struct sl_group *g, const struct sl_keep *keep)
{
    return !keep->spec->table->by_function || g->feed.member[0].kind == &sl_detector_function;
}

static bool add_point(struct sl_keep *keep, uint64_t events)
{
    struct sl_table_status status;
    sl_table_status(keep->table, &status);
    if (!sl_curve_add(&keep->curve, events, keep->invariance.error) ||
        !SL_GROW(keep->sent, keep->room_sent, keep->curve.n))
        return false;
    keep->sent[keep->curve.n - 1] = status.messages;
    return true;
}

static int judge_keep(struct sl_group *g, const struct sl_names *names, struct sl_profile_list *all,
                      const struct sl_invariance_ideal *ideal, struct sl_keep *keep,
                      struct sl_failure *f)
{
    struct sl_profile_list found = {0};
    sl_keep_each(keep, names, sl_profile_list_add, &found);
    bool done = !found.out_of_memory && sl_invariance_judge(ideal, &found, &keep->invariance) &&
                (!g->finished || sl_overlap(all, &found, &keep->overlap));
    if (done && keep->invariance.tuples)
        done = add_point(keep, g->events);
    sl_profile_list_free(&found);
    return done ? 0 : sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
}

static int judge(struct sl_group *g, struct sl_failure *f)
{
    struct sl_names names;
    struct sl_profile_list all = {0};
    struct sl_invariance_ideal ideal = {0};
    sl_feed_names(&g->feed, &names);
    sl_table_drain(g->exact.table, &names, sl_profile_list_add, &all);
    int error = !all.out_of_memory && sl_invariance_prepare(&ideal, &all, &g->judging.limits)
                    ? 0
                    : sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
    for (size_t i = 0; i < g->n_keeps && error >= 0; i++)
        if (is_comparable(g, g->keep[i]))
            error = judge_keep(g, &names, &all, &ideal, g->keep[i], f);
    sl_invariance_ideal_free(&ideal);
    sl_profile_list_free(&all);
    return error;
}

/* ---- batches ------------------------------------------------------------- */

/* The profile itself counts its events. */
static bool takes_sums(const struct sl_keep *keep)
{
    return keep->run && keep->spec->table->sums_up_to;
}

/* Repetitions take what has been added up already, where that is the same to them. */
static void observe_judged(struct sl_group *g, const struct sl_batch *batch)
{
    bool summed = g->sums_up_to && sl_sums_make(&g->sums, batch, g->sums_up_to);
    sl_table_observe(g->exact.table, batch);
    for (size_t i = 0; i < g->n_keeps; i++)
        if (!g->keep[i]->spec->table->cut)
            sl_keep_observe(g->keep[i], summed && takes_sums(g->keep[i]) ? &g->sums.batch : batch);
    for (struct sl_cohort *cohort = g->cohort; cohort; cohort = cohort->next)
        sl_cohort_observe(cohort, batch);
    sl_windows_observe(&g->windows, batch);
}

/* Events between two points of the curve, around where it is now. */
static uint64_t distance(const struct sl_group *g)
{
    uint64_t every = g->judging.every, first = every * g->judging.points;
    for (; first && g->events >= 2 * first; first *= 2)
        every *= 2;
    return every;
}

static void give_judged(struct sl_group *g, const struct sl_batch *batch)
{
    for (size_t done = 0; done < batch->n;) {
        uint64_t every = distance(g);
        size_t n = batch->n - done;
        if (every && n > every - g->events % every)
            n = (size_t)(every - g->events % every);
        struct sl_batch part = sl_batch_part(batch, done, n);
        observe_judged(g, &part);
        g->events += n;
        done += n;
        if (every && g->events % every == 0 && !g->failure.code)
            judge(g, &g->failure);
    }
}

static void give(void *context, const struct sl_batch *batch)
{
    struct sl_group *g = context;
    if (g->judging.wanted) {
        give_judged(g, batch);
        return;
    }
    g->events += batch->n;
    for (size_t i = 0; i < g->n_keeps; i++)
        sl_table_observe(g->keep[i]->table, batch);
}

/* ---- from the first to the last ------------------------------------------ */

int sl_group_open(struct sl_group *g, const struct sl_watch *watch,
                  const struct sl_judging *judging, uint64_t memory_bytes,
                  const struct sl_function_list *functions, struct sl_failure *f)
{
    g->judging = *judging;
    g->feed.give = give;
    g->feed.context = g;
    struct sl_table_host host = {.memory_bytes = memory_bytes / (g->n_keeps + judging->wanted),
                                 .names = NAMES_KEPT,
                                 .distinct_names = true,
                                 .functions = functions};
    host.interval = sl_intervals_add;
    for (size_t i = 0; i < g->feed.n_members; i++)
        host.distinct_names &= g->feed.member[i].kind->distinct_names;
    int error = sl_feed_open(&g->feed, watch, f);
    for (size_t i = 0; i < g->n_keeps && error >= 0; i++) {
        struct sl_keep *keep = g->keep[i];
        host.context = &keep->intervals;
        keep->intervals.candidates_max = keep->run ? 0 : CANDIDATES_KEPT;
        uint64_t most = keep->spec->table->sums_up_to;
        if (takes_sums(keep) && (!g->sums_up_to || most < g->sums_up_to))
            g->sums_up_to = most;
        error = sl_keep_open(keep, keep->spec->table, keep->spec->table_config, &host, f);
        if (error >= 0 && judging->wanted &&
            ((keep->spec->table->cut && !sl_cohort_join(&g->cohort, keep)) ||
             (!keep->run && is_comparable(g, keep) && !sl_windows_join(&g->windows, keep))))
            error = sl_fail(f, SL_ENOMEM, "out of memory");
    }
    g->windows.host = host;
    if (error >= 0 && judging->wanted)
        error = sl_keep_open(&g->exact, &sl_table_exact, NULL, &host, f);
    return error;
}

static void add_error(struct sl_keep *keep, const char *name, double value)
{
    keep->error[keep->n_errors++] = (struct sl_figure){name, value};
}

/* A run of one window is as good in it as in all. */
static void name_dynamic(struct sl_keep *keep)
{
    struct sl_overlap_mean mean = {.overlap = keep->overlap.overlap,
                                   .coverage = keep->overlap.coverage};
    if (!keep->windowed)
        return;
    if (keep->overlaps.n)
        sl_overlaps_mean(&keep->overlaps, &mean);
    add_error(keep, "overlap_dynamic", mean.overlap);
    add_error(keep, "coverage_dynamic", mean.coverage);
    add_error(keep, "windows", (double)(mean.full - mean.empty));
}

/* What was measured, by name. */
static void name_errors(struct sl_keep *keep)
{
    static const char *const classes[SL_CANDIDATE_CLASSES] = {
        [SL_FALSE_POSITIVE] = "false_positive",
        [SL_FALSE_NEGATIVE] = "false_negative",
        [SL_NEUTRAL_POSITIVE] = "neutral_positive",
        [SL_NEUTRAL_NEGATIVE] = "neutral_negative",
    };
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&keep->intervals.errors, &mean);
    if (keep->invariance.tuples)
        add_error(keep, "invariance", keep->invariance.error);
    add_error(keep, "overlap", keep->overlap.overlap);
    add_error(keep, "coverage", keep->overlap.coverage);
    name_dynamic(keep);
    if (!mean.full)
        return;
    add_error(keep, "interval", mean.error);
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++)
        add_error(keep, classes[i], mean.part[i]);
    add_error(keep, "false_positive_rate", mean.false_positive_rate);
}

static int end_window(struct sl_group *g, bool partial, struct sl_failure *f)
{
    struct sl_names names;
    sl_feed_names(&g->feed, &names);
    return sl_windows_end(&g->windows, g->exact.table, &names, partial, f);
}

int sl_group_window(struct sl_group *g, struct sl_failure *f)
{
    return end_window(g, false, f);
}

int sl_group_finish(struct sl_group *g, struct sl_failure *f)
{
    struct sl_names names;
    int error = sl_feed_finish(&g->feed, f);
    bool out_of_memory = false;
    for (size_t i = 0; i < g->n_keeps && g->keep[i]->table; i++) {
        if (g->judging.wanted && g->events) {
            sl_feed_names(&g->feed, &names);
            g->keep[i]->intervals.names = &names;
        }
        sl_table_finish(g->keep[i]->table);
        out_of_memory |= g->keep[i]->intervals.out_of_memory;
    }
    if (error >= 0 && out_of_memory)
        error = sl_fail(f, SL_ENOMEM, "out of memory for the results of intervals");
    if (error < 0 || !g->judging.wanted || !g->exact.table)
        return error;
    if (g->failure.code)
        return sl_fail(f, g->failure.code, "%s", g->failure.text);
    /* Even if it was just done: what an interval table says of its last one is new. */
    g->finished = true;
    if ((error = judge(g, f)) < 0 ||
        (g->windows.begun && (error = end_window(g, true, f)) < 0))
        return error;
    for (size_t i = 0; i < g->n_keeps; i++)
        if (is_comparable(g, g->keep[i]))
            name_errors(g->keep[i]);
    return 0;
}

void sl_group_close(struct sl_group *g)
{
    sl_feed_close(&g->feed);
    sl_keep_close(&g->exact);
    sl_cohorts_free(g->cohort);
    sl_sums_free(&g->sums);
    sl_windows_free(&g->windows);
    free(g->keep);
}
