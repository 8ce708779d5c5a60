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
#include "out_of_order_memory.h"

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

static inline void leaves(const struct sl_out_of_order_queue *q, uint64_t n, uint64_t cycle)
{
    q->left[n & q->mask] = cycle;
}

/* ---- fetch ------------------------------------------------------------------------ */

/* The branch that led to this block, and where fetching goes on. Returns how long that takes. */
static inline uint64_t redirect(struct sl_out_of_order *core, const struct sl_executed *executed)
{
    struct sl_out_of_order_stage *s = &core->fetch;
    if (executed->taken && s->in_cycle)
        go_on(s, s->cycle + 1);
    if (executed->taken || executed->prediction != SL_PREDICTED)
        core->line = SL_OUT_OF_ORDER_NO_LINE;
    if (executed->prediction == SL_PREDICTED)
        return 0;
    uint64_t before = s->cycle;
    go_on(s, executed->prediction == SL_MISFETCHED ? core->branch_dispatch + core->misfetch_penalty
                                                   : core->branch_complete + core->branch_penalty);
    return s->cycle - before;
}

static __attribute__((noinline)) void fetch_lines(struct sl_out_of_order *core, uint64_t line,
                                                  uint64_t last, uint64_t cycle,
                                                  struct sl_out_of_order_piece *piece)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[0];
    core->hierarchy->now = cycle;
    core->line = last;
    for (; line <= last; line++) {
        struct sl_stall stall =
            sl_stall_of(port, sl_hierarchy_fetch(core->hierarchy, line << port->line_log2, 1));
        piece->walks += stall.walk;
        piece->misses += stall.rest;
    }
}

/* What there is to fetch in front of the piece, in the cycle in which its first is. */
static inline void fetch_first(struct sl_out_of_order *core, const struct sl_op *op,
                               uint64_t cycle, struct sl_out_of_order_piece *piece)
{
    unsigned line_log2 = core->hierarchy->port[0].line_log2;
    uint64_t first = op->pc >> line_log2, last = (op->pc + op->size - 1) >> line_log2;
    piece->walks = piece->misses = 0;
    if (first != core->line || last != core->line)
        fetch_lines(core, first + (first == core->line), last, cycle, piece);
}

/* ---- dispatch ----------------------------------------------------------------------- */

/* A piece for which there is room, however it comes: what is asked is only how many a stage takes.
 * Room is there for all when it is for the last of them, as instructions leave in their order. */
static inline bool dispatch_freely(struct sl_out_of_order *core, const struct sl_op *op,
                                   struct sl_out_of_order_piece *piece)
{
    uint64_t last = core->n + piece->n - 1, last_memory = core->n_memory + piece->n - 1;
    struct sl_out_of_order_stage fetch = core->fetch, dispatch = core->dispatch;
    go_on(&fetch, next_of(&fetch));
    uint64_t from = later(next_of(&dispatch), fetch.cycle + 1);
    if (room_for(&core->ifq, last) > fetch.cycle || room_for(&core->rob, last) > from ||
        room_for(&core->lsq, last_memory) > from || core->alone > from ||
        op->unit == SL_UNIT_SYSTEM)
        return false;
    fetch_first(core, op, fetch.cycle, piece);
    go_on(&fetch, fetch.cycle + piece->walks + piece->misses);
    for (uint32_t i = 0; i < piece->n; i++) {
        go_on(&fetch, next_of(&fetch));
        fetch.in_cycle++;
        go_on(&dispatch, later(next_of(&dispatch), fetch.cycle + 1));
        dispatch.in_cycle++;
        piece->dispatched[i] = dispatch.cycle;
        leaves(&core->ifq, core->n + i, dispatch.cycle);
    }
    core->fetch = fetch;
    core->dispatch = dispatch;
    piece->crowded = false;
    piece->apart = 0;
    return true;
}

