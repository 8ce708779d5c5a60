/* SPDX-License-Identifier: MIT */
#include "group.h"

#include <string.h>

#include "failure.h"

/* Static tuples for which tables keep hashes; memory is used as they come. */
#define NAMES_KEPT (1u << 20)

bool sl_group_suits(const struct sl_group *g, const struct sl_profile *profile)
{
    return !strcmp(g->feed.text, profile->spec.detecting);
}

/* Functions cannot be found in an exact profile of something else. */
static bool is_comparable(const struct sl_profile_spec *spec)
{
    return !spec->table->input.by_function || sl_detector_counts_functions(spec->detector[0].kind);
}

/* What its detectors have; where these differ, what says something of profiles of any kind. */
static void choose_measure(const struct sl_profile_spec *spec, struct sl_measured *measured)
{
    measured->measure = spec->detector[0].kind->error_measure;
    measured->by_instruction = true;
    for (size_t i = 0; i < spec->n_detectors; i++) {
        const struct sl_detector_kind *kind = spec->detector[i].kind;
        if (kind->error_measure != measured->measure)
            measured->measure = SL_MEASURE_OVERLAP;
        measured->by_instruction &= kind->per_instruction;
    }
}

bool sl_group_join(struct sl_group *g, struct sl_profile *profile)
{
    const struct sl_profile_spec *spec = &profile->spec;
    if (!g->judge.n)
        sl_feed_prepare(&g->feed, spec);
    profile->group = g;
    g->feed.keeps_parts |= spec->table->input.keeps_parts && spec->detector[0].metric->parts;
    g->timed |= sl_table_reads_time(spec->table, spec->table_config);
    profile->measured = (struct sl_measured){.kind = spec->table,
                                             .config = spec->table_config,
                                             .repetition = profile->run,
                                             .comparable = is_comparable(spec)};
    choose_measure(spec, &profile->measured);
    return sl_judge_join(&g->judge, &profile->measured);
}

static void give(void *context, const struct sl_batch *batch)
{
    struct sl_group *g = context;
    if (g->observe)
        g->observe(g->observe_context, batch);
    sl_judge_observe(&g->judge, batch);
}

int sl_group_open(struct sl_group *g, const struct sl_group_host *host, struct sl_failure *f)
{
    struct sl_table_host for_tables = {.memory_bytes = host->memory_bytes,
                                       .helpers = host->helpers,
                                       .spill_directory = host->spill_directory,
                                       .names = NAMES_KEPT,
                                       .distinct_names = true,
                                       .functions = host->functions};
    g->machine = host->watch->machine;
    if (g->feed.keeps_parts)
        for_tables.parts = sl_machine_parts(g->machine);
    g->feed.give = give;
    g->feed.context = g;
    for (size_t i = 0; i < g->feed.n_members; i++)
        for_tables.distinct_names &= g->feed.member[i].kind->unique_ids;
    int error = sl_feed_open(&g->feed, host->watch, f);
    if (error >= 0)
        error = sl_judge_open(&g->judge, host->judging, &for_tables, f);
    g->open = error >= 0;
    return error;
}

static void add_total(void *context, uint32_t number, uint64_t times, uint64_t weight)
{
    struct sl_group *g = context;
    g->feed.member[0].events += times;
    g->feed.member[0].weight += weight;
    sl_judge_add(&g->judge, number, times, weight);
}

int sl_group_add_totals(struct sl_group *g, const struct sl_block_pairs *pairs,
                        struct sl_events *buffer, struct sl_failure *f)
{
    const struct sl_member *m = &g->feed.member[0];
    const struct sl_total_sink sink = {add_total, g};
    bool done = true;
    int error = 0;
    g->feed.buffer = buffer;
    if (g->plan == SL_PLAN_DERIVED) {
        done = m->kind->derivation->emit(m->state, g->derived_from->feed.member[0].state, sink);
    } else if (g->plan == SL_PLAN_PAIR_TOTALS) {
        error = sl_feed_sync(&g->feed, f);
        done = error < 0 || m->kind->pair_totals->emit(m->state, pairs, m->metric->weigh, sink);
    } else if (g->plan == SL_PLAN_EXIT_TOTALS) {
        error = sl_feed_finish(&g->feed, f);
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
    struct sl_slices slices = sl_slices_of(pieces, sl_feed_blocks_max(&g->feed));
    const uint32_t *part[SL_PARTS];
    if (!sl_plan_reads_exits(g->plan))
        slices.slice.exits = NULL;
    for (unsigned i = 0; g->feed.keeps_parts && i < SL_PARTS; i++)
        part[i] = sl_machine_of_blocks(g->machine,
                                       (enum sl_happening)(g->feed.member[0].metric->parts + i));
    if (g->feed.keeps_parts)
        slices.slice.block_part = part;
    g->feed.buffer = buffer;
    g->feed.weight = weight;
    sl_feed_chunk(&g->feed, pieces->chunk->n_blocks);
    int error = 0;
    while (error >= 0 && sl_slices_next(&slices)) {
        error = sl_feed_slice(&g->feed, &slices.slice, f);
        if (error >= 0 && slices.ends_window) {
            struct sl_names names;
            sl_feed_names(&g->feed, &names);
            error = sl_judge_window(&g->judge, &names, f);
        }
    }
    if (error >= 0 && pieces->chunk->flags & SL_CHUNK_END)
        error = sl_feed_end_thread(&g->feed, pieces->chunk->thread, f);
    return error;
}

int sl_group_finish(struct sl_group *g, struct sl_events *buffer, struct sl_failure *f)
{
    struct sl_names names;
    if (!g->open)
        return 0;
    g->feed.buffer = buffer;
    int error = sl_feed_finish(&g->feed, f);
    sl_feed_names(&g->feed, &names);
    int judged = sl_judge_finish(&g->judge, &names, error < 0 ? NULL : f);
    return error < 0 ? error : judged;
}

void sl_group_close(struct sl_group *g)
{
    sl_feed_close(&g->feed);
    sl_judge_close(&g->judge);
}
