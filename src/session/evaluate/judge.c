/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* ---- judging ---- */

static int judge_table(const struct sl_judge *j, const struct sl_names *names, bool at_the_end,
                       struct sl_profile_list *all, const struct sl_invariance_ideal *ideal,
                       struct sl_measured *table, struct sl_failure *f)
{
    struct sl_profile_list found = {0};
    bool overlaps = at_the_end || table->measure == SL_MEASURE_OVERLAP;
    bool done = sl_measured_each(table, names, sl_profile_list_add, &found) &&
                !found.out_of_memory &&
                (!table->by_instruction ||
                 sl_invariance_judge(ideal, &found, &table->invariance)) &&
                (!overlaps || sl_overlap(all, &found, &table->overlap));
    if (done && table->measure == SL_MEASURE_RELATIVE)
        sl_relative(all, &found, &table->relative);
    sl_measured_conclude(table);
    if (done && table->judged)
        done = sl_measured_point(table, j->events);
    sl_profile_list_free(&found);
    return done ? 0 : sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
}

static int judge_all(struct sl_judge *j, const struct sl_names *names, bool at_the_end,
                     struct sl_failure *f)
{
    struct sl_profile_list all = {0};
    struct sl_invariance_ideal ideal = {0};
    sl_table_drain(j->exact, names, sl_profile_list_add, &all);
    int error = !all.out_of_memory && sl_invariance_prepare(&ideal, &all, &j->judging.limits)
                    ? 0
                    : sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
    for (size_t i = 0; i < j->n && error >= 0; i++)
        if (j->table[i]->comparable)
            error = judge_table(j, names, at_the_end, &all, &ideal, j->table[i], f);
    sl_invariance_ideal_free(&ideal);
    sl_profile_list_free(&all);
    return error;
}

/* ---- batches ---- */

/* One that is no repetition counts its events. */
static bool takes_sums(const struct sl_measured *table)
{
    return table->repetition && sl_table_sums_up_to(table->kind, table->config);
}

/* Repetitions take what has been added up already, where that is the same to them. */
static void observe_judged(struct sl_judge *j, const struct sl_batch *batch)
{
    bool summed = j->sums_up_to && sl_sums_make(&j->sums, batch, j->sums_up_to);
    sl_table_observe(j->exact, batch);
    for (size_t i = 0; i < j->n; i++)
        if (!j->table[i]->kind->intervals)
            sl_measured_observe(j->table[i],
                                summed && takes_sums(j->table[i]) ? &j->sums.batch : batch);
    for (struct sl_cohort *cohort = j->cohort; cohort; cohort = cohort->next)
        sl_cohort_observe(cohort, batch);
    sl_windows_observe(&j->windows, batch);
}

/* Events between two points of the curve, around where it is now. */
static uint64_t distance(const struct sl_judge *j)
{
    uint64_t every = j->judging.every, first = every * j->judging.points;
    for (; first && j->events >= 2 * first; first *= 2)
        every *= 2;
    return every;
}

static void judge_batch(struct sl_judge *j, const struct sl_batch *batch)
{
    for (size_t done = 0; done < batch->n;) {
        uint64_t every = distance(j);
        size_t n = batch->n - done;
        if (every && n > every - j->events % every)
            n = (size_t)(every - j->events % every);
        struct sl_batch part = sl_batch_part(batch, done, n);
        observe_judged(j, &part);
        j->events += n;
        done += n;
        if (every && j->events % every == 0 && !j->failure.code)
            judge_all(j, batch->names, false, &j->failure);
    }
}

void sl_judge_observe(struct sl_judge *j, const struct sl_batch *batch)
{
    if (j->judging.wanted) {
        judge_batch(j, batch);
        return;
    }
    for (size_t i = 0; i < j->n; i++)
        sl_table_observe(j->table[i]->table, batch);
}

bool sl_judge_adds(const struct sl_judge *j)
{
    bool all = !j->judging.wanted;
    for (size_t i = 0; i < j->n; i++)
        all &= sl_table_takes_totals(j->table[i]->kind);
    return all;
}

void sl_judge_add(struct sl_judge *j, uint32_t number, uint64_t times, uint64_t weight)
{
    for (size_t i = 0; i < j->n; i++)
        sl_table_add(j->table[i]->table, number, times, weight);
}

/* ---- from the first to the last ---- */