/* Any other: `reference` is of the first that has any, which is instruction `from` or behind it. */
static __attribute__((noinline)) void dispatch_crowded(struct sl_out_of_order *core,
                                                       const struct sl_op *op, uint32_t from,
                                                       const struct sl_reference *reference,
                                                       const struct sl_reference *end,
                                                       struct sl_out_of_order_piece *piece)
{
    struct sl_out_of_order_stage *fetch = &core->fetch, *dispatch = &core->dispatch;
    uint64_t alone = op->unit == SL_UNIT_SYSTEM ? core->commit.cycle : core->alone;
    uint64_t n_memory = core->n_memory;
    piece->crowded = true;
    for (uint32_t i = 0; i < piece->n; i++) {
        uint64_t n = core->n + i, turn = next_of(fetch);
        go_on(fetch, later(turn, room_for(&core->ifq, n)));
        piece->queued[i] = fetch->cycle - turn;
        if (!i) {
            fetch_first(core, op, fetch->cycle, piece);
            go_on(fetch, fetch->cycle + piece->walks + piece->misses);
        }
        fetch->in_cycle++;
        uint64_t arrived = later(next_of(dispatch), fetch->cycle + 1);
        uint64_t cycle = later(arrived, room_for(&core->rob, n));
        if (reference < end && reference->op == from + i)
            cycle = later(cycle, room_for(&core->lsq, n_memory++));
        while (reference < end && reference->op == from + i)
            reference++;
        piece->placed[i] = cycle - arrived;
        if (!i)
            piece->apart = later(alone, cycle) - cycle;
        go_on(dispatch, later(cycle, alone));
        dispatch->in_cycle++;
        piece->dispatched[i] = dispatch->cycle;
        leaves(&core->ifq, n, dispatch->cycle);
    }
}

/* ---- issue and complete --------------------------------------------------------------- */

static inline void execute(struct sl_out_of_order *core, const struct sl_op *op,
                           uint64_t dispatched, const struct sl_reference *reference,
                           uint32_t n_references, struct sl_op_passage *p,
                           uint64_t happened[SL_HAPPENINGS])
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t first = later(core->complete[op->source[0]], core->complete[op->source[1]]);
    for (unsigned i = 2; i < op->n_sources; i++)
        first = later(first, core->complete[op->source[i]]);
    if (dispatched >= core->calendar.base)
        sl_calendar_advance(&core->calendar, dispatched + 1);
    p->ready = dispatched + 1;
    if (op->unit != SL_UNIT_NONE)
        p->ready = later(p->ready, first);
    if (n_references) {
        sl_out_of_order_access(core, p, op, unit, reference, n_references, happened);
    } else {
        sl_out_of_order_issue(core, p, unit, unit->needs);
        p->complete = p->issued + unit->latency;
    }
    core->complete[op->result[0]] = core->complete[op->result[1]] = p->complete;
    for (unsigned i = 2; i < op->n_results; i++)
        core->complete[op->result[i]] = p->complete;
    for (unsigned i = 1; i <= op->n_updates; i++)
        core->complete[op->result[op->n_results - i]] = p->issued + 1;
}

/* ---- commit --------------------------------------------------------------------------- */

/* Instruction `i` of the piece, which waited for a profiler for `held` cycles at the end. */
static __attribute__((noinline)) void lose(const struct sl_out_of_order *core,
                                           const struct sl_out_of_order_piece *piece, uint32_t i,
                                           const struct sl_op_passage *p, const struct sl_op *op,
                                           bool memory, uint64_t held, uint64_t lost,
                                           uint64_t happened[SL_HAPPENINGS])
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t latency = memory ? sl_out_of_order_computing(op, unit) : unit->latency;
    uint64_t computes = latency ? latency - 1 : 0;
    uint64_t walk = memory ? p->walk : 0, beyond = memory ? p->beyond : 0;
    uint64_t known = walk + beyond + computes, all = p->complete - p->issued - 1;
    const struct {
        enum sl_happening cause;
        uint64_t cycles;
    } wait[] = {
        {SL_H_LOST_BRANCH, i ? 0 : piece->led},
        {SL_H_LOST_STRUCTURE, piece->crowded ? piece->queued[i] : 0},
        {SL_H_LOST_ITLB, i ? 0 : piece->walks},
        {SL_H_LOST_FETCH, i ? 0 : piece->misses},
        {SL_H_LOST_STRUCTURE, piece->crowded ? piece->placed[i] : 0},
        {SL_H_LOST_DEPENDENCE, i ? 0 : piece->apart},
        {SL_H_LOST_STRUCTURE, p->issued - p->ready},
        {SL_H_LOST_LOAD_USE, all > known ? all - known : 0},
        {SL_H_LOST_DTLB, walk},
        {SL_H_LOST_DATA, beyond},
        {SL_H_LOST_LONG, computes},
        {SL_H_LOST_PROFILER, held},
    };
    enum sl_happening first = SL_H_LOST_FETCH;
    for (unsigned w = sizeof wait / sizeof *wait; w--;) {
        uint64_t part = wait[w].cycles < lost ? wait[w].cycles : lost;
        happened[wait[w].cause] += part;
        lost -= part;
        first = wait[w].cycles ? wait[w].cause : first;
    }
    /* The length of the pipeline, when nothing was in it. */
    happened[first] += lost;
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

