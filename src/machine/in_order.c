/* A pipeline of five stages that issues instructions in order, `width` a cycle (1).
 *
 *     fetch   decode   execute   memory   write
 *       │        │        │        │
 *       │        │        │        └ a miss stops the pipeline (`blocking`), or only who
 *       │        │        │          needs the value, the line or memory itself
 *       │        │        └ results are forwarded: an addition's is there one cycle after
 *       │        │          it began, a load's `load_use` cycles later, those of long
 *       │        │          operations after their latency
 *       │        └ waits until the sources are there and the multiplier is free; a branch
 *       │          may have to wait until they are written (`branch_wait`)
 *       └ waits for a line of instructions whenever a new one begins
 *
 * The model is one number, the cycle in which the next instruction can begin to execute,
 * and for each register the cycle from which on its value is there. A cycle in which
 * instructions begin is one of work; whatever else moves the number is counted as lost, with its
 * one cause, at the same place. So cycles = base + lost holds by construction.
 *
 * Instructions begin together, up to `width` of them, if none needs what another of them makes,
 * at most `ports` access memory, one is a branch, one uses the multiplier and divider, one the
 * unit of floating point, and none but the last is a branch that is taken. That others would
 * have fitted is no loss; to wait for a value of the same cycle costs only what is beyond the
 * next one. A cycle counts at the block whose instruction ends it.
 *
 *     waiting for                       cause of every cycle of it
 *     a line of instructions            fetch; the walk of the TLB: itlb
 *     several sources at once           that of the one that comes last
 *     a load's value                    load-use; of a miss that did not block: data
 *     a long result, the unit           long
 *     a value that is to be written     dependence: what a branch waits longer than others
 *     data, when it blocks              data; the walk, which always does: dtlb
 *     a store before, when it is        data: the cache is busy for `store_busy` cycles
 *       written through
 *     a miss before, when it does not   data: by another miss, or for the same line
 *     a branch predicted wrong          branch, before its target is fetched
 *     a profiler's queue                profiler, before all of that: while the last stage
 *                                       stands still, so do the others
 *
 * Multiplier and divider are one unit, which a division keeps until it is done, and a
 * multiplication unless it is pipelined; likewise that of floating point. An access to
 * two pages that are both unknown has one walk under dtlb and one under data.
 *
 * A branch reads its registers in decode, while what is two instructions in front of it is in
 * memory. Where nothing is forwarded to there, it waits until the value has been written: of
 * an instruction right in front of it two cycles, be it a sum or a load, of the one before
 * that one. So `branch_wait` is what a sum comes later to it, and a load that much less
 * `load_use`.
 *
 * Not modelled: filling the pipeline at the start; the write port, when a long result
 * and a short one come in the same cycle; waiting for a register that is written again;
 * a store buffer that is full; what a system call takes. An instruction that computes
 * with memory (x86-64) is one instruction that waits for its load. */
#include <assert.h>
#include <string.h>

#include "core.h"

struct config {
    uint64_t width, ports, load_use;
    uint64_t multiply, divide, float_add, float_multiply, float_divide;
    uint64_t branch_penalty, misfetch_penalty, taken_bubble, branch_wait, store_busy;
    bool multiply_pipelined, blocking;
};

#define CYCLES(field, initial, low, help) \
    SL_UNSIGNED(struct config, field, initial, low, 1000, help)

