/* SPDX-License-Identifier: MIT */
/* Measures the errors of tables by comparing them with an exact profile of the same events
 * (evaluator.h). Batches of events are split where errors are measured: at the points of the error
 * curve and at the ends of intervals. */
#include "evaluator.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "resources.h"

/* ---- one table ---- */

/* Passes the batch to the table and adds the CPU time, which does not depend on other processes. */
static void observe_timed(struct sl_evaluated_table *m, const struct sl_batch *batch)
{
    double before = sl_thread_seconds();
    sl_table_observe(m->table, batch);
    m->seconds += sl_thread_seconds() - before;
}

/* Sets has_error and headline from the last measurement. */
static void conclude(struct sl_evaluated_table *m)
{
    switch (m->measure) {
    case SL_MEASURE_OVERLAP:
        m->has_error = m->overlap.exact_weight > 0;
        m->headline = 1 - m->overlap.overlap;
        break;
    case SL_MEASURE_RELATIVE:
        m->has_error = m->relative.tuples > 0;
        m->headline = m->relative.error;
        break;
    default:
        m->has_error = m->invariance.tuples > 0;
        m->headline = m->invariance.error;
    }
}

/* Adds the headline error as a point of the curve. Returns false if out of memory. */
static bool add_point(struct sl_evaluated_table *m, uint64_t events)
{
    struct sl_table_status status;
    sl_table_status(m->table, &status);
    if (!sl_curve_add(&m->curve, events, m->headline))
        return false;
    m->curve.point[m->curve.n - 1].sent = status.messages;
    m->curve.point[m->curve.n - 1].invariance = m->invariance.error;
    return true;
}

static void add_error(struct sl_evaluated_table *m, const char *name, double value)
{
    m->error[m->n_errors++] = (struct sl_named_value){name, value};
}

/* If the run had only one window, its overlap is that of the whole run. */
static void name_dynamic(struct sl_evaluated_table *m)
{
    struct sl_overlap_mean mean = {.overlap = m->overlap.overlap, .coverage = m->overlap.coverage};
    if (!m->windowed)
        return;
    if (m->overlaps.n)
        sl_overlaps_mean(&m->overlaps, &mean);
    add_error(m, "overlap_dynamic", mean.overlap);
    add_error(m, "coverage_dynamic", mean.coverage);
    add_error(m, "windows", (double)mean.windows);
}

/* Fills `error` from the measurements. */
static void name_errors(struct sl_evaluated_table *m)
{
    static const char *const classes[SL_CANDIDATE_CLASSES] = {
        [SL_FALSE_POSITIVE] = "false_positive",
        [SL_FALSE_NEGATIVE] = "false_negative",
        [SL_NEUTRAL_POSITIVE] = "neutral_positive",
        [SL_NEUTRAL_NEGATIVE] = "neutral_negative",
    };
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&m->intervals.errors, &mean);
    if (m->invariance.tuples)
        add_error(m, "invariance", m->invariance.error);
    if (m->measure == SL_MEASURE_RELATIVE && m->has_error)
        add_error(m, "relative", m->relative.error);
    add_error(m, "overlap", m->overlap.overlap);
    add_error(m, "coverage", m->overlap.coverage);
    name_dynamic(m);
    if (!mean.full)
        return;
    add_error(m, "interval", mean.error);
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++)
        add_error(m, classes[i], mean.part[i]);
    add_error(m, "false_positive_rate", mean.false_positive_rate);
}

/* ---- the whole run ---- */

static int out_of_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
}

static int measure_table(const struct sl_evaluator *e, const struct sl_tuple_names *names,
                         bool at_the_end, struct sl_profile_list *all,
                         const struct sl_invariance_ideal *ideal, struct sl_evaluated_table *table,
                         struct sl_failure *f)
{
    struct sl_profile_list found = {0};
    bool overlaps = at_the_end || table->measure == SL_MEASURE_OVERLAP;
    bool done = sl_evaluated_table_each(table, names, sl_profile_list_add, &found) &&
                !found.out_of_memory &&
                (!table->by_instruction ||
                 sl_invariance_measure(ideal, &found, &table->invariance)) &&
                (!overlaps || sl_overlap(all, &found, &table->overlap));
    if (done && table->measure == SL_MEASURE_RELATIVE)
        sl_relative(all, &found, &table->relative);
    conclude(table);
    if (done && table->has_error)
        done = add_point(table, e->events);
    sl_profile_list_free(&found);
    return done ? 0 : out_of_memory(f);
}

static int measure_all(struct sl_evaluator *e, const struct sl_tuple_names *names, bool at_the_end,
                       struct sl_failure *f)
{
    struct sl_profile_list all = {0};
    struct sl_invariance_ideal ideal = {0};
    sl_table_drain(e->exact, names, sl_profile_list_add, &all);
    int error = !all.out_of_memory && sl_invariance_prepare(&ideal, &all, &e->config.limits)
                    ? 0
                    : out_of_memory(f);
    for (size_t i = 0; i < e->n && error >= 0; i++)
        if (e->table[i]->comparable)
            error = measure_table(e, names, at_the_end, &all, &ideal, e->table[i], f);
    free(ideal.kept);
    sl_profile_list_free(&all);
    return error;
}

