/* An out-of-order core, in one pass over the program.
 *
 * Each instruction in turn is given the cycles in which it is fetched, dispatched,
 * issued, complete and committed, each the earliest that the rules below allow. What
 * an instruction does never depends on a younger one, so that an older one that finds
 * a unit free takes it from all that follow: the pass gives cycle for cycle what
 * simulating a machine that issues oldest first gives (tests/unit/out_of_order_naive.h
 * does that), at a small part of the work.
 *
 *     fetch ──► fetch queue ──► dispatch ──► reorder buffer ──► issue, complete
 *                                            load/store queue         │
 *                                                  commit ◄───────────┘
 *
 * The rules, which are those of SimpleScalar's sim-outorder unless they are marked *:
 *
 *   fetch     `fetch` a cycle; goes on in the next one behind a taken branch; waits for
 *             room in the fetch queue and for each line that misses. Goes on
 *             `branch_penalty` cycles after a branch was complete that was predicted
 *             wrongly, and `misfetch_penalty`* after the dispatch of a misfetched one; what
 *             L1I takes beyond one cycle is pipelined, and comes on top only there*
 *   dispatch  `dispatch` a cycle, in order, a cycle after fetch, into the reorder buffer
 *             and, what accesses memory, into the load/store queue; the place of an
 *             instruction is free when it commits
 *   issue     `issue` a cycle, the oldest first, a cycle after dispatch, when all sources
 *             are complete and unit and port are free
 *   complete  after the latency of the unit. A load: `address` cycles and those of the
 *             hierarchy
 *   commit    `commit` a cycle, in order, a cycle after complete
 *
 * Memory. A load waits for the latest older store to the same 8 bytes* and takes its
 * data in `forwarding` cycles if that has not been committed yet. Addresses are known
 * beforehand*: a load waits for no other store. Loads of a line that is still on its way
 * wait for it. Misses overlap without limit; stores complete at once, their misses are
 * nobody's wait. A store takes its port when issued*, not when committed. An instruction
 * with several references* takes one issue slot and place in the queue, and for each
 * reference a port, in the cycle of issue or the next that has one. An address that a
 * load counts up besides is there a cycle after issue.
 *
 * What loads or stores and computes besides is one instruction*: it takes unit and port
 * together and computes when the data are there. No-operations* are dispatched and
 * committed and take nothing else. A system instruction is dispatched when all before
 * it are committed, and all behind it when it is.
 *
 * Where that is not what such a machine would do:
 *   - Divisions take their unit for all of their latency. An older multiplication that is
 *     ready later than a younger division keeps its turn, where the machine would see only
 *     that the unit is free. Below 1 % of the cycles of programs with 10 % of divisions.
 *   - A load does not find the line that a younger one has brought earlier.
 *   - Beyond 8192 cycles behind dispatch units and ports are not counted (calendar.h), and
 *     of lines on their way the latest 1024 are known.
 *
 * Lost cycles. In a cycle something commits, or it is lost; then the cause is what the
 * next to commit was last waiting for. It has kept a list of its waits in the order in
 * which they happened, and the lost cycles are taken from the end of that.
 *
 * Not modelled: the wrong path and what it does to caches and units; replays; violations
 * of memory order; partial forwarding; banks; misses under way beyond the above;
 * renaming with fewer registers than there are places in the reorder buffer; interrupts. */
#include "out_of_order_state.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- stages and queues ----------------------------------------------------------- */

static inline void go_on(struct sl_out_of_order_stage *s, uint64_t cycle)
{
    if (cycle > s->cycle) {
        s->cycle = cycle;
        s->in_cycle = 0;
    }
}

/* The first cycle in which it could take one more. */
static inline uint64_t next_of(const struct sl_out_of_order_stage *s)
{
    return s->cycle + (s->in_cycle == s->width);
}

/* When there is room for instruction `n`. */
static inline uint64_t room_for(const struct sl_out_of_order_queue *q, uint64_t n)
{
    return q->left[(n - q->room) & q->mask];
}

static inline void leaves(struct sl_out_of_order_queue *q, uint64_t n, uint64_t cycle)
{
    q->left[n & q->mask] = cycle;
}

/* ---- fetch ------------------------------------------------------------------------ */

