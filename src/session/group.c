/* SPDX-License-Identifier: MIT */
/* Runs the detectors of a group of profiles on each chunk of the stream, and passes the events to
 * the tables or, with --exact, to the evaluator (group.h). */
#include "group.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* The error measure of the detectors; if they differ, overlap, which all profiles have. */
static void choose_measure(const struct sl_profile_spec *spec, struct sl_evaluated_table *table)
{
    table->measure = spec->detector[0].kind->error_measure;
    table->by_instruction = true;
    for (size_t i = 0; i < spec->n_detectors; i++) {
        const struct sl_detector_kind *kind = spec->detector[i].kind;
        if (kind->error_measure != table->measure)
            table->measure = SL_MEASURE_OVERLAP;
        table->by_instruction &= kind->per_instruction;
    }
}

bool sl_group_add_profile(struct sl_group *g, struct sl_profile *profile)
{
    const struct sl_profile_spec *spec = &profile->spec;
    if (!g->n_tables)
        sl_detector_set_prepare(&g->detectors, spec);
    profile->group = g;
    g->detectors.keeps_parts |= spec->table->input.keeps_parts && spec->detector[0].metric->parts;
    g->needs_time |= sl_table_reads_time(spec->table, spec->table_config);
    /* A table by function is comparable only if the exact profile is by function, too. */
    bool comparable = !spec->table->input.by_function ||
                      sl_detector_counts_functions(spec->detector[0].kind);
    profile->table = (struct sl_evaluated_table){.kind = spec->table,
                                                 .config = spec->table_config,
                                                 .repetition = profile->run,
                                                 .comparable = comparable};
    choose_measure(spec, &profile->table);
    if (!SL_GROW(g->table, g->tables_capacity, g->n_tables + 1))
        return false;
    g->table[g->n_tables++] = &profile->table;
    return true;
}

/* The emit function of the detectors. */
static void observe(void *context, const struct sl_batch *batch)
{
    struct sl_group *g = context;
    if (g->on_batch)
        g->on_batch(g->on_batch_context, batch);
    if (g->evaluator) {
        sl_evaluator_observe(g->evaluator, batch);
        return;
    }
    for (size_t i = 0; i < g->n_tables; i++)
        sl_table_observe(g->table[i]->table, batch);
}

static int open_tables(struct sl_group *g, const struct sl_evaluation_config *config,
                       struct sl_table_host *host, struct sl_failure *f)
{
    int error = 0;
    host->memory_bytes /= g->n_tables + config->enabled;
    for (size_t i = 0; i < g->n_tables && error >= 0; i++)
        error = sl_evaluated_table_open(g->table[i], host, f);
    if (error < 0 || !config->enabled)
        return error;
    if (!(g->evaluator = calloc(1, sizeof *g->evaluator)))
        return sl_out_of_memory(f);
    return sl_evaluator_open(g->evaluator, config, g->table, g->n_tables, host, f);
}

int sl_group_open(struct sl_group *g, const struct sl_detector_env *env,
                  const struct sl_evaluation_config *evaluation, struct sl_table_host host,
                  struct sl_failure *f)
{
    g->machine = env->machine;
    host.distinct_names = true;
    if (g->detectors.keeps_parts)
        host.parts = sl_machine_parts(g->machine);
    g->detectors.emit = observe;
    g->detectors.context = g;
    for (size_t i = 0; i < g->detectors.n_members; i++)
        host.distinct_names &= g->detectors.member[i].kind->unique_ids;
    int error = sl_detector_set_open(&g->detectors, env, f);
    if (error >= 0)
        error = open_tables(g, evaluation, &host, f);
    g->opened = error >= 0;
    return error;
}

static void add_total(void *context, uint32_t tuple_id, uint64_t times, uint64_t weight)
{
    struct sl_group *g = context;
    g->detectors.member[0].events += times;
    g->detectors.member[0].weight += weight;
    for (size_t i = 0; i < g->n_tables; i++)
        sl_table_add(g->table[i]->table, tuple_id, times, weight);
}