/* ---- intervals ---- */

static uint64_t interval_length(const struct sl_evaluated_table *table)
{
    return table->kind->intervals->length(table->config);
}

/* Adds the table to the interval evaluator of its length. Returns false if out of memory. */
static bool add_by_interval(struct sl_evaluator *e, struct sl_evaluated_table *table)
{
    struct sl_interval_evaluator *found = e->intervals;
    while (found && interval_length(found->table[0]) != interval_length(table))
        found = found->next;
    if (!found) {
        if (!(found = calloc(1, sizeof *found)))
            return false;
        found->next = e->intervals;
        e->intervals = found;
    }
    if (!SL_GROW(found->table, found->capacity, found->n + 1))
        return false;
    found->table[found->n++] = table;
    table->intervals.exact = &found->exact;
    return true;
}

/* Splits the batch at the ends of intervals. */
static void observe_by_interval(struct sl_interval_evaluator *i, const struct sl_batch *batch)
{
    for (size_t k = 0; k < i->n; k++)
        i->table[k]->intervals.names = batch->names;
    for (size_t done = 0; done < batch->n;) {
        struct sl_batch rest = sl_batch_part(batch, done, batch->n - done);
        struct sl_batch part = sl_batch_part(&rest, 0, sl_table_cut(i->table[0]->table, &rest));
        if (!sl_interval_exact_observe(&i->exact, &part))
            i->table[0]->intervals.out_of_memory = true;
        for (size_t k = 0; k < i->n; k++)
            observe_timed(i->table[k], &part);
        if (i->exact.listed) /* the interval has ended, and all tables were compared */
            sl_interval_exact_clear(&i->exact);
        done += part.n;
    }
}

static void free_intervals(struct sl_interval_evaluator *list)
{
    for (struct sl_interval_evaluator *next; list; list = next) {
        next = list->next;
        sl_interval_exact_free(&list->exact);
        free(list->table);
        free(list);
    }
}

/* ---- windows ---- */

/* Counts a batch that the tables have observed as well. */
static void observe_window(struct sl_evaluator *e, const struct sl_batch *batch)
{
    if (!e->windows.begun)
        return;
    if (!sl_interval_exact_observe(&e->windows.exact, batch))
        e->windows.out_of_memory = true;
    for (size_t i = 0; i < e->n; i++)
        if (e->table[i]->windowed)
            sl_table_observe(e->table[i]->second, batch);
}

static bool compare_window(struct sl_evaluator *e, struct sl_profile_list *exact,
                           const struct sl_tuple_names *names, bool partial)
{
    struct sl_profile_list found = {0};
    bool done = !exact->out_of_memory && !e->windows.out_of_memory;
    for (size_t i = 0; i < e->n && done; i++) {
        struct sl_evaluated_table *table = e->table[i];
        if (!table->windowed)
            continue;
        sl_profile_list_clear(&found);
        sl_table_drain(e->windows.begun ? table->second : table->table, names, sl_profile_list_add,
                       &found);
        done = sl_overlaps_add(&table->overlaps, exact, &found, partial);
    }
    sl_profile_list_free(&found);
    return done;
}

/* Opens new tables rather than clearing the old ones, so that all of their state is initial. */
static int open_second_tables(struct sl_evaluator *e, struct sl_failure *f)
{
    int error = 0;
    sl_interval_exact_clear(&e->windows.exact);
    for (size_t i = 0; i < e->n && error >= 0; i++) {
        struct sl_evaluated_table *table = e->table[i];
        if (!table->windowed)
            continue;
        sl_table_close(table->second);
        error = sl_table_create(&table->second, table->kind, table->config, &e->windows.host, f);
    }
    e->windows.begun = error >= 0;
    return error;
}

int sl_evaluator_end_window(struct sl_evaluator *e, const struct sl_tuple_names *names,
                            bool partial, struct sl_failure *f)
{
    struct sl_windows *w = &e->windows;
    struct sl_profile_list first = {0}, *list = &first;
    if (!w->n_tables)
        return 0;
    if (w->begun)
        list = sl_interval_exact_list(&w->exact, names);
    else
        sl_table_drain(e->exact, names, sl_profile_list_add, &first);
    bool done = compare_window(e, list, names, partial);
    sl_profile_list_free(&first);
    if (!done)
        return out_of_memory(f);
    return partial ? 0 : open_second_tables(e, f);
}

/* ---- totals of a batch ---- */

static void put(struct sl_sums *s, uint32_t tuple_id, uint64_t weight)
{
    s->tuple_id[s->batch.n] = tuple_id;
    s->weight[s->batch.n++] = weight;
}

/* A tuple id may be listed twice; its sum is 0 the second time. */
static void flush(struct sl_sums *s)
{
    for (size_t i = 0; i < s->n_open; i++) {
        uint32_t tuple_id = s->open[i];
        if (s->sum[tuple_id])
            put(s, tuple_id, s->sum[tuple_id]);
        s->sum[tuple_id] = 0;
    }
    s->n_open = 0;
}