/* The branch that led to this block, and where fetching goes on. */
static void redirect(struct sl_out_of_order *core, const struct sl_executed *executed,
                     struct sl_op_passage *p)
{
    struct sl_out_of_order_stage *s = &core->fetch;
    uint64_t from = s->cycle;
    if (executed->taken && s->in_cycle)
        from++;
    go_on(s, from);
    if (executed->prediction == SL_MISFETCHED)
        from = core->branch_dispatch + core->misfetch_penalty;
    else if (executed->prediction != SL_PREDICTED)
        from = core->branch_complete + core->branch_penalty;
    if (executed->taken || executed->prediction != SL_PREDICTED)
        core->line = SL_OUT_OF_ORDER_NO_LINE;
    if (from > s->cycle) {
        sl_op_passage_waits(p, SL_H_LOST_BRANCH, from - s->cycle);
        go_on(s, from);
    }
}

static __attribute__((noinline)) void fetch_lines(struct sl_out_of_order *core,
                                                  const struct sl_op *op, uint64_t last,
                                                  struct sl_op_passage *p)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[0];
    uint64_t line = op->pc >> port->line_log2, walks = 0, misses = 0;
    if (line == core->line)
        line++;
    core->hierarchy->now = core->fetch.cycle;
    for (; line <= last; line++) {
        struct sl_stall stall =
            sl_stall_of(port, sl_hierarchy_fetch(core->hierarchy, line << port->line_log2, 1));
        walks += stall.walk;
        misses += stall.rest;
    }
    core->line = last;
    sl_op_passage_waits(p, SL_H_LOST_ITLB, walks);
    sl_op_passage_waits(p, SL_H_LOST_FETCH, misses);
    go_on(&core->fetch, core->fetch.cycle + walks + misses);
}

static inline void fetch(struct sl_out_of_order *core, const struct sl_op *op,
                         struct sl_op_passage *p)
{
    struct sl_out_of_order_stage *s = &core->fetch;
    unsigned line_log2 = core->hierarchy->port[0].line_log2;
    uint64_t room = room_for(&core->ifq, core->n);
    uint64_t first = op->pc >> line_log2, last = (op->pc + op->size - 1) >> line_log2;
    go_on(s, next_of(s));
    if (room > s->cycle) {
        sl_op_passage_waits(p, SL_H_LOST_STRUCTURE, room - s->cycle);
        go_on(s, room);
    }
    if (first != core->line || last != core->line)
        fetch_lines(core, op, last, p);
    s->in_cycle++;
}

/* ---- dispatch ----------------------------------------------------------------------- */

static inline uint64_t dispatch(struct sl_out_of_order *core, const struct sl_op *op, bool memory,
                                struct sl_op_passage *p)
{
    struct sl_out_of_order_stage *s = &core->dispatch;
    uint64_t cycle = next_of(s), arrives = core->fetch.cycle + 1;
    uint64_t room = room_for(&core->rob, core->n), alone = core->alone;
    if (arrives > cycle)
        cycle = arrives;
    if (memory && room_for(&core->lsq, core->n_memory) > room)
        room = room_for(&core->lsq, core->n_memory);
    if (room > cycle) {
        sl_op_passage_waits(p, SL_H_LOST_STRUCTURE, room - cycle);
        cycle = room;
    }
    if (op->unit == SL_UNIT_SYSTEM)
        alone = core->commit.cycle;
    if (alone > cycle) {
        sl_op_passage_waits(p, SL_H_LOST_DEPENDENCE, alone - cycle);
        cycle = alone;
    }
    if (cycle > s->cycle)
        sl_calendar_advance(&core->calendar, cycle + 1);
    go_on(s, cycle);
    s->in_cycle++;
    leaves(&core->ifq, core->n, cycle);
    return cycle;
}

/* ---- issue and complete --------------------------------------------------------------- */

static inline void execute(struct sl_out_of_order *core, const struct sl_op *op,
                           const struct sl_reference *reference, uint32_t n_references,
                           struct sl_op_passage *p, uint64_t happened[SL_HAPPENINGS])
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t first = later(core->complete[op->source[0]], core->complete[op->source[1]]);
    for (unsigned i = 2; i < op->n_sources; i++)
        first = later(first, core->complete[op->source[i]]);
    if (op->unit != SL_UNIT_NONE)
        p->ready = later(p->ready, first);
    if (n_references) {
        sl_out_of_order_access(core, p, op, unit, reference, n_references, happened);
    } else {
        sl_out_of_order_issue(core, p, unit, unit->needs);
        p->complete = p->issue + unit->latency;
        sl_op_passage_waits(p, SL_H_LOST_LONG, unit->latency - 1);
    }
    core->complete[op->result[0]] = core->complete[op->result[1]] = p->complete;
    for (unsigned i = 2; i < op->n_results; i++)
        core->complete[op->result[i]] = p->complete;
    for (unsigned i = 1; i <= op->n_updates; i++)
        core->complete[op->result[op->n_results - i]] = p->issue + 1;
}

