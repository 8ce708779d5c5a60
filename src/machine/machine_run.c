/* SPDX-License-Identifier: MIT */
/* Main loop of the CPU model: for each block of a chunk, runs the branch predictor and the core
 * model, and counts the machine events of both. */
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "machine_state.h"

/* ---- counting ---- */

static void derive_accesses(struct sl_machine *m)
{
    const struct sl_hierarchy *h = m->hierarchy;
    uint64_t loads = h->kind[SL_ACCESS_LOAD].accesses + h->hits[SL_ACCESS_LOAD];
    uint64_t stores = h->kind[SL_ACCESS_STORE].accesses + h->hits[SL_ACCESS_STORE];
    m->totals[SL_MACHINE_FETCH_LINES] = h->kind[SL_ACCESS_FETCH].accesses +
                                        h->hits[SL_ACCESS_FETCH];
    m->totals[SL_MACHINE_DATA_ACCESSES] = loads + stores;
}

static void derive_misses(struct sl_machine *m)
{
    const struct sl_hierarchy *h = m->hierarchy;
    const struct sl_access_counters *fetch = &h->kind[SL_ACCESS_FETCH];
    const struct sl_access_counters *load = &h->kind[SL_ACCESS_LOAD];
    const struct sl_access_counters *store = &h->kind[SL_ACCESS_STORE];
    const struct sl_cache *l1d = h->port[1].l1;
    const struct sl_cache *l2 = h->below[0].cache, *l3 = h->below[1].cache;
    const struct sl_cache *part[] = {h->port[0].l1, l1d, l2, l3};
    uint64_t *to = m->totals;
    to[SL_MACHINE_IMISS] = fetch->l1_misses;
    to[SL_MACHINE_DMISS] = load->l1_misses + store->l1_misses;
    to[SL_MACHINE_DWRITEBACK] = l1d ? l1d->counters.writebacks : 0;
    to[SL_MACHINE_L2MISS] = fetch->l2_misses + load->l2_misses + store->l2_misses;
    to[SL_MACHINE_L2_ACCESSES] = l2 ? l2->counters.reads + l2->counters.writes : 0;
    to[SL_MACHINE_L3MISS] = fetch->l3_misses + load->l3_misses + store->l3_misses;
    to[SL_MACHINE_L3_ACCESSES] = l3 ? l3->counters.reads + l3->counters.writes : 0;
    to[SL_MACHINE_PREFETCHES] = to[SL_MACHINE_PREFETCH_HITS] = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        to[SL_MACHINE_PREFETCHES] += part[i] ? part[i]->counters.prefetches : 0;
        to[SL_MACHINE_PREFETCH_HITS] += part[i] ? part[i]->counters.prefetch_hits : 0;
    }
    to[SL_MACHINE_MEMORY] = h->memory_reads + h->memory_writes;
    to[SL_MACHINE_ITLB_MISS] = fetch->tlb_misses;
    to[SL_MACHINE_DTLB_MISS] = load->tlb_misses + store->tlb_misses;
}

static void derive(struct sl_machine *m)
{
    derive_accesses(m);
    derive_misses(m);
    m->totals[SL_MACHINE_CACHE_POWER] = sl_power_cache_cost(&m->power, m->totals);
}

/* The same after each block. Counters of misses are read only if accesses have missed the fast path
 * since. */
static inline void derive_after_block(struct sl_machine *m)
{
    const struct sl_access_counters *kind = m->hierarchy->kind;
    uint64_t searches = kind[SL_ACCESS_FETCH].accesses + kind[SL_ACCESS_LOAD].accesses +
                        kind[SL_ACCESS_STORE].accesses;
    derive_accesses(m);
    if (searches != m->searches)
        derive_misses(m);
    m->searches = searches;
    if (m->needs_power)
        m->totals[SL_MACHINE_CACHE_POWER] = sl_power_cache_cost(&m->power, m->totals);
}

static inline void add_classes(struct sl_machine *m, const struct sl_op_classes *classes)
{
    for (unsigned i = 0; i < SL_OP_CLASSES; i++)
        m->totals[SL_MACHINE_INSTRUCTIONS + i] += classes->n[i];
}

