/* SPDX-License-Identifier: MIT */
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

#include "in_order_state.h"

static size_t size(const void *config)
{
    (void)config;
    return sizeof(struct sl_in_order);
}

/* ---- cycles ---- */

/* Nothing more begins in this cycle. */
static inline void end_cycle(struct sl_in_order *c, uint64_t *happened)
{
    if (c->begun[SL_OF_ANY])
        memset(c->begun, 0, sizeof c->begun);
    c->now++;
    happened[SL_H_BASE]++;
}

/* Nothing begins in the same cycle as what has begun. */
static inline void part(struct sl_in_order *c, uint64_t *happened)
{
    if (__builtin_expect(c->begun[SL_OF_ANY], 0))
        end_cycle(c, happened);
}

/* The one place where cycles are lost. */
static inline void lose(struct sl_in_order *c, uint64_t *happened, enum sl_happening cause,
                        uint64_t cycles)
{
    if (cycles)
        part(c, happened);
    c->now += cycles;
    happened[cause] += cycles;
}

static inline void wait_until(struct sl_in_order *c, uint64_t *happened, enum sl_happening cause,
                              uint64_t cycle)
{
    if (cycle > c->now)
        part(c, happened);
    if (cycle > c->now)
        lose(c, happened, cause, cycle - c->now);
}

/* What of it others of its cycle might want, too, besides SL_OF_ANY: bit 1 << place. */
static unsigned shared(const struct sl_op *op, bool memory)
{
    bool whole = op->unit == SL_UNIT_MULTIPLY || op->unit == SL_UNIT_DIVIDE;
    bool floating = op->unit >= SL_UNIT_FLOAT && op->unit <= SL_UNIT_FLOAT_DIVIDE;
    return (unsigned)memory << SL_OF_MEMORY |
           (unsigned)(op->branch != SL_BRANCH_NONE) << SL_OF_BRANCHES |
           (unsigned)whole << SL_OF_WHOLE | (unsigned)floating << SL_OF_FLOATING;
}

/* What cannot begin with those that have waits for the next cycle. */
static void make_room(struct sl_in_order *c, const struct sl_op *op, bool memory,
                      uint64_t *happened)
{
    for (unsigned left = shared(op, memory); left; left &= left - 1) {
        unsigned what = (unsigned)__builtin_ctz(left);
        if (c->begun[what] >= c->room[what])
            part(c, happened);
    }
}

/* It begins now, and the next one may with it. */
static inline void begin(struct sl_in_order *c, const struct sl_op *op, bool memory,
                         uint64_t *happened)
{
    c->began = c->now + 1;
    if (__builtin_expect(c->room[SL_OF_ANY] > 1, 0)) {
        for (unsigned left = shared(op, memory); left; left &= left - 1)
            c->begun[__builtin_ctz(left)]++;
        if (++c->begun[SL_OF_ANY] < c->room[SL_OF_ANY])
            return;
    }
    end_cycle(c, happened);
}

/* ---- questions to the caches ---- */

/* The next question, if its answer is known. */
static inline const struct sl_in_order_question *known_question(struct sl_in_order *c)
{
    struct sl_in_order_questions *q = c->questions;
    return __builtin_expect(q != NULL, 0) && q->n < q->n_known ? &q->question[q->n++] : NULL;
}

/* A question has been asked. Those beyond the room are counted only. */
static void note_question(struct sl_in_order *c, struct sl_in_order_question question)
{
    struct sl_in_order_questions *q = c->questions;
    question.at = c->now;
    if (q->n < SL_IN_ORDER_QUESTIONS)
        q->question[q->n] = question;
    q->n++;
}

/* ---- fetching ---- */

static struct sl_in_order_answer ask_for_line(struct sl_in_order *c, uint64_t line)
{
    const struct sl_hierarchy_port *port = &c->hierarchy->port[0];
    const struct sl_in_order_question *known = known_question(c);
    if (known)
        return known->answer;
    c->hierarchy->now = c->now;
    struct sl_stall stall = sl_stall_of(
        port, sl_hierarchy_fetch(c->hierarchy, line << port->line_log2, 1));
    struct sl_in_order_answer answer = {.walk = stall.walk, .data = stall.rest};
    if (__builtin_expect(c->questions != NULL, 0))
        note_question(c, (struct sl_in_order_question){.line = line, .answer = answer});
    return answer;
}