static const struct sl_option options[] = {
    SL_UNSIGNED(struct config, width, "1", 1, 16, "instructions that can begin in a cycle"),
    SL_UNSIGNED(struct config, ports, "1", 1, 16, "and of those that access memory"),
    CYCLES(load_use, "1", 0, "cycles that a load's value comes later than a sum"),
    CYCLES(multiply, "4", 1, "cycles of a multiplication"),
    SL_BOOL(struct config, multiply_pipelined, "1", "multiplications can begin in every cycle"),
    CYCLES(divide, "32", 1, "cycles of a division; its unit is taken for all of them"),
    CYCLES(float_add, "4", 1, "cycles of floating point other than below, and of vectors"),
    CYCLES(float_multiply, "4", 1, "cycles of a floating-point multiplication"),
    CYCLES(float_divide, "32", 1, "cycles of a floating-point division or square root"),
    CYCLES(branch_penalty, "3", 0, "cycles lost when direction or target were predicted wrong"),
    CYCLES(misfetch_penalty, "1", 0, "cycles lost when a target had to be computed"),
    CYCLES(taken_bubble, "0", 0, "cycles lost by every other branch that is taken"),
    CYCLES(branch_wait, "0", 0, "cycles that a sum comes later to a branch, which reads registers "
           "in decode; 2: without forwarding"),
    CYCLES(store_busy, "0", 0, "cycles for which a store that is written through keeps the cache"),
    SL_BOOL(struct config, blocking, "1", "a miss stops the pipeline, not only who needs the line"),
    SL_OPTIONS_END,
};

#define NO_LINE UINT64_MAX

/* The two units that may be busy. */
enum { WHOLE, FLOATING };

/* What instructions that begin together share. */
enum { OF_MEMORY, OF_BRANCHES, OF_WHOLE, OF_FLOATING, OF_ANY, SHARED };

struct in_order {
    uint64_t now;  /* when the next instruction can begin */
    uint64_t held; /* a profiler lets nothing begin before */
    uint64_t began, began_before; /* cycles of the last instruction and of the one before, from 1 */
    uint64_t line; /* fetched last */
    uint64_t missed_line, memory_free; /* the last that did not block, and when it is done */
    uint64_t unit_free[2];
    uint64_t store_free; /* when the cache is done with the last store */
    uint32_t begun[SHARED], room[SHARED]; /* instructions of cycle `now`, and at most */
    struct sl_hierarchy *hierarchy;
    uint32_t latency[SL_UNITS];
    uint32_t load_extra; /* what a load comes later than a sum */
    uint32_t branch_wait, store_busy;
    uint32_t lost_by_prediction[SL_PREDICTION_COUNT];
    bool multiply_pipelined, blocking;
    uint8_t cause[SL_OP_REGISTERS]; /* of waiting for it */
    uint64_t ready[SL_OP_REGISTERS];
    uint64_t written[SL_OP_REGISTERS]; /* the same for branches, where they wait longer */
};

static size_t size(const void *config)
{
    (void)config;
    return sizeof(struct in_order);
}

static void init(void *core, const void *config, struct sl_hierarchy *hierarchy)
{
    const struct config *g = config;
    uint32_t hit = hierarchy->port[1].hit_cycles;
    bool through = hierarchy->port[1].l1 && !hierarchy->port[1].l1->back;
    *(struct in_order *)core = (struct in_order){
        .line = NO_LINE,
        .missed_line = NO_LINE,
        .hierarchy = hierarchy,
        .latency = {[SL_UNIT_NONE] = 1, [SL_UNIT_ALU] = 1, [SL_UNIT_MEMORY] = 1,
                    [SL_UNIT_SYSTEM] = 1, [SL_UNIT_MULTIPLY] = (uint32_t)g->multiply,
                    [SL_UNIT_DIVIDE] = (uint32_t)g->divide,
                    [SL_UNIT_FLOAT] = (uint32_t)g->float_add,
                    [SL_UNIT_FLOAT_MULTIPLY] = (uint32_t)g->float_multiply,
                    [SL_UNIT_FLOAT_DIVIDE] = (uint32_t)g->float_divide},
        .load_extra = (uint32_t)g->load_use + (hit ? hit - 1 : 0),
        .lost_by_prediction = {[SL_MISFETCHED] = (uint32_t)g->misfetch_penalty,
                               [SL_MISDIRECTED] = (uint32_t)g->branch_penalty,
                               [SL_MISTARGETED] = (uint32_t)g->branch_penalty,
                               [SL_PREDICTED] = (uint32_t)g->taken_bubble},
        .room = {[OF_MEMORY] = (uint32_t)g->ports, [OF_BRANCHES] = 1, [OF_WHOLE] = 1,
                 [OF_FLOATING] = 1, [OF_ANY] = (uint32_t)g->width},
        .branch_wait = (uint32_t)g->branch_wait,
        .store_busy = through ? (uint32_t)g->store_busy : 0,
        .multiply_pipelined = g->multiply_pipelined,
        .blocking = g->blocking,
    };
}

