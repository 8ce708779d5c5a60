/* SPDX-License-Identifier: MIT */
/* In-order core model: a five-stage pipeline that issues up to `width` (default 1) instructions
 * per cycle.
 *
 *     fetch   decode   execute   memory   write
 *       │        │        │        │
 *       │        │        │        └ a miss stops the pipeline (`blocking`), or only instructions
 *       │        │        │          that need the value, the line or memory
 *       │        │        └ results are forwarded: a sum is available in the next cycle, a load
 *       │        │          `load_use` cycles later, long operations after their latency
 *       │        └ waits for sources and for the multiplier; a branch may have to wait until they
 *       │          are written (`branch_wait`)
 *       └ waits for each new line of instructions
 *
 * The state is one number, the cycle in which the next instruction can begin to execute, and for
 * each register the cycle in which its value is available. A cycle in which instructions begin is a
 * base cycle; any other change of the number is a stall, counted with its one cause at the same
 * place. So cycles = base + stalls by construction.
 *
 * Up to `width` instructions begin together if none depends on another, at most `ports` access
 * memory, at most one is a branch, uses multiplier and divider, or uses the floating-point unit,
 * and only the last one may be a taken branch. Unused issue slots are no stall; waiting for a value
 * of the same cycle costs only what exceeds one cycle. A cycle counts at the block whose
 * instruction ends it.
 *
 *     waiting for                       cause of the stall cycles
 *     a line of instructions            fetch; the walk of the TLB: itlb
 *     several sources                   that of the last one to arrive
 *     a load's value                    load-use; of a non-blocking miss: data
 *     a long result, the unit           long
 *     a register write                  dependence: the extra wait of a branch
 *     data, if blocking                 data; the walk, which always blocks: dtlb
 *     an earlier store, if the cache    data: the cache is busy for `store_busy` cycles
 *       writes through
 *     an earlier miss, if non-blocking  data: by another miss, or for the same line
 *     a mispredicted branch             branch, before its target is fetched
 *     the profiler's queue              profiler, before all others, because all stages wait
 *
 * Multiplier and divider are one unit. A division occupies it until it is done, and so does a
 * multiplication unless multiplications are pipelined. The floating-point unit works the same way.
 * An access to two missing pages has one walk in dtlb and one in data.
 *
 * A branch reads its registers in decode, while the instruction two before it is in the memory
 * stage. Without forwarding to decode it waits until the value is written: two cycles for a sum or
 * a load of the instruction directly before it, one for that of the one before. So `branch_wait` is
 * the extra latency of a sum, and branch_wait - load_use that of a load.
 *
 * Not modelled: filling the pipeline at the start; write port conflicts between long and short
 * results; write-after-write hazards; a full store buffer; the time of system calls. An instruction
 * that computes with memory (x86-64) is one instruction that waits for its load. */
#include <assert.h>
#include <string.h>

#include "in_order_state.h"

/* ---- configuration ---- */

#define C struct sl_in_order_config
#define CYCLES(field, initial, low, help) SL_UNSIGNED(C, field, initial, low, 1000, help)
static const struct sl_option options[] = {
    SL_UNSIGNED(C, width, "1", 1, 16, "maximum number of instructions issued per cycle"),
    SL_UNSIGNED(C, ports, "1", 1, 16, "maximum number of loads and stores per cycle"),
    CYCLES(load_use, "1", 0, "extra latency of a load compared with an addition, in cycles"),
    CYCLES(multiply, "4", 1, "cycles of a multiplication"),
    SL_BOOL(C, multiply_pipelined, "1",
            "1: multiplications are pipelined, so that one can begin in every cycle"),
    CYCLES(divide, "32", 1, "cycles of a division, during which its execution unit is busy"),
    CYCLES(float_add, "4", 1,
           "cycles of a floating-point addition, and of each other float or vector operation that "
           "has no key of its own"),
    CYCLES(float_multiply, "4", 1, "cycles of a floating-point multiplication"),
    CYCLES(float_divide, "32", 1, "cycles of a floating-point division or square root"),
    CYCLES(branch_penalty, "3", 0,
           "stall cycles after a branch whose direction or target was mispredicted"),
    CYCLES(misfetch_penalty, "1", 0,
           "stall cycles after a direct branch whose target was unknown at fetch"),
    CYCLES(taken_bubble, "0", 0, "stall cycles after a taken branch that was predicted correctly"),
    CYCLES(branch_wait, "0", 0,
           "extra cycles until a branch can read the result of an addition, because branches read "
           "registers in decode; 2: no forwarding"),
    CYCLES(store_busy, "0", 0, "cycles during which a store keeps a write-through data cache busy"),
    SL_BOOL(C, blocking, "1",
            "1: a cache miss stalls the whole pipeline; 0: it stalls only instructions that need "
            "the line"),
    SL_OPTIONS_END,
};
#undef C