static void fetch_line(struct sl_in_order *c, uint64_t line, uint64_t *happened)
{
    struct sl_in_order_answer answer = ask_for_line(c, line);
    lose(c, happened, SL_H_LOST_ITLB, answer.walk);
    lose(c, happened, SL_H_LOST_FETCH, answer.data);
    c->line = line;
}

static inline void fetch(struct sl_in_order *c, const struct sl_op *op, uint64_t *happened)
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
static inline void enter(struct sl_in_order *c, const struct sl_executed *e, uint64_t *happened)
{
    wait_until(c, happened, SL_H_LOST_PROFILER, c->held);
    if (e->taken || e->prediction != SL_PREDICTED) {
        part(c, happened);
        lose(c, happened, SL_H_LOST_BRANCH, c->lost_by_prediction[e->prediction]);
        c->line = SL_IN_ORDER_NO_LINE;
    }
}

/* ---- sources, units, results ---- */

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void wait_for_source(struct sl_in_order *c, const struct sl_op *op, uint64_t cycle,
                            uint64_t *happened)
{
    unsigned i = 0;
    while (c->ready[op->source[i]] != cycle)
        i++;
    wait_until(c, happened, c->cause[op->source[i]], cycle);
}

static inline void wait_for_sources(struct sl_in_order *c, const struct sl_op *op,
                                    uint64_t *happened)
{
    uint64_t cycle = later(c->ready[op->source[0]], c->ready[op->source[1]]);
    cycle = later(cycle, c->ready[op->source[2]]);
    for (unsigned i = 3; i < op->n_sources; i++)
        cycle = later(cycle, c->ready[op->source[i]]);
    if (__builtin_expect(cycle > c->now, 0))
        wait_for_source(c, op, cycle, happened);
}

/* What is left to wait for a branch when its sources are there for others. */
static void wait_for_written(struct sl_in_order *c, const struct sl_op *op, uint64_t *happened)
{
    uint64_t cycle = 0;
    for (unsigned i = 0; i < op->n_sources; i++)
        cycle = later(cycle, c->written[op->source[i]]);
    wait_until(c, happened, SL_H_LOST_DEPENDENCE, cycle);
}