/* ---- cycles ------------------------------------------------------------------------ */

/* Nothing more begins in this cycle. */
static inline void end_cycle(struct in_order *c, uint64_t *happened)
{
    if (c->begun[OF_ANY])
        memset(c->begun, 0, sizeof c->begun);
    c->now++;
    happened[SL_H_BASE]++;
}

/* Nothing begins in the same cycle as what has begun. */
static inline void part(struct in_order *c, uint64_t *happened)
{
    if (__builtin_expect(c->begun[OF_ANY], 0))
        end_cycle(c, happened);
}

/* The one place where cycles are lost. */
static inline void lose(struct in_order *c, uint64_t *happened, enum sl_happening cause,
                        uint64_t cycles)
{
    if (cycles)
        part(c, happened);
    c->now += cycles;
    happened[cause] += cycles;
}

static inline void wait_until(struct in_order *c, uint64_t *happened, enum sl_happening cause,
                              uint64_t cycle)
{
    if (cycle > c->now)
        part(c, happened);
    if (cycle > c->now)
        lose(c, happened, cause, cycle - c->now);
}

/* What of it others of its cycle might want, too, besides OF_ANY: bit 1 << place. */
static unsigned shared(const struct sl_op *op, bool memory)
{
    bool whole = op->unit == SL_UNIT_MULTIPLY || op->unit == SL_UNIT_DIVIDE;
    bool floating = op->unit >= SL_UNIT_FLOAT && op->unit <= SL_UNIT_FLOAT_DIVIDE;
    return (unsigned)memory << OF_MEMORY | (unsigned)(op->branch != SL_BRANCH_NONE) << OF_BRANCHES |
           (unsigned)whole << OF_WHOLE | (unsigned)floating << OF_FLOATING;
}

/* What cannot begin with those that have waits for the next cycle. */
static void make_room(struct in_order *c, const struct sl_op *op, bool memory, uint64_t *happened)
{
    for (unsigned left = shared(op, memory); left; left &= left - 1) {
        unsigned what = (unsigned)__builtin_ctz(left);
        if (c->begun[what] >= c->room[what])
            part(c, happened);
    }
}

/* It begins now, and the next one may with it. */
static inline void begin(struct in_order *c, const struct sl_op *op, bool memory,
                         uint64_t *happened)
{
    c->began = c->now + 1;
    if (__builtin_expect(c->room[OF_ANY] > 1, 0)) {
        for (unsigned left = shared(op, memory); left; left &= left - 1)
            c->begun[__builtin_ctz(left)]++;
        if (++c->begun[OF_ANY] < c->room[OF_ANY])
            return;
    }
    end_cycle(c, happened);
}

/* ---- fetching ---------------------------------------------------------------------- */

static void fetch_line(struct in_order *c, uint64_t line, uint64_t *happened)
{
    const struct sl_hierarchy_port *port = &c->hierarchy->port[0];
    c->hierarchy->now = c->now;
    struct sl_stall stall =
        sl_stall_of(port, sl_hierarchy_fetch(c->hierarchy, line << port->line_log2, 1));
    lose(c, happened, SL_H_LOST_ITLB, stall.walk);
    lose(c, happened, SL_H_LOST_FETCH, stall.rest);
    c->line = line;
}

static inline void fetch(struct in_order *c, const struct sl_op *op, uint64_t *happened)
{
    unsigned log2 = c->hierarchy->port[0].line_log2;
    uint64_t last = (op->pc + op->size - 1) >> log2;
    if (last == c->line)
        return;
    if (op->pc >> log2 != last && op->pc >> log2 != c->line)
        fetch_line(c, op->pc >> log2, happened);
    fetch_line(c, last, happened);
}

/* How control came here. */
static inline void enter(struct in_order *c, const struct sl_executed *e, uint64_t *happened)
{
    wait_until(c, happened, SL_H_LOST_PROFILER, c->held);
    if (e->taken || e->prediction != SL_PREDICTED) {
        part(c, happened);
        lose(c, happened, SL_H_LOST_BRANCH, c->lost_by_prediction[e->prediction]);
        c->line = NO_LINE;
    }
}