/* Prepares the outputs of a chunk. */
static int begin_outputs(struct sl_machine *m, const struct sl_chunk *chunk, struct sl_failure *f)
{
    for (unsigned i = 0; i < m->n_requested; i++)
        if (!SL_GROW(m->row[m->requested[i]], m->row_capacity[m->requested[i]], chunk->n_blocks))
            return sl_out_of_memory(f);
    if ((m->needs_log && !sl_event_log_begin(&m->log, chunk->n_blocks)) ||
        (m->needs_commits && !sl_commit_log_begin(&m->commits, &m->ops, chunk)) ||
        (m->needs_ops && !sl_op_log_begin(&m->ops_log, chunk->n_blocks)) ||
        !SL_GROW(m->reference, m->references_capacity, chunk->n_mems) ||
        (m->needs_accesses &&
         !SL_GROW(m->access_events, m->access_events_capacity, (size_t)chunk->n_mems + 1)))
        return sl_out_of_memory(f);
    if (m->needs_accesses) {
        memset(m->access_events, 0, chunk->n_mems);
        m->hierarchy->access_events = m->access_events;
        m->hierarchy->access_events_capacity = chunk->n_mems;
    }
    return 0;
}

/* Writes the block's row: the events since the previous block. */
static inline void write_row(struct sl_machine *m, uint32_t at)
{
    if (m->needs_derived)
        derive_after_block(m);
    for (unsigned i = 0; i < m->n_requested; i++) {
        unsigned event = m->requested[i];
        uint64_t n = m->totals[event] - m->counted[event];
        m->row[event][at] = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
        m->counted[event] = m->totals[event];
    }
}

/* Logs the events since the previous instruction. */
static void log_insn(void *context, uint32_t insn)
{
    struct sl_machine *m = context;
    derive_after_block(m);
    sl_op_log_add(&m->ops_log, m->totals, insn);
}

/* Adds an event to the block before `at`, whose row is written already. */
static void count_before(struct sl_machine *m, enum sl_machine_event event, uint32_t at)
{
    m->totals[event]++;
    if (at && m->row[event]) {
        m->row[event][at - 1]++;
        m->counted[event]++;
    }
    if (at && m->needs_log)
        sl_event_log_add_late(&m->log, event);
}

/* ---- running ---- */

/* Predicts the branch to the block at `at`, and records the result for the core. */
static inline void predict_branch(struct sl_machine *m, struct sl_thread_position *position,
                                  uint32_t block, uint32_t at, struct sl_block_execution *e)
{
    static const enum sl_machine_event wrong[SL_PREDICTION_COUNT] = {
        [SL_MISFETCHED] = SL_MACHINE_MISFETCH,
        [SL_MISDIRECTED] = SL_MACHINE_WRONG_DIRECTION,
        [SL_MISTARGETED] = SL_MACHINE_WRONG_TARGET};
    struct sl_retired_branch branch;
    uint32_t from = position->block;
    enum sl_arrival how = sl_arrival_step(m->code, position, block, &branch);
    e->prediction = SL_PREDICTED;
    e->taken = how == SL_ARRIVED_UNKNOWN;
    if (how != SL_ARRIVED_BY_BRANCH)
        return;
    e->taken = branch.taken;
    e->prediction = sl_predictor_step(m->predictor, &branch);
    if (e->prediction != SL_PREDICTED)
        count_before(m, wrong[e->prediction], at);
    if (e->prediction != SL_PREDICTED && m->needs_ops)
        log_insn(m, m->code->end[from].branch_insn);
}

/* The next data access is the chunk's memory event at `at`. */
static inline void set_access_index(struct sl_machine *m, uint32_t at)
{
    if (m->needs_accesses)
        m->hierarchy->access_events_from = sl_hierarchy_data_accesses(m->hierarchy) - at;
}

