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

/* ---- fetch ------------------------------------------------------------------------ */

/* The branch that led to this block, and where fetching goes on. Returns how long that takes. */
static inline uint64_t redirect(struct sl_out_of_order *core, const struct sl_executed *executed)
{
    struct sl_out_of_order_stage *s = &core->fetch;
    if (executed->taken && s->in_cycle)
        sl_out_of_order_go_on(s, s->cycle + 1);
    if (executed->taken || executed->prediction != SL_PREDICTED)
        core->line = SL_OUT_OF_ORDER_NO_LINE;
    if (executed->prediction == SL_PREDICTED)
        return 0;
    uint64_t before = s->cycle;
    sl_out_of_order_go_on(s, executed->prediction == SL_MISFETCHED ? core->branch_dispatch + core->misfetch_penalty
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
    sl_out_of_order_go_on(&fetch, sl_out_of_order_next(&fetch));
    uint64_t from = sl_later(sl_out_of_order_next(&dispatch), fetch.cycle + 1);
    if (sl_out_of_order_room(&core->ifq, last) > fetch.cycle || sl_out_of_order_room(&core->rob, last) > from ||
        sl_out_of_order_room(&core->lsq, last_memory) > from || core->alone > from ||
        op->unit == SL_UNIT_SYSTEM)
        return false;
    fetch_first(core, op, fetch.cycle, piece);
    sl_out_of_order_go_on(&fetch, fetch.cycle + piece->walks + piece->misses);
    uint64_t *left = core->ifq.left, mask = core->ifq.mask, number = core->n;
    for (uint64_t *to = piece->dispatched, *end = to + piece->n; to < end; to++, number++) {
        if (fetch.in_cycle == fetch.width) {
            fetch.cycle++;
            fetch.in_cycle = 0;
        }
        fetch.in_cycle++;
        if (dispatch.in_cycle == dispatch.width || fetch.cycle >= dispatch.cycle) {
            dispatch.cycle = sl_later(dispatch.cycle, fetch.cycle) + 1;
            dispatch.in_cycle = 0;
        }
        dispatch.in_cycle++;
        *to = dispatch.cycle;
        left[number & mask] = dispatch.cycle;
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
        uint64_t n = core->n + i, turn = sl_out_of_order_next(fetch);
        sl_out_of_order_go_on(fetch, sl_later(turn, sl_out_of_order_room(&core->ifq, n)));
        piece->queued[i] = fetch->cycle - turn;
        if (!i) {
            fetch_first(core, op, fetch->cycle, piece);
            sl_out_of_order_go_on(fetch, fetch->cycle + piece->walks + piece->misses);
        }
        fetch->in_cycle++;
        uint64_t arrived = sl_later(sl_out_of_order_next(dispatch), fetch->cycle + 1);
        uint64_t cycle = sl_later(arrived, sl_out_of_order_room(&core->rob, n));
        if (reference < end && reference->op == from + i)
            cycle = sl_later(cycle, sl_out_of_order_room(&core->lsq, n_memory++));
        while (reference < end && reference->op == from + i)
            reference++;
        piece->placed[i] = cycle - arrived;
        if (!i)
            piece->apart = sl_later(alone, cycle) - cycle;
        sl_out_of_order_go_on(dispatch, sl_later(cycle, alone));
        dispatch->in_cycle++;
        piece->dispatched[i] = dispatch->cycle;
        sl_out_of_order_leaves(&core->ifq, n, dispatch->cycle);
    }
}

/* ---- issue and complete --------------------------------------------------------------- */

/* When its sources are there; and where its results are when it is complete. For any instruction. */
static __attribute__((noinline)) uint64_t ready_at(const struct sl_out_of_order *core,
                                                   const struct sl_op *op, uint64_t dispatched)
{
    uint64_t ready = dispatched + 1;
    for (unsigned i = 0; i < op->n_sources && op->unit != SL_UNIT_NONE; i++)
        ready = sl_later(ready, core->complete[op->source[i]]);
    return ready;
}

static __attribute__((noinline)) void set_results(struct sl_out_of_order *core,
                                                  const struct sl_op *op,
                                                  const struct sl_op_passage *p)
{
    for (unsigned i = 0; i < op->n_results; i++)
        core->complete[op->result[i]] = p->complete;
    for (unsigned i = 1; i <= op->n_updates; i++)
        core->complete[op->result[op->n_results - i]] = p->issued + 1;
}

/* What is dispatched is executed. Returns the first reference that is not theirs. */
static __attribute__((noinline)) const struct sl_reference *execute(
    struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
    const struct sl_reference *reference)
{
    const struct sl_executed *e = piece->executed;
    const struct sl_reference *end = e->reference + e->n_references;
    const struct sl_op *op = e->op + piece->from;
    uint64_t *complete = core->complete;
    uint32_t accesses = reference < end ? reference->op - piece->from : UINT32_MAX; /* the next */
    for (uint32_t i = 0; i < piece->n; i++, op++) {
        const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
        struct sl_op_passage *p = &piece->passage[i];
        uint64_t dispatched = piece->dispatched[i];
        if (dispatched >= core->calendar.base)
            sl_calendar_advance(&core->calendar, dispatched + 1);
        p->ready = __builtin_expect(op->plain, 1)
                       ? sl_later(sl_later(dispatched + 1, complete[op->source[0]]),
                                  sl_later(complete[op->source[1]], complete[op->source[2]]))
                       : ready_at(core, op, dispatched);
        p->memory = accesses == i;
        if (accesses == i) {
            reference = sl_out_of_order_access(core, piece, i, op, reference, end);
            accesses = reference < end ? reference->op - piece->from : UINT32_MAX;
        } else {
            p->issued = sl_out_of_order_issue(core, p->ready, op, unit, unit->needs);
            p->complete = p->issued + unit->latency;
        }
        complete[op->result[0]] = complete[op->result[1]] = p->complete;
        if (__builtin_expect(!op->plain, 0))
            set_results(core, op, p);
        if (op->branch != SL_BRANCH_NONE) {
            core->branch_dispatch = dispatched;
            core->branch_complete = p->complete;
        }
    }
    return reference;
}

/* ---- commit --------------------------------------------------------------------------- */

static uint64_t committed(const void *memory)
{
    return ((const struct sl_out_of_order *)memory)->commit.cycle;
}

static void hold(void *memory, uint64_t cycle)
{
    struct sl_out_of_order *core = memory;
    core->held = sl_later(core->held, cycle);
}

/* ---- a block ---------------------------------------------------------------------------- */

static void block(void *memory, const struct sl_executed *e, uint64_t happened[SL_HAPPENINGS])
{
    struct sl_out_of_order *core = memory;
    const struct sl_reference *reference = e->reference, *end = reference + e->n_references;
    struct sl_out_of_order_piece piece;
    uint32_t most = e->each ? 1 : core->piece;
    piece.executed = e;
    piece.happened = happened;
    piece.led = redirect(core, e);
    for (uint32_t i = 0; i < e->n_ops; i += piece.n) {
        const struct sl_op *op = &e->op[i];
        piece.n = op->run < most ? op->run + 1u : most;
        piece.from = i;
        piece.n_committed = 0;
        if (!dispatch_freely(core, op, &piece))
            dispatch_crowded(core, op, i, reference, end, &piece);
        reference = execute(core, &piece, reference);
        sl_out_of_order_commit(core, &piece, piece.n);
        core->n += piece.n;
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
