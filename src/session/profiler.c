/* SPDX-License-Identifier: MIT */
/* Model of a hardware path profiler whose branch queue can stall the CPU model, and of the
 * resulting overhead.
 *
 * Whether commit stalls on the profiler's branch queue (src/machine/predictors/branch_queue.h)
 * depends on the profiler's time per branch, which depends on the paths and on the contents of its
 * table, but not on the CPU model. So the profiler processes each chunk before the CPU model runs
 * it, and records the cycles of each branch:
 *
 *     chunk ──► detector, table ──► work, by block ──► CPU model: queue, commit
 *        │                                                 ▲
 *        └─────────────────────────────────────────────────┘
 *
 *     push, update, update_count        1 cycle each
 *     pop                               1 + profiler.latency, and for a path that is not in the
 *                                       table the table's miss latency (sl_table_kind.delay)
 *
 * Detector and table are second instances of those of the profile that is this profiler; the
 * profile itself gets its events after the CPU model, when their weights are known. With the metric
 * `count` both tables are equal. With another metric, events of weight 0 do not change the
 * profile's table, while the one here is searched for every path.
 *
 * The overhead is not the number of stall cycles of commit: misses and functional units proceed
 * during a stall, and later instructions make up for much of it. So a second CPU model without a
 * profiler runs in parallel; the difference of their cycles is the overhead.
 *
 * docs/results/paths.md compares the overhead of 12 programs with the paper (Vaswani et al., 2005).
 *
 * A queue cannot hide loops in which a branch recurs within the four cycles of update, pop and
 * push. (If `queue = 0` meant that commit waits until the profiler has finished the branch itself,
 * the overhead of bzip2 would be 16.7 %.)
 *
 * The profiler processes the whole run, whatever --range and --marked select for the profile.
 *
 * Not modelled: the time of software that reads the table; repair of the stack (longjmp, signals),
 * which handlers do in the paper; a stack that spills. */
#include "session.h"

#include <stdlib.h>

#include "failure.h"

/* ---- choice of the profile ---- */

int sl_profiler_choose(struct sl_profiler *p, struct sl_machine *machine,
                       const struct sl_profile *profile, size_t n, struct sl_failure *f)
{
    *p = (struct sl_profiler){.machine = machine};
    if (!machine || sl_machine_profiler(machine)->queue == SL_BRANCH_QUEUE_NONE)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const struct sl_profile_spec *spec = &profile[i].spec;
        if (spec->n_detectors != 1 || !spec->detector[0].kind->feed_timed || !spec->table->timing ||
            !spec->table->timing->delay)
            continue;
        if (p->profile)
            return sl_fail(
                f, SL_EUSAGE,
                "profiler.queue can model only one path profile per run: use the profile %s in "
                "another run",
                spec->given);
        p->profile = &profile[i];
        p->kind = spec->detector[0].kind;
    }
    if (!p->profile)
        return sl_fail(f, SL_EUSAGE,
                       "profiler.queue needs a path profile with a table whose latency is "
                       "modelled: add path@hpt");
    return 0;
}

/* ---- open and close ---- */

int sl_profiler_open(struct sl_profiler *p, const struct sl_detector_env *env, struct sl_failure *f)
{
    struct sl_table_host host = {0};
    if (!p->profile)
        return 0;
    p->detector = calloc(1, p->kind->state_size);
    p->operations = malloc(SL_CHUNK_BLOCKS * sizeof *p->operations);
    p->work = malloc(SL_CHUNK_BLOCKS * sizeof *p->work);
    if (!sl_events_allocate(&p->events, SL_EVENTS_MAX, true) || !p->detector || !p->operations ||
        !p->work)
        return sl_out_of_memory(f);
    p->env = *env;
    p->env.selection = &p->all;
    int error = sl_selection_init(&p->all, NULL, NULL, f);
    if (error >= 0)
        error = p->kind->init(p->detector, p->profile->spec.detector[0].config, &p->env, f);
    p->opened = error >= 0;
    if (error >= 0)
        error = sl_table_create(&p->table, p->profile->spec.table, p->profile->spec.table_config,
                                &host, f);
    if (error >= 0)
        error = sl_machine_open(&p->unhindered, sl_machine_name(p->machine), f);
    return error < 0 ? error : sl_machine_attach(p->machine, p->work, f);
}

void sl_profiler_close(struct sl_profiler *p)
{
    if (p->opened)
        p->kind->close(p->detector);
    free(p->detector);
    sl_table_close(p->table);
    p->table = NULL;
    sl_machine_close(p->unhindered);
    sl_selection_free(&p->all);
    sl_events_free(&p->events);
    free(p->operations);
    free(p->work);
}

int sl_profiler_sync(struct sl_profiler *p, struct sl_failure *f)
{
    if (!p->profile)
        return 0;
    int error = sl_selection_sync(&p->all, p->env.code, p->env.symbols, f);
    if (error >= 0)
        error = p->kind->sync(p->detector, f);
    return error < 0 ? error : sl_machine_sync(p->unhindered, p->env.code, f);
}

/* ---- running ---- */

/* Adds a finished path to the table. Returns the cycles for that in addition to the pop. */
static uint32_t add_path(struct sl_profiler *p, const struct sl_tuple_names *names,
                         uint32_t tuple_id)
{
    struct sl_event event = {tuple_id, {names->pc[tuple_id], names->value[tuple_id]}, 1, NULL, 0,
                             0};
    uint32_t delay = sl_table_delay(p->table, &event);
    sl_table_step(p->table, &event);
    return (uint32_t)sl_machine_profiler(p->machine)->latency + delay;
}

static void note_work(struct sl_profiler *p, uint32_t n_blocks)
{
    const struct sl_events *events = &p->events;
    struct sl_tuple_names names;
    p->kind->names(p->detector, &names);
    for (uint32_t i = 0; i < n_blocks; i++)
        p->work[i] = p->operations[i];
    for (size_t i = 0; i < events->n; i++)
        p->work[events->position[i] - 1] += add_path(p, &names, events->tuple_id[i]);
    for (uint32_t i = 0; i < n_blocks; i++) {
        p->branches += p->work[i] != 0;
        p->cycles += p->work[i];
    }
}

int sl_profiler_run(struct sl_profiler *p, const struct sl_chunk *chunk, struct sl_failure *f)
{
    if (!p->profile)
        return 0;
    struct sl_slice slice = {.chunk = chunk,
                             .block_high = chunk->n_blocks,
                             .active = true,
                             .joined = !(chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP))};
    p->events.n = 0;
    int error = p->kind->feed_timed(p->detector, &slice, &p->events, p->operations, f);
    if (error < 0)
        return error;
    note_work(p, chunk->n_blocks);
    if (chunk->flags & SL_CHUNK_END)
        p->kind->end_thread(p->detector, chunk->thread, &p->events);
    return sl_machine_run(p->unhindered, chunk, f);
}