/* Makes the chunk's first `n` accesses, whose block was run with an earlier chunk. */
static void run_late_accesses(struct sl_machine *m, const struct sl_chunk *chunk, uint32_t n)
{
    uint64_t *to = m->totals;
    set_access_index(m, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct sl_reference r = sl_reference_of(chunk, i);
        struct sl_stall stall = sl_access_stall(
            m->hierarchy, r.store ? SL_ACCESS_STORE : SL_ACCESS_LOAD, r.address, r.size);
        to[SL_MACHINE_DATA_HALVES] += 2;
        to[SL_MACHINE_CYCLES] += stall.walk + stall.rest;
        to[SL_MACHINE_STALL_DTLB] += stall.walk;
        to[SL_MACHINE_STALL_DATA] += stall.rest;
        uint32_t insn = chunk->mem_insn[i] & SL_MEM_INSN_MASK;
        if (m->needs_ops && insn < m->code->statics->n_insns)
            log_insn(m, insn);
    }
    sl_power_add_energy(&m->power, 0, to);
}

/* The last instruction was the branch to this block, or belongs to another thread; in the latter
 * case the branch enters the queue when its thread continues. */
static void queue_branch(struct sl_machine *m, uint32_t work)
{
    const struct sl_core_kind *kind = m->config.core_kind;
    if (work)
        kind->hold(m->core, sl_branch_queue_put(&m->queue, kind->committed(m->core), work));
}

static inline __attribute__((always_inline)) void run_block(struct sl_machine *m,
                                                            const struct sl_chunk *chunk,
                                                            struct sl_thread_position *position,
                                                            uint32_t at, bool detailed)
{
    uint32_t block = chunk->block[at], first = m->ops.block_at[block];
    uint32_t low = chunk->block_mem[at];
    uint32_t high = sl_chunk_mem(chunk, at + 1);
    struct sl_block_execution e = {.op = m->ops.op + first,
                                   .n_ops = m->ops.block_at[block + 1] - first,
                                   .after_op = detailed && m->needs_ops ? log_insn : NULL,
                                   .context = m};
    if (detailed && m->needs_commits)
        e.commit = m->commits.commit + m->commits.first[at];
    sl_shapes_gather(&m->shapes, chunk, block, low, high - low, m->reference, &e);
    if (detailed)
        set_access_index(m, low);
    predict_branch(m, position, block, at, &e);
    if (detailed && m->needs_ops && at)
        m->ops_log.first[at] = (uint32_t)m->ops_log.n;
    e.taken |= m->running != chunk->thread;
    m->running = chunk->thread;
    if (detailed && m->work)
        queue_branch(m, m->work[at]);
    m->config.core_kind->block(m->core, &e, m->totals);
    add_classes(m, &m->ops.classes[block]);
    sl_power_add_energy(&m->power, m->power.mean[block], m->totals);
    if (detailed && m->needs_parts)
        sl_power_add_parts(&m->power, &m->code->statics->block[block], block, m->totals);
    write_row(m, at);
    if (detailed && m->needs_log)
        sl_event_log_add(&m->log, m->totals, at);
}

static void run_blocks(struct sl_machine *m, const struct sl_chunk *chunk,
                       struct sl_thread_position *position)
{
    if (m->needs_ops || m->needs_commits || m->needs_accesses || m->needs_parts || m->needs_log ||
        m->work)
        for (uint32_t i = 0; i < chunk->n_blocks; i++)
            run_block(m, chunk, position, i, true);
    else
        for (uint32_t i = 0; i < chunk->n_blocks; i++)
            run_block(m, chunk, position, i, false);
}

/* Returns the position of the chunk's thread; NULL if out of memory. */
static struct sl_thread_position *position_of(struct sl_machine *m, const struct sl_chunk *chunk)
{
    size_t n_known = m->threads.n_keys;
    uint32_t number = sl_index_add(&m->threads, chunk->thread, 0);
    if (number == SL_NO_INDEX || !SL_GROW(m->position, m->positions_capacity, (size_t)number + 1))
        return NULL;
    if (number == n_known || chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP))
        sl_arrival_reset(&m->position[number]);
    return &m->position[number];
}