static void init(void *core, const void *config, struct sl_hierarchy *hierarchy)
{
    const struct sl_in_order_config *g = config;
    uint32_t hit = hierarchy->port[1].hit_cycles;
    bool through = hierarchy->port[1].l1 && !hierarchy->port[1].l1->back;
    *(struct sl_in_order *)core = (struct sl_in_order){
        .line = SL_IN_ORDER_NO_LINE,
        .missed_line = SL_IN_ORDER_NO_LINE,
        .hierarchy = hierarchy,
        .latency = {[SL_UNIT_NONE] = 1,
                    [SL_UNIT_ALU] = 1,
                    [SL_UNIT_MEMORY] = 1,
                    [SL_UNIT_SYSTEM] = 1,
                    [SL_UNIT_MULTIPLY] = (uint32_t)g->multiply,
                    [SL_UNIT_DIVIDE] = (uint32_t)g->divide,
                    [SL_UNIT_FLOAT] = (uint32_t)g->float_add,
                    [SL_UNIT_FLOAT_MULTIPLY] = (uint32_t)g->float_multiply,
                    [SL_UNIT_FLOAT_DIVIDE] = (uint32_t)g->float_divide},
        .load_extra = (uint32_t)g->load_use + (hit ? hit - 1 : 0),
        .stall_by_prediction = {[SL_MISFETCHED] = (uint32_t)g->misfetch_penalty,
                                [SL_MISDIRECTED] = (uint32_t)g->branch_penalty,
                                [SL_MISTARGETED] = (uint32_t)g->branch_penalty,
                                [SL_PREDICTED] = (uint32_t)g->taken_bubble},
        .capacity = {[SL_SHARED_MEMORY] = (uint32_t)g->ports,
                     [SL_SHARED_BRANCH] = 1,
                     [SL_SHARED_MULTIPLIER] = 1,
                     [SL_SHARED_FLOATING] = 1,
                     [SL_SHARED_ISSUE] = (uint32_t)g->width},
        .branch_wait = (uint32_t)g->branch_wait,
        .store_busy = through ? (uint32_t)g->store_busy : 0,
        .multiply_pipelined = g->multiply_pipelined,
        .blocking = g->blocking,
    };
}

static size_t size(const void *config)
{
    (void)config;
    return sizeof(struct sl_in_order);
}

/* ---- cycles ---- */

/* Ends the current cycle. */
static inline void end_cycle(struct sl_in_order *c, uint64_t *totals)
{
    if (c->begun[SL_SHARED_ISSUE])
        memset(c->begun, 0, sizeof c->begun);
    c->now++;
    totals[SL_MACHINE_BASE]++;
}

/* Ends the cycle if an instruction has begun in it. */
static inline void end_begun_cycle(struct sl_in_order *c, uint64_t *totals)
{
    if (__builtin_expect(c->begun[SL_SHARED_ISSUE], 0))
        end_cycle(c, totals);
}

/* The only function that adds stall cycles. */
static inline void add_stall(struct sl_in_order *c, uint64_t *totals, enum sl_machine_event cause,
                             uint64_t cycles)
{
    if (cycles)
        end_begun_cycle(c, totals);
    c->now += cycles;
    totals[cause] += cycles;
}

static inline void wait_until(struct sl_in_order *c, uint64_t *totals, enum sl_machine_event cause,
                              uint64_t cycle)
{
    if (cycle > c->now)
        end_begun_cycle(c, totals);
    if (cycle > c->now)
        add_stall(c, totals, cause, cycle - c->now);
}

/* Resources that the op shares with others of its cycle, except SL_SHARED_ISSUE: bits 1 <<
 * resource. */
static unsigned shared(const struct sl_op *op, bool memory)
{
    bool whole = op->unit == SL_UNIT_MULTIPLY || op->unit == SL_UNIT_DIVIDE;
    bool floating = op->unit >= SL_UNIT_FLOAT && op->unit <= SL_UNIT_FLOAT_DIVIDE;
    return (unsigned)memory << SL_SHARED_MEMORY |
           (unsigned)(op->branch != SL_BRANCH_NONE) << SL_SHARED_BRANCH |
           (unsigned)whole << SL_SHARED_MULTIPLIER | (unsigned)floating << SL_SHARED_FLOATING;
}

