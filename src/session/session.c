/* SPDX-License-Identifier: MIT */
/* Runs a session: reads one stream and passes its events to any number of profiles. session_open.c
 * opens and closes sessions.
 *
 * For every chunk:
 *   1. new static facts are decoded,
 *   2. the CPU models run it,
 *   3. block pairs are counted and function exits found, once for all detectors that use them
 *      (block_pairs.h, plan.c),
 *   4. its blocks are weighted, once per metric,
 *   5. it is divided into pieces (slices.c),
 *   6. each group runs it (group.h), in the worker pool (worker_pool.c). */
#include "session.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "function_table.h"
#include "resources.h"

#define PROGRESS_EVERY 64u        /* chunks */
#define MEMORY_EVERY 64u          /* chunks */
#define MEMORY_EVERY_INSNS 65536u /* or new static instructions */
/* Static tuples for which tables store hashes; memory is used as they appear. */
#define HASHED_NAMES (1u << 20)
/* Small tables, and buffers that exist before tables are full. */
#define MEMORY_FIXED (UINT64_C(64) << 20)

static int check_stream_needs(const struct sl_session *s, const struct sl_detector_kind *kind,
                              struct sl_failure *f)
{
    unsigned missing = kind->stream_needs & ~sl_source_contents(s->source);
    if (!missing)
        return 0;
    const char *what = missing & SL_NEED_VALUES ? "values" : "addresses";
    if (s->source->statics.program.arch == SL_ARCH_DESCRIBED)
        return sl_fail(f, SL_EUSAGE,
                       "%s needs the %s of loads, which streams of this format do not have: run "
                       "the program with sluice, or profile blocks and branches",
                       kind->name, what);
    return sl_fail(f, SL_EUSAGE,
                   "%s needs load %s, which this trace does not have: record it again for the "
                   "profile %s",
                   kind->name, what, kind->name);
}

/* Load sampling is allowed only if all profiles that read loads are value profiles. */
static int check_load_sampling(const struct sl_session *s, struct sl_failure *f)
{
    unsigned needs = sl_session_needs(s);
    if (s->source->load_sampler.sampling.of <= 1 || needs == SL_NEED_VALUES)
        return 0;
    return sl_fail_setting(
        f, "sample-loads",
        needs ? "CPU models and address profiles need all loads: do not sample loads"
              : "loads are sampled, but no profile reads load values: add one, for example the "
                "profile value");
}

/* Chooses the groups' execution plans, and opens the pass over block pairs that they share. */
static int choose_plans(struct sl_session *s, struct sl_failure *f)
{
    struct sl_plan_needs needs;
    bool whole_chunks = !s->machine && !s->evaluation.enabled && !s->cutter.marked &&
                        !s->cutter.waits && !s->selection.by_range && !s->selection.by_class;
    sl_plan_choose(s->group, s->n_groups, whole_chunks, &needs);
    sl_live_costs_start(&s->live.functions);
    s->weighs = needs.weights;
    if (!needs.block_pairs)
        return 0;
    if (!(s->pairs = malloc(sizeof *s->pairs)) || !sl_block_pairs_init(s->pairs, &s->env))
        return sl_out_of_memory(f);
    s->pairs->need_counts = needs.counts;
    s->pairs->need_exits = needs.exits;
    s->pairs->need_loop_exits = needs.loop_exits;
    return 0;
}

/* Static facts change only while no group runs. */
static void wait_for_workers(void *pool)
{
    sl_worker_pool_wait(pool);
}

/* Starts reading the symbols of new objects, which come before their first block. */
static int look_at_objects(void *session, const uint8_t *data, size_t size, struct sl_failure *f)
{
    (void)data, (void)size, (void)f;
    sl_symbols_ahead(((struct sl_session *)session)->symbols);
    return 0;
}

