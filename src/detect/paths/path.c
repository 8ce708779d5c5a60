/* SPDX-License-Identifier: MIT */
/* Detector `path`: counts paths, which are sequences of consecutive branches. Tuple: <first pc,
 * outcomes of the branches>.
 *
 * Paper: Vaswani, Thazhuthaveetil, Srikant, "A Programmable Hardware Path Profiler", 2005. Options
 * define what a path is and what each branch does to the stack of paths in flight (path_control.h).
 * The stack is in path_stack.h, the effect of a branch on it in path.h, the tuple in
 * path_descriptor.h.
 *
 * The operations of a branch are determined once for each pair of blocks (flow.h, path_turn.h). A
 * finished path finds its tuple id in a small cache, and in the dictionary only after a miss
 * (path.h). Without weights, eight blocks at once are looked up (path_feed.c).
 *
 * With a metric, a path weighs the event counter of its entry when it is finished: the blocks from
 * its start up to and including the one that ends in its last branch that updates. The paper's
 * counter has 8 bits (bits=8); the default is 64. A smaller one counts in units of the metric (with
 * cachepower, accesses to the instruction cache, as the paper's costs), rounded to the nearest when
 * the path is finished. By `count`, each path weighs 1.
 *
 * Paths that are in flight at the end or that were lost are no events; they are counted (struct
 * sl_path_counts). With --range, a path counts if it starts in the range; with region markers, if
 * it ends between them, with its weight between them.
 *
 * A conditional branch to the next instruction counts as taken, since the stream does not say. */
#include "path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* Block ids are below this, so that they fit next to a trail in 64 bits. */
#define BLOCKS_MAX (UINT64_C(1) << (64 - SL_PATH_TRAIL_BITS))

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    struct sl_path *p = state;
    p->config = *(const struct sl_path_config *)config;
    p->rules = (struct sl_path_rules){.kind = p->config.kind,
                                      .repair = p->config.repair,
                                      .extend = p->config.extend,
                                      .trail_max = UINT64_C(1) << p->config.length};
    sl_path_turns_init(&p->turns, &p->config, env->statics);
    sl_flow_init(&p->flow, env->code, sl_path_turn, &p->turns);
    return sl_path_ids_init(&p->ids, env) ? 0 : sl_out_of_memory(f);
}

static int sync(void *state, struct sl_failure *f)
{
    struct sl_path *p = state;
    if (p->turns.statics->n_blocks >= BLOCKS_MAX)
        return sl_fail(f, SL_ENOMEM,
                       "the program has more than the %llu blocks that the detector path supports: "
                       "profile it without path",
                       (unsigned long long)BLOCKS_MAX);
    return sl_flow_sync(&p->flow, f);
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    return sl_path_feed(state, slice, out, NULL, f);
}

static int feed_timed(void *state, const struct sl_slice *slice, struct sl_events *out,
                      uint8_t *operations, struct sl_failure *f)
{
    memset(operations + slice->block_low, 0, slice->block_high - slice->block_low);
    return sl_path_feed(state, slice, out, operations, f);
}

static void add_counts(struct sl_path_counts *counts, const struct sl_path_thread *t)
{
    counts->lost += t->stack.counts.lost;
    counts->spilled += t->stack.counts.spilled;
    counts->unwound += t->stack.counts.unwound;
    counts->purged += t->stack.counts.purged;
    counts->dropped += t->stack.counts.dropped;
    counts->unfinished += t->stack.top - t->stack.bottom;
}

void sl_path_count(const void *state, struct sl_path_counts *counts)
{
    const struct sl_path *p = state;
    *counts = p->ended;
    for (size_t i = 0; i < p->ids.base.threads.capacity; i++)
        if (p->ids.base.threads.state[i])
            add_counts(counts, p->ids.base.threads.state[i]);
}

/* Reports paths that are no events. Procedures that are active at the end leave unfinished paths in
 * any run. Unfinished paths alone are therefore no reason for a warning. */
static void warning(const void *state, char *out, size_t capacity)
{
    struct sl_path_counts c;
    sl_path_count(state, &c);
    const struct {
        uint64_t n;
        const char *what;
    } part[] = {{c.spilled, "paths spilled to memory"},
                {c.lost, "paths lost by a full stack"},
                {c.unwound + c.purged, "paths unwound by returns"},
                {c.dropped, "paths dropped at signal handlers or gaps in the stream"},
                {c.unfinished, "paths unfinished"}};
    size_t used = 0;
    if (!(c.spilled + c.lost + c.unwound + c.purged + c.dropped))
        return;
    for (size_t i = 0; i < sizeof part / sizeof *part && used < capacity; i++)
        if (part[i].n)
            used += (size_t)snprintf(out + used, capacity - used, "%s%llu %s",
                                     used ? ", " : "path stack: ", (unsigned long long)part[i].n,
                                     part[i].what);
}

static double statistic(const void *state, const char *name)
{
    struct sl_path_counts c;
    sl_path_count(state, &c);
    return !strcmp(name, "lost") ? (double)c.lost : (double)NAN; /* by a full stack */
}

static void free_thread(void *state)
{
    sl_path_stack_free(&((struct sl_path_thread *)state)->stack);
}

static void end_thread(void *state, uint32_t thread, struct sl_events *out)
{
    struct sl_path *p = state;
    (void)out;
    if (thread < p->ids.base.threads.capacity && p->ids.base.threads.state[thread])
        add_counts(&p->ended, p->ids.base.threads.state[thread]);
    sl_threads_end(&p->ids.base.threads, thread, free_thread);
}

static void close_path(void *state)
{
    struct sl_path *p = state;
    sl_flow_free(&p->flow);
    sl_index_free(&p->turns.addresses);
    sl_path_ids_free(&p->ids);
    free(p->ngram);
    sl_threads_free(&p->ids.base.threads, free_thread);
}

static const struct sl_detector_facts facts = {
    .storage_bits = sl_path_storage_bits, .warning = warning, .statistic = statistic};

const struct sl_detector_kind sl_detector_path = {
    .name = "path",
    .summary = "paths (sequences of branches, limited by the options): <first pc, branches>",
    .plural = "paths",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_CODE,
    .second = {"path", "outcomes", SL_FIELD_OUTCOMES},
    .feed_inactive = true,
    .unique_ids = true,
    .default_metric = "count",
    .no_only = "the detector counts whole paths, not single instructions",
    .options = sl_path_options,
    .config_size = sizeof(struct sl_path_config),
    .state_size = sizeof(struct sl_path),
    .resolve = sl_path_check,
    .init = init,
    .sync = sync,
    .feed = feed,
    .feed_timed = feed_timed,
    .end_thread = end_thread,
    .names = sl_detector_state_names,
    .close = close_path,
    .facts = &facts,
    .ngrams = true,
};