/* Waits for the next cycle if a resource of this one is used up. */
static void wait_for_slot(struct sl_in_order *c, const struct sl_op *op, bool memory,
                          uint64_t *totals)
{
    for (unsigned left = shared(op, memory); left; left &= left - 1) {
        unsigned what = (unsigned)__builtin_ctz(left);
        if (c->begun[what] >= c->capacity[what])
            end_begun_cycle(c, totals);
    }
}

/* Begins the op in this cycle. */
static inline void begin_op(struct sl_in_order *c, const struct sl_op *op, bool memory,
                            uint64_t *totals)
{
    c->began = c->now + 1;
    if (__builtin_expect(c->capacity[SL_SHARED_ISSUE] > 1, 0)) {
        for (unsigned left = shared(op, memory); left; left &= left - 1)
            c->begun[__builtin_ctz(left)]++;
        if (++c->begun[SL_SHARED_ISSUE] < c->capacity[SL_SHARED_ISSUE])
            return;
    }
    end_cycle(c, totals);
}

/* ---- requests to the caches ---- */

/* Returns the next request if its reply is known, else NULL. */
static inline const struct sl_cache_request *known_request(struct sl_in_order *c)
{
    struct sl_cache_requests *q = c->requests;
    return __builtin_expect(q != NULL, 0) && q->n < q->n_known ? &q->request[q->n++] : NULL;
}

/* Records a request. Those beyond the capacity are only counted. */
static void record_request(struct sl_in_order *c, struct sl_cache_request request)
{
    struct sl_cache_requests *q = c->requests;
    request.at = c->now;
    if (q->n < SL_IN_ORDER_REQUESTS)
        q->request[q->n] = request;
    q->n++;
}

/* ---- fetching ---- */

static struct sl_cache_reply request_line(struct sl_in_order *c, uint64_t line)
{
    const struct sl_cache_request *known = known_request(c);
    if (known)
        return known->reply;
    c->hierarchy->now = c->now;
    struct sl_stall stall = sl_access_stall(c->hierarchy, SL_ACCESS_FETCH,
                                            line << c->hierarchy->port[0].line_log2, 1);
    struct sl_cache_reply reply = {.walk = stall.walk, .data = stall.rest};
    if (__builtin_expect(c->requests != NULL, 0))
        record_request(c, (struct sl_cache_request){.line = line, .reply = reply});
    return reply;
}

static void fetch_line(struct sl_in_order *c, uint64_t line, uint64_t *totals)
{
    struct sl_cache_reply reply = request_line(c, line);
    add_stall(c, totals, SL_MACHINE_STALL_ITLB, reply.walk);
    add_stall(c, totals, SL_MACHINE_STALL_FETCH, reply.data);
    c->line = line;
}

static inline void fetch(struct sl_in_order *c, const struct sl_op *op, uint64_t *totals)
{
    unsigned log2 = c->hierarchy->port[0].line_log2;
    uint64_t last = (op->pc + op->size - 1) >> log2;
    if (last == c->line)
        return;
    if (op->pc >> log2 != last && op->pc >> log2 != c->line)
        fetch_line(c, op->pc >> log2, totals);
    fetch_line(c, last, totals);
}

/* Stalls of the transfer to the block. */
static inline void enter(struct sl_in_order *c, const struct sl_block_execution *e,
                         uint64_t *totals)
{
    wait_until(c, totals, SL_MACHINE_STALL_PROFILER, c->held);
    if (e->taken || e->prediction != SL_PREDICTED) {
        end_begun_cycle(c, totals);
        add_stall(c, totals, SL_MACHINE_STALL_BRANCH, c->stall_by_prediction[e->prediction]);
        c->line = SL_IN_ORDER_NO_LINE;
    }
}

/* ---- sources, units, results ---- */

static void wait_for_source(struct sl_in_order *c, const struct sl_op *op, uint64_t cycle,
                            uint64_t *totals)
{
    unsigned i = 0;
    while (c->ready[op->source[i]] != cycle)
        i++;
    wait_until(c, totals, c->cause[op->source[i]], cycle);
}

static inline void wait_for_sources(struct sl_in_order *c, const struct sl_op *op, uint64_t *totals)
{
    uint64_t cycle = sl_later(c->ready[op->source[0]], c->ready[op->source[1]]);
    cycle = sl_later(cycle, c->ready[op->source[2]]);
    for (unsigned i = 3; i < op->n_sources; i++)
        cycle = sl_later(cycle, c->ready[op->source[i]]);
    if (__builtin_expect(cycle > c->now, 0))
        wait_for_source(c, op, cycle, totals);
}