int sl_group_add_totals(struct sl_group *g, const struct sl_block_pairs *pairs,
                        struct sl_events *buffer, struct sl_failure *f)
{
    const struct sl_detector_slot *m = &g->detectors.member[0];
    const struct sl_total_sink sink = {add_total, g};
    bool done = true;
    int error = 0;
    g->detectors.buffer = buffer;
    if (g->plan == SL_PLAN_DERIVED) {
        done = m->kind->derivation->emit(m->state, g->derived_from->detectors.member[0].state,
                                         sink);
    } else if (g->plan == SL_PLAN_PAIR_TOTALS) {
        error = sl_detector_set_sync(&g->detectors, f);
        done = error < 0 || m->kind->pair_totals->emit(m->state, pairs, m->metric->weigh, sink);
    } else if (g->plan == SL_PLAN_EXIT_TOTALS) {
        error = sl_detector_set_flush(&g->detectors, NULL, f);
        if (error >= 0)
            m->kind->exits->emit_totals(m->state, sink);
    }
    return done ? error : sl_out_of_memory(f);
}

int sl_group_run(struct sl_group *g, const struct sl_pieces *pieces, uint64_t *const *weight,
                 struct sl_events *buffer, struct sl_failure *f)
{
    if (!sl_plan_reads_chunks(g->plan))
        return 0;
    struct sl_slices slices = sl_slices_of(pieces, sl_detector_set_blocks_max(&g->detectors));
    const uint32_t *part[SL_PARTS];
    if (g->plan == SL_PLAN_EVENTS) /* all other plans that read chunks read function exits */
        slices.slice.exits = NULL;
    for (unsigned i = 0; g->detectors.keeps_parts && i < SL_PARTS; i++)
        part[i] = sl_machine_block_counts(
            g->machine, (enum sl_machine_event)(g->detectors.member[0].metric->parts + i));
    if (g->detectors.keeps_parts)
        slices.slice.block_part = part;
    g->detectors.buffer = buffer;
    g->detectors.weight = weight;
    sl_detector_set_chunk(&g->detectors, pieces->chunk->n_blocks);
    int error = 0;
    while (error >= 0 && sl_slices_next(&slices)) {
        error = sl_detector_set_slice(&g->detectors, &slices.slice, f);
        if (error >= 0 && slices.ends_window) { /* only with an evaluator */
            struct sl_tuple_names names;
            sl_detector_set_names(&g->detectors, &names);
            error = sl_evaluator_end_window(g->evaluator, &names, false, f);
        }
    }
    if (error >= 0 && pieces->chunk->flags & SL_CHUNK_END)
        error = sl_detector_set_flush(&g->detectors, &pieces->chunk->thread, f);
    return error;
}

static int finish_tables(struct sl_group *g, const struct sl_tuple_names *names,
                         struct sl_failure *f)
{
    struct sl_table_status status;
    bool out_of_memory = false;
    int error = 0;
    for (size_t i = 0; i < g->n_tables; i++) {
        struct sl_intervals *intervals = &g->table[i]->intervals;
        /* An interval table reports its last interval now; with names it is evaluated. */
        intervals->names = g->evaluator && g->evaluator->events ? names : NULL;
        sl_table_finish(g->table[i]->table);
        sl_table_status(g->table[i]->table, &status);
        if (error >= 0 && status.failed) /* its entries are still usable */
            error = sl_fail(f, SL_ENOMEM, "%s", status.note);
        intervals->names = NULL;
        out_of_memory |= intervals->out_of_memory;
    }
    if (out_of_memory)
        return sl_fail(f, SL_ENOMEM, "out of memory for the results of intervals");
    return error < 0 || !g->evaluator ? error : sl_evaluator_finish(g->evaluator, names, f);
}

int sl_group_finish(struct sl_group *g, struct sl_events *buffer, struct sl_failure *f)
{
    struct sl_tuple_names names;
    if (!g->opened)
        return 0;
    g->detectors.buffer = buffer;
    int error = sl_detector_set_flush(&g->detectors, NULL, f);
    sl_detector_set_names(&g->detectors, &names);
    int finished = finish_tables(g, &names, error < 0 ? NULL : f);
    return error < 0 ? error : finished;
}

const struct sl_table *sl_group_exact(const struct sl_group *g)
{
    const struct sl_table *table = g->evaluator ? g->evaluator->exact : NULL;
    for (size_t i = 0; i < g->n_tables && !table; i++)
        if (g->table[i]->kind == &sl_table_exact)
            table = g->table[i]->table;
    return table;
}

void sl_group_rest(struct sl_group *g)
{
    if (g->evaluator && g->evaluator->exact)
        sl_table_rest(g->evaluator->exact);
    for (size_t i = 0; i < g->n_tables; i++)
        if (g->table[i]->table)
            sl_table_rest(g->table[i]->table);
}

void sl_group_close(struct sl_group *g)
{
    sl_detector_set_close(&g->detectors);
    if (g->evaluator)
        sl_evaluator_close(g->evaluator);
    free(g->evaluator);
    free(g->table);
}