/* ---- sources, units, results ------------------------------------------------------- */

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void wait_for_source(struct in_order *c, const struct sl_op *op, uint64_t cycle,
                            uint64_t *happened)
{
    unsigned i = 0;
    while (c->ready[op->source[i]] != cycle)
        i++;
    wait_until(c, happened, c->cause[op->source[i]], cycle);
}

static inline void wait_for_sources(struct in_order *c, const struct sl_op *op, uint64_t *happened)
{
    uint64_t cycle = later(c->ready[op->source[0]], c->ready[op->source[1]]);
    cycle = later(cycle, c->ready[op->source[2]]);
    for (unsigned i = 3; i < op->n_sources; i++)
        cycle = later(cycle, c->ready[op->source[i]]);
    if (__builtin_expect(cycle > c->now, 0))
        wait_for_source(c, op, cycle, happened);
}

/* What is left to wait for a branch when its sources are there for others. */
static void wait_for_written(struct in_order *c, const struct sl_op *op, uint64_t *happened)
{
    uint64_t cycle = 0;
    for (unsigned i = 0; i < op->n_sources; i++)
        cycle = later(cycle, c->written[op->source[i]]);
    wait_until(c, happened, SL_H_LOST_DEPENDENCE, cycle);
}

/* A unit that does one thing at a time, or one that only others keep busy. */
static void take_unit(struct in_order *c, unsigned unit, uint64_t *happened)
{
    bool whole = unit == SL_UNIT_MULTIPLY || unit == SL_UNIT_DIVIDE;
    bool keeps = unit == SL_UNIT_DIVIDE || unit == SL_UNIT_FLOAT_DIVIDE ||
                 (unit == SL_UNIT_MULTIPLY && !c->multiply_pipelined);
    uint64_t *is_free = &c->unit_free[whole ? WHOLE : FLOATING];
    wait_until(c, happened, SL_H_LOST_LONG, *is_free);
    if (keeps)
        *is_free = c->now + c->latency[unit];
}

static bool may_wait_for_unit(unsigned unit)
{
    return unit == SL_UNIT_MULTIPLY || unit == SL_UNIT_DIVIDE || unit == SL_UNIT_FLOAT_MULTIPLY ||
           unit == SL_UNIT_FLOAT_DIVIDE;
}

/* When results can be read in decode: a load's when its value is in the last stage, as a
 * sum's. */
static void set_written(struct in_order *c, const struct sl_op *op, uint64_t latency,
                        uint64_t missed)
{
    unsigned n_late = op->n_results - op->n_updates;
    uint64_t extra = op->flags & SL_INSN_LOADS ? c->load_extra : 0;
    uint64_t late = later(latency, latency - extra + c->branch_wait);
    for (unsigned i = 0; i < op->n_results; i++)
        c->written[op->result[i]] = c->now + (i < n_late ? late + missed : 1 + c->branch_wait);
}

/* Results that are not there in the next cycle: `missed` cycles of it by a miss that
 * did not block. */
static void set_late_results(struct in_order *c, const struct sl_op *op, uint64_t latency,
                             uint64_t missed)
{
    unsigned n_late = op->n_results - op->n_updates;
    uint8_t cause = missed                         ? SL_H_LOST_DATA
                    : c->latency[op->unit] > 1     ? SL_H_LOST_LONG
                                                   : SL_H_LOST_LOAD_USE;
    for (unsigned i = 0; i < op->n_results; i++) {
        c->ready[op->result[i]] = c->now + (i < n_late ? latency + missed : 1);
        c->cause[op->result[i]] = cause;
    }
}

static inline void set_results(struct in_order *c, const struct sl_op *op, uint64_t missed)
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

/* ---- memory ------------------------------------------------------------------------ */

/* The accesses of one instruction, all in its one cycle. */
struct accessed {
    uint64_t walk, data; /* cycles beyond L1's own latency */
    uint32_t n;
    bool waits; /* for the miss that is under way */
    bool stores;
};