bool sl_judge_join(struct sl_judge *j, struct sl_measured *table)
{
    if (!SL_GROW(j->table, j->room, j->n + 1))
        return false;
    j->table[j->n++] = table;
    return true;
}

/* Where else the table is judged than at the end. False without memory. */
static bool place(struct sl_judge *j, struct sl_measured *table)
{
    uint64_t most = takes_sums(table) ? sl_table_sums_up_to(table->kind, table->config) : 0;
    if (most && (!j->sums_up_to || most < j->sums_up_to))
        j->sums_up_to = most;
    return (!table->kind->intervals || sl_cohort_join(&j->cohort, table)) &&
           (table->repetition || !table->comparable || sl_windows_join(&j->windows, table));
}

int sl_judge_open(struct sl_judge *j, const struct sl_judging *judging,
                  const struct sl_table_host *host, struct sl_failure *f)
{
    int error = 0;
    j->judging = *judging;
    j->windows.host = *host;
    j->windows.host.memory_bytes /= j->n + judging->wanted;
    for (size_t i = 0; i < j->n && error >= 0; i++) {
        error = sl_measured_open(j->table[i], &j->windows.host, f);
        if (error >= 0 && judging->wanted && !place(j, j->table[i]))
            error = sl_out_of_memory(f);
    }
    if (error >= 0 && judging->wanted)
        error = sl_table_create(&j->exact, &sl_table_exact, NULL, &j->windows.host, f);
    return error;
}

int sl_judge_window(struct sl_judge *j, const struct sl_names *names, struct sl_failure *f)
{
    return sl_windows_end(&j->windows, j->exact, names, false, f);
}

/* What a table could not do is for its user to know; what it has is there. */
static int check_table(const struct sl_table *table, struct sl_failure *f)
{
    struct sl_table_status status;
    sl_table_status(table, &status);
    return status.failed ? sl_fail(f, SL_ENOMEM, "%s", status.note) : 0;
}

/* The last intervals end. */
static int finish_tables(struct sl_judge *j, const struct sl_names *names, struct sl_failure *f)
{
    bool out_of_memory = false;
    int error = 0;
    for (size_t i = 0; i < j->n; i++) {
        struct sl_intervals *intervals = &j->table[i]->intervals;
        intervals->names = j->judging.wanted && j->events ? names : NULL;
        sl_table_finish(j->table[i]->table);
        if (error >= 0)
            error = check_table(j->table[i]->table, f);
        intervals->names = NULL;
        out_of_memory |= intervals->out_of_memory;
    }
    if (out_of_memory)
        return sl_fail(f, SL_ENOMEM, "out of memory for the results of intervals");
    return error;
}

int sl_judge_finish(struct sl_judge *j, const struct sl_names *names, struct sl_failure *f)
{
    int error = finish_tables(j, names, f);
    if (error < 0 || !j->judging.wanted)
        return error;
    if (j->failure.code)
        return sl_fail(f, j->failure.code, "%s", j->failure.text);
    /* Even if it was just done: what an interval table says of its last one is new. */
    if ((error = judge_all(j, names, true, f)) < 0)
        return error;
    if (j->windows.begun && (error = sl_windows_end(&j->windows, j->exact, names, true, f)) < 0)
        return error;
    for (size_t i = 0; i < j->n; i++)
        if (j->table[i]->comparable)
            sl_measured_name_errors(j->table[i]);
    return 0;
}

uint64_t sl_judge_exact_drops(const struct sl_judge *j)
{
    struct sl_table_status status = {0};
    if (j->exact)
        sl_table_status(j->exact, &status);
    return status.drops;
}

void sl_judge_rest(struct sl_judge *j)
{
    if (j->exact)
        sl_table_rest(j->exact);
    for (size_t i = 0; i < j->n; i++)
        if (j->table[i]->table)
            sl_table_rest(j->table[i]->table);
}

const struct sl_table *sl_judge_exact(const struct sl_judge *j)
{
    const struct sl_table *table = j->exact;
    for (size_t i = 0; i < j->n && !table; i++)
        if (j->table[i]->kind == &sl_table_exact)
            table = j->table[i]->table;
    return table;
}

void sl_judge_close(struct sl_judge *j)
{
    sl_table_close(j->exact);
    j->exact = NULL;
    sl_cohorts_free(j->cohort);
    sl_sums_free(&j->sums);
    sl_windows_free(&j->windows);
    free(j->table);
}