static int begin(struct sl_session *s, struct sl_source *source, struct sl_failure *f)
{
    s->source = source;
    const struct sl_detector_slot *m;
    int error = 0;
    for (size_t i = 0; error >= 0 && (m = sl_session_detector(s, i)); i++)
        error = check_stream_needs(s, m->kind, f);
    if (error >= 0)
        error = check_load_sampling(s, f);
    if (error >= 0 && s->machine && source->statics.program.arch == SL_ARCH_NONE)
        return sl_fail_setting(
            f, "machine",
            "a CPU model needs instructions, and a synthetic stream has none: "
            "replay a program's trace, recorded for the CPU model %s, or use no CPU model",
            sl_machine_name(s->machine));
    if (error >= 0 && s->machine &&
        ~sl_source_contents(source) & (SL_NEED_ADDRESSES | SL_NEED_STORES))
        return sl_fail(f, SL_EUSAGE,
                       "a CPU model needs the addresses of loads and stores, which this trace does "
                       "not have: record it again for the CPU model %s",
                       sl_machine_name(s->machine));
    if (error >= 0)
        error = sl_code_init(&s->code, &source->statics, f);
    if (error < 0)
        return error;
    sl_source_needs(source, sl_session_needs(s));
    s->started = true;
    if (!(s->symbols = sl_symbols_open(&source->statics)))
        return sl_out_of_memory(f);
    sl_symbols_stop_at(s->symbols, &source->stopped);
    if (s->reads_ahead)
        sl_symbols_ahead(s->symbols); /* starts its process before tables are allocated */
    s->env = (struct sl_detector_env){&source->statics, &s->code, s->symbols, &s->selection,
                                      s->machine};
    error = sl_profiler_open(&s->profiler, &s->env, f);
    struct sl_table_host host = {.memory_bytes = s->n_groups ? s->memory_bytes / s->n_groups : 0,
                                 .helpers = sl_cpus(s->n_threads) - 1,
                                 .spill_directory = s->spill_directory,
                                 .names = HASHED_NAMES,
                                 .functions = &s->functions};
    for (size_t i = 0; i < s->n_groups && error >= 0; i++)
        error = sl_group_open(&s->group[i], &s->env, &s->evaluation, host, f);
    if (error >= 0)
        error = choose_plans(s, f);
    /* With one group, the threads that prefetch a trace need a CPU of their own; several groups
     * share the CPUs with them. */
    bool other_busy = source->ops->signal || (source->ahead_bytes && s->n_groups == 1);
    if (error >= 0)
        error = sl_worker_pool_open(&s->pool, s->group, s->n_groups, s->n_metrics, s->pairs,
                                    s->n_threads, other_busy, f);
    source->before_records = wait_for_workers;
    source->before_records_context = &s->pool;
    source->on_records = s->reads_ahead ? look_at_objects : NULL;
    source->on_records_context = s;
    source->while_waiting = s->live.callbacks.poll;
    source->while_waiting_context = s->live.callbacks.context;
    return error;
}

/* Tries again until the program's own object is known: the dynamic loader runs before it. */
static int find_functions(struct sl_session *s, struct sl_failure *f)
{
    if (!s->needs_functions || s->functions.n)
        return 0;
    sl_function_list_free(&s->functions);
    return sl_symbols_program(s->symbols, &s->functions) ? 0 : sl_out_of_memory(f);
}

/* Looks for the --start-at function whenever there are new objects. */
static void look_for_start(struct sl_session *s)
{
    const struct sl_statics *statics = &s->source->statics;
    uint64_t end;
    if (!s->cutter.waits || s->cutter.start || s->n_objects_seen == statics->n_objects)
        return;
    s->n_objects_seen = statics->n_objects;
    if (!sl_symbols_find(s->symbols, s->start_at, &s->cutter.start, &end))
        s->cutter.start = 0;
}

/* Decodes new blocks and passes them to all components, before the chunk that executes them. */
static int catch_up(struct sl_session *s, struct sl_failure *f)
{
    if (s->n_blocks_seen == s->source->statics.n_blocks)
        return 0;
    int error = sl_code_sync(&s->code, f);
    for (size_t i = 0; i < s->n_machines && error >= 0; i++)
        error = sl_machine_sync(s->machines[i], &s->code, f);
    if (error >= 0)
        error = sl_selection_sync(&s->selection, &s->code, s->symbols, f);
    look_for_start(s);
    if (error >= 0)
        error = find_functions(s, f);
    if (error >= 0)
        error = sl_profiler_sync(&s->profiler, f);
    if (error >= 0 && s->pairs)
        error = sl_block_pairs_sync(s->pairs, f);
    for (size_t i = 0; i < s->n_groups && error >= 0; i++)
        if (sl_plan_reads_chunks(s->group[i].plan))
            error = sl_detector_set_sync(&s->group[i].detectors, f);
    if (error >= 0)
        s->n_blocks_seen = s->source->statics.n_blocks;
    return error;
}

static uint64_t instructions_of(const struct sl_session *s, const struct sl_chunk *chunk)
{
    const uint16_t *size = s->source->statics.block_size;
    const uint32_t *block = chunk->block;
    uint32_t sum = 0; /* 32 bits suffice for a chunk, as for sl_exits.instructions */
    for (uint32_t i = 0; i < chunk->n_blocks; i++)
        sum += size[block[i]];
    return sum;
}