/* ---- commit --------------------------------------------------------------------------- */

static void lose(const struct sl_op_passage *p, uint64_t lost, uint64_t happened[SL_HAPPENINGS])
{
    for (unsigned i = p->n_waits; i-- && lost;) {
        uint64_t part = p->wait[i].cycles < lost ? p->wait[i].cycles : lost;
        happened[p->wait[i].cause] += part;
        lost -= part;
    }
    /* The length of the pipeline, when nothing was in it. */
    happened[p->n_waits ? p->wait[0].cause : SL_H_LOST_FETCH] += lost;
}

static inline void commit(struct sl_out_of_order *core, struct sl_op_passage *p, bool memory,
                          uint64_t happened[SL_HAPPENINGS])
{
    struct sl_out_of_order_stage *s = &core->commit;
    uint64_t before = s->cycle, cycle = next_of(s);
    if (p->complete + 1 > cycle)
        cycle = p->complete + 1;
    if (core->held > cycle) {
        sl_op_passage_waits(p, SL_H_LOST_PROFILER, core->held - (cycle > before ? cycle : before + 1));
        cycle = core->held;
    }
    go_on(s, cycle);
    s->in_cycle++;
    leaves(&core->rob, core->n++, cycle);
    if (memory)
        leaves(&core->lsq, core->n_memory++, cycle);
    if (cycle > before) {
        happened[SL_H_CYCLES] += cycle - before;
        happened[SL_H_BASE]++;
        if (cycle > before + 1)
            lose(p, cycle - before - 1, happened);
    }
}

static uint64_t committed(const void *memory)
{
    return ((const struct sl_out_of_order *)memory)->commit.cycle;
}

static void hold(void *memory, uint64_t cycle)
{
    struct sl_out_of_order *core = memory;
    core->held = later(core->held, cycle);
}

/* ---- a block ---------------------------------------------------------------------------- */

static void block(void *memory, const struct sl_executed *executed,
                  uint64_t happened[SL_HAPPENINGS])
{
    struct sl_out_of_order *core = memory;
    const struct sl_reference *reference = executed->reference;
    const struct sl_reference *end = reference + executed->n_references;
    struct sl_op_passage p;
    p.n_waits = 0;
    redirect(core, executed, &p);
    for (uint32_t i = 0; i < executed->n_ops; i++) {
        const struct sl_op *op = &executed->op[i];
        uint32_t n = 0;
        while (reference + n < end && reference[n].op == i)
            n++;
        fetch(core, op, &p);
        uint64_t dispatched = dispatch(core, op, n != 0, &p);
        p.ready = dispatched + 1;
        execute(core, op, reference, n, &p, happened);
        uint64_t before = core->commit.cycle;
        commit(core, &p, n != 0, happened);
        if (__builtin_expect(executed->commit != NULL, 0))
            sl_commit_note(&executed->commit[i], before, dispatched, core->commit.cycle,
                           before && (core->alone == before || (!i && sl_executed_flushes(executed))));
        if (n)
            sl_out_of_order_stored(core, &p, reference, n);
        if (op->branch != SL_BRANCH_NONE) {
            core->branch_dispatch = dispatched;
            core->branch_complete = p.complete;
        }
        if (op->unit == SL_UNIT_SYSTEM)
            core->alone = core->commit.cycle;
        reference += n;
        p.n_waits = 0;
        if (__builtin_expect(executed->each != NULL, 0))
            executed->each(executed->context, op);
    }
}

const struct sl_core_kind sl_core_out_of_order = {
    .name = "out-of-order",
    .options = sl_out_of_order_options,
    .config_size = sizeof(struct sl_out_of_order_config),
    .check = sl_out_of_order_check,
    .size = sl_out_of_order_size,
    .init = sl_out_of_order_init,
    .block = block,
    .committed = committed,
    .hold = hold,
};