/* A unit that does one thing at a time, or one that only others keep busy. */
static void take_unit(struct sl_in_order *c, unsigned unit, uint64_t *happened)
{
    bool whole = unit == SL_UNIT_MULTIPLY || unit == SL_UNIT_DIVIDE;
    bool keeps = unit == SL_UNIT_DIVIDE || unit == SL_UNIT_FLOAT_DIVIDE ||
                 (unit == SL_UNIT_MULTIPLY && !c->multiply_pipelined);
    uint64_t *is_free = &c->unit_free[whole ? SL_IN_ORDER_WHOLE : SL_IN_ORDER_FLOATING];
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
static void set_written(struct sl_in_order *c, const struct sl_op *op, uint64_t latency,
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
static void set_late_results(struct sl_in_order *c, const struct sl_op *op, uint64_t latency,
                             uint64_t missed)
{
    unsigned n_late = op->n_results - op->n_updates;
    uint8_t cause = missed                     ? SL_H_LOST_DATA
                    : c->latency[op->unit] > 1 ? SL_H_LOST_LONG
                                               : SL_H_LOST_LOAD_USE;
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

struct sl_in_order_answer sl_in_order_access(struct sl_in_order *c, const struct sl_executed *e,
                                             uint32_t reference, uint32_t n, bool under_way)
{
    struct sl_hierarchy *h = c->hierarchy;
    struct sl_in_order_answer a = {0};
    for (const struct sl_reference *r = e->reference + reference; n; r++, n--) {
        struct sl_stall stall = sl_stall_of(&h->port[1],
                                            r->store ? sl_hierarchy_store(h, r->address, r->size)
                                                     : sl_hierarchy_load(h, r->address, r->size));
        uint64_t line = r->address >> h->port[1].line_log2;
        a.walk += stall.walk;
        a.data += stall.rest;
        a.waits |= under_way && line == c->missed_line;
        if (stall.rest && !c->blocking)
            c->missed_line = line;
    }
    a.waits &= !a.data;
    return a;
}

/* For all references of an instruction, which are in its one cycle. */
static inline struct sl_in_order_answer
ask_for_data(struct sl_in_order *c, const struct sl_executed *e, uint32_t reference, uint32_t n)
{
    bool under_way = c->memory_free > c->now;
    const struct sl_in_order_question *known = known_question(c);
    if (known)
        return known->answer;
    c->hierarchy->now = c->now;
    struct sl_in_order_answer answer = sl_in_order_access(c, e, reference, n, under_way);
    if (__builtin_expect(c->questions != NULL, 0))
        note_question(
            c, (struct sl_in_order_question){
                   .reference = reference, .n = n, .under_way = under_way, .answer = answer});
    return answer;
}

/* An instruction with references, from its issue to the next one's. Returns the first reference
 * that is not its own. */
static inline uint32_t run_memory(struct sl_in_order *c, const struct sl_executed *e,
                                  const struct sl_op *op, uint32_t reference, uint64_t *happened)
{
    uint32_t end = reference, n_op = e->reference[reference].op;
    bool stores = false;
    for (; end < e->n_references && e->reference[end].op == n_op; end++)
        stores |= e->reference[end].store;
    c->hierarchy->pc = op->pc;
    struct sl_in_order_answer a = ask_for_data(c, e, reference, end - reference);
    happened[SL_H_DATA_HALVES] += end - reference == 1 ? 2 : end - reference;
    wait_until(c, happened, SL_H_LOST_DATA, c->store_free);
    if (a.data || a.waits)
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
    if (stores && c->store_busy)
        c->store_free = c->now + 1 + c->store_busy;
    begin(c, op, true, happened);
    return end;
}

/* ---- a block ---- */

void sl_in_order_walk(struct sl_in_order *c, const struct sl_executed *e,
                      uint64_t happened[SL_HAPPENINGS])
{
    uint32_t reference = 0;
    uint64_t start = c->now;
    enter(c, e, happened);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        const struct sl_op *op = &e->op[i];
        bool memory = reference < e->n_references && e->reference[reference].op == i;
        fetch(c, op, happened);
        uint64_t fetched = c->now + 1;
        wait_for_sources(c, op, happened);
        if (__builtin_expect(c->branch_wait && op->branch, 0))
            wait_for_written(c, op, happened);
        if (__builtin_expect(c->room[SL_OF_ANY] > 1, 0))
            make_room(c, op, memory, happened);
        if (may_wait_for_unit(op->unit))
            take_unit(c, op->unit, happened);
        if (memory) {
            reference = run_memory(c, e, op, reference, happened);
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
    assert(reference == e->n_references);
    happened[SL_H_CYCLES] += c->now - start;
}

static void block(void *core, const struct sl_executed *e, uint64_t happened[SL_HAPPENINGS])
{
    struct sl_in_order *c = core;
    bool watched = e->commit || e->each;
    if (!e->shape || watched || c->held > c->now || !sl_in_order_follow(c, e, happened)) {
        sl_in_order_settle(c);
        sl_in_order_walk(c, e, happened);
    }
}

/* The cycle in which it began to execute, if it did not wait then: what a cycle is called
 * does not matter, as long as all begin in the same stage. */
static uint64_t committed(const void *core)
{
    const struct sl_in_order *c = core;
    return c->now && !c->begun[SL_OF_ANY] ? c->now - 1 : c->now;
}

static void hold(void *core, uint64_t cycle)
{
    struct sl_in_order *c = core;
    c->held = later(c->held, cycle);
}

static void close(void *core)
{
    sl_in_order_forget(core);
}

const struct sl_core_kind sl_core_in_order = {
    .name = "in-order",
    .options = sl_in_order_options,
    .config_size = sizeof(struct sl_in_order_config),
    .size = size,
    .init = sl_in_order_init,
    .block = block,
    .committed = committed,
    .hold = hold,
    .close = close,
};