bool sl_sums_make(struct sl_sums *s, const struct sl_batch *batch, uint64_t most)
{
    if (!SL_GROW(s->tuple_id, s->tuple_ids_capacity, batch->n) ||
        !SL_GROW(s->weight, s->weights_capacity, batch->n) ||
        !SL_GROW(s->open, s->open_capacity, batch->n) ||
        !SL_GROW(s->sum, s->sums_capacity, batch->names->n))
        return false;
    s->batch = (struct sl_batch){
        .tuple_id = s->tuple_id, .weight = s->weight, .names = batch->names};
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t tuple_id = batch->tuple_id[i];
        uint64_t weight = batch->weight ? batch->weight[i] : 1, *sum = &s->sum[tuple_id];
        if (weight > most) {
            flush(s);
            put(s, tuple_id, weight);
            continue;
        }
        if (*sum + weight > most) {
            put(s, tuple_id, *sum);
            *sum = 0;
        }
        if (!*sum && weight)
            s->open[s->n_open++] = tuple_id;
        *sum += weight;
    }
    flush(s);
    return true;
}

void sl_sums_free(struct sl_sums *s)
{
    free(s->tuple_id);
    free(s->weight);
    free(s->sum);
    free(s->open);
}

/* ---- batches ---- */

/* A table that is no repetition gets every event, since its events are counted. */
static bool takes_sums(const struct sl_evaluated_table *table)
{
    return table->repetition && sl_table_sums_up_to(table->kind, table->config);
}

static void observe_part(struct sl_evaluator *e, const struct sl_batch *batch)
{
    bool summed = e->sums_up_to && sl_sums_make(&e->sums, batch, e->sums_up_to);
    sl_table_observe(e->exact, batch);
    for (size_t i = 0; i < e->n; i++)
        if (!e->table[i]->kind->intervals)
            observe_timed(e->table[i], summed && takes_sums(e->table[i]) ? &e->sums.batch : batch);
    for (struct sl_interval_evaluator *i = e->intervals; i; i = i->next)
        observe_by_interval(i, batch);
    observe_window(e, batch);
}

/* Events between two points of the curve, at the current number of events. */
static uint64_t distance(const struct sl_evaluator *e)
{
    uint64_t every = e->config.every, first = every * e->config.points;
    for (; first && e->events >= 2 * first; first *= 2)
        every *= 2;
    return every;
}

void sl_evaluator_observe(struct sl_evaluator *e, const struct sl_batch *batch)
{
    for (size_t done = 0; done < batch->n;) {
        uint64_t every = distance(e);
        size_t n = batch->n - done;
        if (every && n > every - e->events % every)
            n = (size_t)(every - e->events % every);
        struct sl_batch part = sl_batch_part(batch, done, n);
        observe_part(e, &part);
        e->events += n;
        done += n;
        if (every && e->events % every == 0 && !e->failure.code)
            measure_all(e, batch->names, false, &e->failure);
    }
}

/* ---- start and end ---- */

/* Returns false if out of memory. */
static bool add_table(struct sl_evaluator *e, struct sl_evaluated_table *table)
{
    uint64_t most = takes_sums(table) ? sl_table_sums_up_to(table->kind, table->config) : 0;
    if (most && (!e->sums_up_to || most < e->sums_up_to))
        e->sums_up_to = most;
    table->windowed = !table->repetition && table->comparable && !table->kind->intervals &&
                      table->kind->storage_bits;
    e->windows.n_tables += table->windowed;
    return !table->kind->intervals || add_by_interval(e, table);
}

int sl_evaluator_open(struct sl_evaluator *e, const struct sl_evaluation_config *config,
                      struct sl_evaluated_table **table, size_t n, const struct sl_table_host *host,
                      struct sl_failure *f)
{
    e->config = *config;
    e->table = table;
    e->n = n;
    e->windows.host = *host;
    for (size_t i = 0; i < n; i++)
        if (!add_table(e, table[i]))
            return sl_out_of_memory(f);
    return sl_table_create(&e->exact, &sl_table_exact, NULL, host, f);
}

int sl_evaluator_finish(struct sl_evaluator *e, const struct sl_tuple_names *names,
                        struct sl_failure *f)
{
    if (e->failure.code)
        return sl_fail(f, e->failure.code, "%s", e->failure.text);
    /* Also if a point was due just before: interval tables have reported their last interval
     * since. */
    int error = measure_all(e, names, true, f);
    if (error >= 0 && e->windows.begun)
        error = sl_evaluator_end_window(e, names, true, f);
    for (size_t i = 0; i < e->n && error >= 0; i++)
        if (e->table[i]->comparable)
            name_errors(e->table[i]);
    return error;
}

void sl_evaluator_close(struct sl_evaluator *e)
{
    sl_table_close(e->exact);
    free_intervals(e->intervals);
    sl_sums_free(&e->sums);
    sl_interval_exact_free(&e->windows.exact);
}