static void add_totals(struct sl_session *s, const struct sl_chunk *chunk, uint64_t instructions)
{
    s->instructions += instructions;
    s->blocks += chunk->n_blocks;
    if (!(sl_source_contents(s->source) & (SL_NEED_ADDRESSES | SL_NEED_STORES))) {
        s->loads += chunk->n_mems;
        return;
    }
    for (uint32_t i = 0; i < chunk->n_mems; i++)
        s->loads += !(chunk->mem_insn[i] & (SL_MEM_STORE | SL_MEM_MORE));
}

static int feed_chunk(struct sl_session *s, struct sl_chunk *chunk, struct sl_failure *f)
{
    sl_thread_slots_assign(&s->threads, chunk);
    if (chunk->flags & SL_CHUNK_END)
        sl_thread_slots_release(&s->threads, chunk);
    int error = catch_up(s, f);
    if (error < 0)
        return error;
    if (!s->pairs)
        add_totals(s, chunk, instructions_of(s, chunk));
    if ((error = sl_profiler_run(&s->profiler, chunk, f)) < 0)
        return error;
    if (s->reads_machine)
        sl_worker_pool_wait(&s->pool);
    for (size_t i = 0; i < s->n_machines; i++)
        if ((error = sl_machine_run(s->machines[i], chunk, f)) < 0)
            return error;
    struct sl_job *job = sl_worker_pool_job(&s->pool, chunk);
    if (s->pairs && (error = sl_block_pairs_run(s->pairs, chunk, job->exits, f)) < 0)
        return error;
    if (s->pairs)
        add_totals(s, chunk, job->exits->instructions);
    job->pieces.exits = job->exits;
    struct sl_weighing from = {&s->source->statics, chunk, s->machine};
    for (size_t i = 0; i < s->n_metrics && s->weighs; i++)
        s->metric[i]->weigh(s->metric[i], &from, job->weight[i]);
    error = sl_cutter_cut(&s->cutter, &job->chunk, &s->source->statics, &job->pieces, f);
    return error < 0 ? error : sl_worker_pool_post(&s->pool, f);
}