/* ---- functional warming ----
 *
 * Wunderlich, Wenisch, Falsafi and Hoe, "SMARTS: Accelerating microarchitecture simulation via
 * rigorous statistical sampling", 2003. A chunk runs through caches, TLBs, prefetchers and
 * predictors, but through no core, so that a detailed run finds them warm.
 *
 * For each block its branch is predicted, its lines are fetched, then its accesses are made. The
 * clock, which prefetchers read, advances by one cycle per instruction.
 *
 * Different from a detailed run: the order of a block's lines and accesses, and the latency of
 * prefetched lines. */

static inline void fetch_lines(struct sl_hierarchy *h, uint64_t pc, uint64_t end)
{
    unsigned line_log2 = h->port[0].line_log2;
    uint64_t last = (end > pc ? end - 1 : pc) >> line_log2;
    for (uint64_t line = pc >> line_log2; line <= last; line++)
        sl_hierarchy_access(h, SL_ACCESS_FETCH, line << line_log2, 1);
}

static inline void access_data(struct sl_hierarchy *h, const struct sl_statics *statics,
                               const struct sl_chunk *chunk, uint32_t at)
{
    uint32_t word = chunk->mem_insn[at], insn = word & SL_MEM_INSN_MASK;
    h->pc = insn < statics->n_insns ? statics->insn[insn].pc : 0;
    sl_hierarchy_access(h, word & SL_MEM_STORE ? SL_ACCESS_STORE : SL_ACCESS_LOAD,
                        chunk->mem_addr[at], 1u << (word >> SL_MEM_SIZE_SHIFT & 7));
}

static void warm(struct sl_machine *m, struct sl_thread_position *position,
                 const struct sl_chunk *chunk)
{
    struct sl_hierarchy *h = m->hierarchy;
    const struct sl_statics *statics = m->code->statics;
    struct sl_retired_branch branch;
    uint32_t at = 0;
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        uint32_t block = chunk->block[i];
        for (; at < chunk->block_mem[i]; at++)
            access_data(h, statics, chunk, at);
        if (sl_arrival_step(m->code, position, block, &branch) == SL_ARRIVED_BY_BRANCH)
            sl_predictor_step(m->predictor, &branch);
        fetch_lines(h, statics->block[block].pc, m->code->end[block].next);
        h->now += statics->block_size[block];
    }
    for (; at < chunk->n_mems; at++)
        access_data(h, statics, chunk, at);
}

/* ---- chunks ---- */

/* Checks the chunk and finds the position of its thread. */
static int begin_chunk(struct sl_machine *m, const struct sl_chunk *chunk,
                       struct sl_thread_position **position, struct sl_failure *f)
{
    if (!chunk->block_mem || !chunk->mem_addr)
        return sl_fail(f, SL_EUSAGE,
                       "the CPU model needs the addresses of loads and stores, which this stream "
                       "does not have");
    return (*position = position_of(m, chunk)) ? 0 : sl_out_of_memory(f);
}

int sl_machine_warm(struct sl_machine *m, const struct sl_chunk *chunk, struct sl_failure *f)
{
    const struct sl_core_kind *kind = m->config.core_kind;
    struct sl_thread_position *position;
    int status = begin_chunk(m, chunk, &position, f);
    if (status)
        return status;
    uint64_t now = kind->committed(m->core);
    if (m->hierarchy->now < now)
        m->hierarchy->now = now;
    m->hierarchy->access_events = NULL;
    warm(m, position, chunk);
    kind->hold(m->core, m->hierarchy->now);
    derive(m);
    memcpy(m->counted, m->totals, sizeof m->counted); /* belongs to no block */
    return 0;
}

int sl_machine_run(struct sl_machine *m, const struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_thread_position *position;
    int status = begin_chunk(m, chunk, &position, f);
    if (!status)
        status = begin_outputs(m, chunk, f);
    if (status)
        return status;
    run_late_accesses(m, chunk, sl_chunk_mem(chunk, 0));
    run_blocks(m, chunk, position);
    if (m->needs_log)
        m->log.first[chunk->n_blocks] = m->log.n;
    if (m->needs_ops) {
        m->ops_log.first[0] = 0;
        m->ops_log.first[chunk->n_blocks] = (uint32_t)m->ops_log.n;
    }
    derive(m);
    return m->ops_log.full ? sl_out_of_memory(f) : 0;
}