/* Additional wait of a branch until its sources are written. */
static void wait_for_written(struct sl_in_order *c, const struct sl_op *op, uint64_t *totals)
{
    uint64_t cycle = 0;
    for (unsigned i = 0; i < op->n_sources; i++)
        cycle = sl_later(cycle, c->written[op->source[i]]);
    wait_until(c, totals, SL_MACHINE_STALL_DEPENDENCE, cycle);
}

/* Waits for a unit, and occupies it if the operation is not pipelined. */
static void wait_for_unit(struct sl_in_order *c, unsigned unit, uint64_t *totals)
{
    bool whole = unit == SL_UNIT_MULTIPLY || unit == SL_UNIT_DIVIDE;
    bool occupies = unit == SL_UNIT_DIVIDE || unit == SL_UNIT_FLOAT_DIVIDE ||
                    (unit == SL_UNIT_MULTIPLY && !c->multiply_pipelined);
    uint64_t *is_free = &c->unit_free[whole ? SL_IN_ORDER_MULTIPLIER : SL_IN_ORDER_FLOATING];
    wait_until(c, totals, SL_MACHINE_STALL_LONG, *is_free);
    if (occupies)
        *is_free = c->now + c->latency[unit];
}

static bool may_wait_for_unit(unsigned unit)
{
    return unit == SL_UNIT_MULTIPLY || unit == SL_UNIT_DIVIDE || unit == SL_UNIT_FLOAT_MULTIPLY ||
           unit == SL_UNIT_FLOAT_DIVIDE;
}

/* Sets the cycles in which results can be read in decode: for a load, when its value is in the last
 * stage, as for a sum. */
static void set_written(struct sl_in_order *c, const struct sl_op *op, uint64_t latency,
                        uint64_t missed)
{
    unsigned n_late = op->n_results - op->n_updates;
    uint64_t extra = op->flags & SL_INSN_LOADS ? c->load_extra : 0;
    uint64_t late = sl_later(latency, latency - extra + c->branch_wait);
    for (unsigned i = 0; i < op->n_results; i++)
        c->written[op->result[i]] = c->now + (i < n_late ? late + missed : 1 + c->branch_wait);
}

/* Results with a latency over one cycle, of which `missed` belong to a non-blocking miss. */
static void set_late_results(struct sl_in_order *c, const struct sl_op *op, uint64_t latency,
                             uint64_t missed)
{
    unsigned n_late = op->n_results - op->n_updates;
    uint8_t cause = missed                     ? SL_MACHINE_STALL_DATA
                    : c->latency[op->unit] > 1 ? SL_MACHINE_STALL_LONG
                                               : SL_MACHINE_STALL_LOAD_USE;
    for (unsigned i = 0; i < op->n_results; i++) {
        c->ready[op->result[i]] = c->now + (i < n_late ? latency + missed : 1);
        c->cause[op->result[i]] = cause;
    }
}

static inline void set_results(struct sl_in_order *c, const struct sl_op *op, uint64_t missed)
{
    uint64_t latency = c->latency[op->unit] + (op->flags & SL_INSN_LOADS ? c->load_extra : 0);
    if (__builtin_expect(c->branch_wait, 0))
        set_written(c, op, latency, missed);
    if (latency + missed > 1) {
        set_late_results(c, op, latency, missed);
        return;
    }
    c->ready[op->result[0]] = c->ready[op->result[1]] = c->now + 1;
    for (unsigned i = 2; i < op->n_results; i++)
        c->ready[op->result[i]] = c->now + 1;
}

/* ---- memory ---- */

struct sl_cache_reply sl_in_order_access(struct sl_in_order *c, const struct sl_block_execution *e,
                                         uint32_t reference, uint32_t n, bool in_flight)
{
    struct sl_hierarchy *h = c->hierarchy;
    struct sl_cache_reply a = {0};
    for (const struct sl_reference *r = e->reference + reference; n; r++, n--) {
        struct sl_stall stall = sl_access_stall(h, r->store ? SL_ACCESS_STORE : SL_ACCESS_LOAD,
                                                r->address, r->size);
        uint64_t line = r->address >> h->port[1].line_log2;
        a.walk += stall.walk;
        a.data += stall.rest;
        a.waits |= in_flight && line == c->missed_line;
        if (stall.rest && !c->blocking)
            c->missed_line = line;
    }
    a.waits &= !a.data;
    return a;
}