static inline struct accessed access_memory(struct in_order *c, const struct sl_reference *r,
                                            const struct sl_reference *end)
{
    struct sl_hierarchy *h = c->hierarchy;
    struct accessed a = {0};
    for (uint32_t op = r->op; r < end && r->op == op; r++, a.n++) {
        struct sl_stall stall = sl_stall_of(
            &h->port[1], r->store ? sl_hierarchy_store(h, r->address, r->size)
                                  : sl_hierarchy_load(h, r->address, r->size));
        uint64_t line = r->address >> h->port[1].line_log2;
        a.stores |= r->store;
        a.walk += stall.walk;
        a.data += stall.rest;
        a.waits |= stall.rest || line == c->missed_line;
        if (stall.rest && !c->blocking)
            c->missed_line = line;
    }
    return a;
}

/* An instruction with references, from its issue to the next one's. Returns how many
 * references it had. */
static inline uint32_t run_memory(struct in_order *c, const struct sl_op *op,
                                  const struct sl_reference *r, const struct sl_reference *end,
                                  uint64_t *happened)
{
    c->hierarchy->now = c->now;
    c->hierarchy->pc = op->pc;
    struct accessed a = access_memory(c, r, end);
    happened[SL_H_DATA_HALVES] += a.n == 1 ? 2 : a.n;
    wait_until(c, happened, SL_H_LOST_DATA, c->store_free);
    if (a.waits)
        wait_until(c, happened, SL_H_LOST_DATA, c->memory_free);
    lose(c, happened, SL_H_LOST_DTLB, a.walk);
    if (c->blocking) {
        lose(c, happened, SL_H_LOST_DATA, a.data);
        set_results(c, op, 0);
    } else {
        if (a.data)
            c->memory_free = c->now + 1 + a.data;
        set_results(c, op, op->flags & SL_INSN_LOADS ? a.data : 0);
    }
    if (a.stores && c->store_busy)
        c->store_free = c->now + 1 + c->store_busy;
    begin(c, op, true, happened);
    return a.n;
}

/* ---- a block ----------------------------------------------------------------------- */

static void block(void *core, const struct sl_executed *e, uint64_t happened[SL_HAPPENINGS])
{
    struct in_order *c = core;
    const struct sl_reference *r = e->reference, *r_end = r + e->n_references;
    uint64_t start = c->now;
    enter(c, e, happened);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const struct sl_op *op = &e->op[i];
        fetch(c, op, happened);
        uint64_t fetched = c->now + 1;
        wait_for_sources(c, op, happened);
        if (__builtin_expect(c->branch_wait && op->branch, 0))
            wait_for_written(c, op, happened);
        if (__builtin_expect(c->room[OF_ANY] > 1, 0))
            make_room(c, op, r < r_end && r->op == i, happened);
        if (may_wait_for_unit(op->unit))
            take_unit(c, op->unit, happened);
        if (r < r_end && r->op == i) {
            r += run_memory(c, op, r, r_end, happened);
        } else {
            set_results(c, op, 0);
            begin(c, op, false, happened);
        }
        if (__builtin_expect(e->commit != NULL, 0)) {
            sl_commit_note(&e->commit[i], c->began_before, fetched, c->began,
                           !i && sl_executed_flushes(e));
            c->began_before = c->began;
        }
        if (__builtin_expect(e->each != NULL, 0))
            e->each(e->context, op);
    }
    assert(r == r_end);
    happened[SL_H_CYCLES] += c->now - start;
}

/* The cycle in which it began to execute, if it did not wait then: what a cycle is called
 * does not matter, as long as all begin in the same stage. */
static uint64_t committed(const void *core)
{
    const struct in_order *c = core;
    return c->now && !c->begun[OF_ANY] ? c->now - 1 : c->now;
}

static void hold(void *core, uint64_t cycle)
{
    struct in_order *c = core;
    c->held = later(c->held, cycle);
}

const struct sl_core_kind sl_core_in_order = {
    .name = "in-order",
    .options = options,
    .config_size = sizeof(struct config),
    .size = size,
    .init = init,
    .block = block,
    .committed = committed,
    .hold = hold,
};