/* What is dispatched is executed and committed, from the block's instruction `from` on. Returns the
 * first reference that is not theirs. */
static inline const struct sl_reference *finish(struct sl_out_of_order *core,
                                                const struct sl_executed *e, uint32_t from,
                                                const struct sl_reference *reference,
                                                const struct sl_out_of_order_piece *piece,
                                                uint64_t happened[SL_HAPPENINGS])
{
    const struct sl_reference *end = e->reference + e->n_references;
    struct sl_out_of_order_stage s = core->commit;
    uint64_t begun = s.cycle, lost = 0, n_memory = core->n_memory;
    for (uint32_t i = 0; i < piece->n; i++) {
        const struct sl_op *op = &e->op[from + i];
        struct sl_op_passage p;
        uint32_t n = 0;
        while (reference + n < end && reference[n].op == from + i)
            n++;
        execute(core, op, piece->dispatched[i], reference, n, &p, happened);
        uint64_t before = s.cycle, cycle = later(next_of(&s), p.complete + 1), held = 0;
        if (__builtin_expect(core->held > cycle, 0)) {
            held = core->held - later(cycle, before + 1);
            cycle = core->held;
        }
        if (cycle > before + 1) {
            lose(core, piece, i, &p, op, n != 0, held, cycle - before - 1, happened);
            lost += cycle - before - 1;
        }
        go_on(&s, cycle);
        s.in_cycle++;
        leaves(&core->rob, core->n + i, cycle);
        if (n) {
            leaves(&core->lsq, n_memory++, cycle);
            sl_out_of_order_stored(core, p.complete, cycle, reference, n);
            reference += n;
        }
        if (op->branch != SL_BRANCH_NONE) {
            core->branch_dispatch = piece->dispatched[i];
            core->branch_complete = p.complete;
        }
        if (__builtin_expect(e->commit != NULL, 0))
            sl_commit_note(&e->commit[from + i], before, piece->dispatched[i], cycle,
                           before && (core->alone == before ||
                                      (!(from + i) && sl_executed_flushes(e))));
    }
    core->n += piece->n;
    core->n_memory = n_memory;
    core->commit = s;
    happened[SL_H_CYCLES] += s.cycle - begun;
    happened[SL_H_BASE] += s.cycle - begun - lost;
    return reference;
}

static void block(void *memory, const struct sl_executed *e, uint64_t happened[SL_HAPPENINGS])
{
    struct sl_out_of_order *core = memory;
    const struct sl_reference *reference = e->reference, *end = reference + e->n_references;
    struct sl_out_of_order_piece piece;
    uint32_t most = e->each ? 1 : core->piece;
    piece.led = redirect(core, e);
    for (uint32_t i = 0; i < e->n_ops; i += piece.n) {
        const struct sl_op *op = &e->op[i];
        piece.n = op->run < most ? op->run + 1u : most;
        if (!dispatch_freely(core, op, &piece))
            dispatch_crowded(core, op, i, reference, end, &piece);
        reference = finish(core, e, i, reference, &piece, happened);
        if (op->unit == SL_UNIT_SYSTEM)
            core->alone = core->commit.cycle;
        piece.led = 0;
        if (__builtin_expect(e->each != NULL, 0))
            e->each(e->context, op);
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