/* Accesses the caches for all references of an instruction, in one cycle. */
static inline struct sl_cache_reply request_data(struct sl_in_order *c,
                                                 const struct sl_block_execution *e,
                                                 uint32_t reference, uint32_t n)
{
    bool in_flight = c->memory_free > c->now;
    const struct sl_cache_request *known = known_request(c);
    if (known)
        return known->reply;
    c->hierarchy->now = c->now;
    struct sl_cache_reply reply = sl_in_order_access(c, e, reference, n, in_flight);
    if (__builtin_expect(c->requests != NULL, 0))
        record_request(c,
                       (struct sl_cache_request){
                           .reference = reference, .n = n, .in_flight = in_flight, .reply = reply});
    return reply;
}

/* Executes an instruction with references. Returns the first reference of the next one. */
static inline uint32_t run_memory(struct sl_in_order *c, const struct sl_block_execution *e,
                                  const struct sl_op *op, uint32_t reference, uint64_t *totals)
{
    uint32_t end = reference, n_op = e->reference[reference].op;
    bool stores = false;
    for (; end < e->n_references && e->reference[end].op == n_op; end++)
        stores |= e->reference[end].store;
    c->hierarchy->pc = op->pc;
    struct sl_cache_reply a = request_data(c, e, reference, end - reference);
    totals[SL_MACHINE_DATA_HALVES] += end - reference == 1 ? 2 : end - reference;
    wait_until(c, totals, SL_MACHINE_STALL_DATA, c->store_free);
    if (a.data || a.waits)
        wait_until(c, totals, SL_MACHINE_STALL_DATA, c->memory_free);
    add_stall(c, totals, SL_MACHINE_STALL_DTLB, a.walk);
    if (c->blocking) {
        add_stall(c, totals, SL_MACHINE_STALL_DATA, a.data);
        set_results(c, op, 0);
    } else {
        if (a.data)
            c->memory_free = c->now + 1 + a.data;
        set_results(c, op, op->flags & SL_INSN_LOADS ? a.data : 0);
    }
    if (stores && c->store_busy)
        c->store_free = c->now + 1 + c->store_busy;
    begin_op(c, op, true, totals);
    return end;
}

/* ---- a block ---- */

void sl_in_order_execute(struct sl_in_order *c, const struct sl_block_execution *e,
                         uint64_t totals[SL_MACHINE_EVENTS])
{
    uint32_t reference = 0;
    uint64_t start = c->now;
    enter(c, e, totals);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const struct sl_op *op = &e->op[i];
        bool memory = reference < e->n_references && e->reference[reference].op == i;
        fetch(c, op, totals);
        uint64_t fetched = c->now + 1;
        wait_for_sources(c, op, totals);
        if (__builtin_expect(c->branch_wait && op->branch, 0))
            wait_for_written(c, op, totals);
        if (__builtin_expect(c->capacity[SL_SHARED_ISSUE] > 1, 0))
            wait_for_slot(c, op, memory, totals);
        if (may_wait_for_unit(op->unit))
            wait_for_unit(c, op->unit, totals);
        if (memory) {
            reference = run_memory(c, e, op, reference, totals);
        } else {
            set_results(c, op, 0);
            begin_op(c, op, false, totals);
        }
        if (__builtin_expect(e->commit != NULL, 0)) {
            sl_commit_record(&e->commit[i], c->began_before, fetched, c->began,
                             !i && sl_block_execution_flushes(e));
            c->began_before = c->began;
        }
        if (__builtin_expect(e->after_op != NULL, 0))
            e->after_op(e->context, op->insn);
    }
    assert(reference == e->n_references);
    totals[SL_MACHINE_CYCLES] += c->now - start;
}

static void block(void *core, const struct sl_block_execution *e,
                  uint64_t totals[SL_MACHINE_EVENTS])
{
    struct sl_in_order *c = core;
    bool detailed = e->commit || e->after_op;
    if (!e->shape || detailed || c->held > c->now || !sl_in_order_replay(c, e, totals)) {
        sl_in_order_restore(c);
        sl_in_order_execute(c, e, totals);
    }
}

/* The cycle in which the last instruction began to execute, without later stalls: only differences
 * matter. */
static uint64_t committed(const void *core)
{
    const struct sl_in_order *c = core;
    return c->now && !c->begun[SL_SHARED_ISSUE] ? c->now - 1 : c->now;
}

static void hold(void *core, uint64_t cycle)
{
    struct sl_in_order *c = core;
    c->held = sl_later(c->held, cycle);
}

const struct sl_core_kind sl_core_in_order = {
    .options = options,
    .config_size = sizeof(struct sl_in_order_config),
    .size = size,
    .init = init,
    .block = block,
    .committed = committed,
    .hold = hold,
    .close = sl_in_order_free_memos,
};