/* Bytes that the process has allocated. */
static uint64_t allocated(void)
{
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

/* Tables observe their own limit, and so do the second tables for windows (evaluator.h). Everything
 * else that grows with the run may take as much again: code, tuples, contexts, calls, threads,
 * functions, lines. It is measured as a whole, by the allocations of the process. Prefetched data
 * does not count. */
static bool takes_too_much(const struct sl_session *s)
{
    uint64_t now = allocated(), shares = s->evaluation.enabled ? 3 : 2;
    uint64_t ahead = s->source->ahead_bytes;
    uint64_t most = s->memory_bytes < UINT64_MAX / 4
                        ? shares * s->memory_bytes + MEMORY_FIXED + ahead
                        : UINT64_MAX;
    return now > s->allocated_before && now - s->allocated_before > most;
}

/* New code uses memory fastest: a whole chunk may consist of it. */
static bool is_due(struct sl_session *s, unsigned chunks)
{
    size_t n = s->source->statics.n_block_insns;
    if (chunks % MEMORY_EVERY && n - s->n_insns_checked < MEMORY_EVERY_INSNS)
        return false;
    s->n_insns_checked = n;
    return true;
}

static int check_memory(const struct sl_session *s, struct sl_failure *f)
{
    if (!takes_too_much(s))
        return 0;
    return sl_fail(f, SL_ENOMEM,
                   "out of memory for code, call and thread data: the profile ends here; allow "
                   "more memory or use fewer profiles");
}

/* Warns if a selection (--start-at, --marked, --range, --only) matched nothing. */
static void explain_emptiness(struct sl_session *s)
{
    bool chosen = false;
    for (size_t i = 0; i < s->selection.n_chosen && !chosen; i++)
        chosen = s->selection.chosen[i];
    if (s->cutter.waits)
        snprintf(
            s->warning, sizeof s->warning,
            s->cutter.start
                ? "nothing was counted: the function %.100s was never called"
                : "nothing was counted: the program has no symbol of the function %.100s, which "
                  "may be inlined or stripped",
            s->start_at);
    else if (s->cutter.marked && !s->cutter.mark_seen)
        snprintf(s->warning, sizeof s->warning,
                 "nothing was counted, because no region marker was executed: is SLUICE_BEGIN() in "
                 "the program?");
    else if (!chosen && s->selection.n_chosen)
        snprintf(s->warning, sizeof s->warning,
                 "nothing was counted, because no instruction in the selected range or class was "
                 "executed");
}

/* Warns that errors are wrong if the exact profiles dropped events. */
static void explain_errors(struct sl_session *s)
{
    uint64_t missing = sl_session_exact_drops(s);
    size_t used = strlen(s->warning);
    if (missing)
        snprintf(s->warning + used, sizeof s->warning - used,
                 "%sthe measured errors are wrong, because the exact profiles reached their memory "
                 "limit and lack %llu events: allow more memory",
                 used ? "; " : "", (unsigned long long)missing);
}

/* Reads the next chunk, into the arrays of its job if the source can do that. */
static int next_chunk(struct sl_session *s, struct sl_source *source, struct sl_chunk *chunk,
                      struct sl_failure *f)
{
    double begun = s->reading ? sl_thread_seconds() : 0;
    source->into = sl_worker_pool_arrays(&s->pool);
    int more = sl_source_next(source, chunk, f);
    if (s->reading)
        *s->reading += sl_thread_seconds() - begun;
    return more;
}

/* Adds totals, flushes events and finishes the tables of a group. Returns the first error. */
static int finish_group(struct sl_session *s, struct sl_group *g, struct sl_failure *f)
{
    struct sl_failure ignored;
    struct sl_events *buffer = &s->pool.worker[0].buffer;
    int error = 0;
    /* Totals need every block that the stream described, also those that were never entered. */
    if (g->plan >= SL_PLAN_EXIT_TOTALS && (error = catch_up(s, f)) >= 0) {
        sl_block_pairs_flush(s->pairs);
        error = sl_group_add_totals(g, s->pairs, buffer, f);
    }
    int finished = sl_group_finish(g, buffer, error < 0 ? &ignored : f);
    return error < 0 ? error : finished;
}

/* Finishes all groups and sets the warning. `error` is that of the run, described in `f`, or 0.
 * Returns it, or else the first error of a group. */
static int finish(struct sl_session *s, const char *warning, int error, struct sl_failure *f)
{
    sl_worker_pool_wait(&s->pool);
    s->finished = true;
    snprintf(s->warning, sizeof s->warning, "%s", warning);
    if (!s->warning[0])
        explain_emptiness(s);
    /* Derived groups come after their sources. */
    for (unsigned turn = 0; turn < 2 && s->pool.n_workers; turn++)
        for (size_t i = 0; i < s->n_groups; i++) {
            struct sl_failure at_the_end;
            if (turn == (s->group[i].plan == SL_PLAN_DERIVED) &&
                finish_group(s, &s->group[i], &at_the_end) < 0 && error >= 0)
                error = sl_fail(f, at_the_end.code, "%s", at_the_end.text);
        }
    explain_errors(s);
    return error < 0 ? error : sl_selection_check(&s->selection, f);
}

int sl_session_run(struct sl_session *s, struct sl_source *source,
                   void (*progress)(void *context, uint64_t events, uint64_t instructions),
                   void *context, struct sl_failure *f)
{
    SL_REQUIRE(f, s && source && !s->source);
    struct sl_chunk chunk;
    int more = begin(s, source, f);
    s->allocated_before = allocated();
    for (unsigned chunks = 0; more >= 0 && (more = next_chunk(s, source, &chunk, f)) > 0;
         chunks++) {
        int error = feed_chunk(s, &chunk, f);
        if (error >= 0 && is_due(s, chunks))
            error = check_memory(s, f);
        if (error < 0)
            more = error;
        if (progress && chunks % PROGRESS_EVERY == 0)
            progress(context, s->blocks + s->loads, s->instructions);
        if (s->live.callbacks.poll)
            s->live.callbacks.poll(s->live.callbacks.context);
    }
    source->before_records = NULL;
    source->on_records = NULL;
    source->while_waiting = NULL;
    source->into = NULL;
    return finish(s, more < 0 && f ? f->text : source->warning, more, f);
}

uint64_t sl_session_instructions(const struct sl_session *s)
{
    return s ? s->instructions : 0;
}

void sl_session_pause(struct sl_session *s)
{
    if (!s)
        return;
    sl_worker_pool_wait(&s->pool);
    for (size_t i = 0; i < s->n_groups; i++)
        sl_group_rest(&s->group[i]);
    if (s->symbols)
        sl_symbols_rest(s->symbols);
}

int sl_session_conclude(struct sl_session *s, struct sl_failure *f)
{
    SL_REQUIRE(f, s && s->started && !s->finished);
    s->live.callbacks = (struct sl_session_callbacks){0};
    return finish(
        s, "saved while the program was running: the profile does not contain the rest of the run",
        0, f);
}
