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
#include "out_of_order_commit.h"
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
                                                  uint64_t last,
                                                  struct sl_out_of_order_piece *piece)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[0];
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
    if (last == core->line && first == last)
        return;
    first += first == core->line;
    core->hierarchy->now = cycle;
    if (first == last && sl_hierarchy_usual(core->hierarchy, SL_ACCESS_FETCH, last << line_log2, 1))
        core->line = last;
    else
        fetch_lines(core, first, last, piece);
}

/* How many go with the first of a piece: those behind it as long as they need no line, or one that L1I
 * has where it usually is. That one is fetched early, which nothing but L1I and its TLB sees. */
static inline uint32_t together(struct sl_out_of_order *core, const struct sl_op *op, uint32_t most,
                                struct sl_out_of_order_piece *piece)
{
    unsigned line_log2 = core->hierarchy->port[0].line_log2;
    uint32_t n = op->run + 1u;
    piece->lined = NULL;
    while (n < most && op[n].unit != SL_UNIT_SYSTEM) {
        uint64_t first = op[n].pc >> line_log2, last = (op[n].pc + op[n].size - 1) >> line_log2;
        if (last == core->line || first + (first == core->line) != last ||
            !sl_hierarchy_usual(core->hierarchy, SL_ACCESS_FETCH, last << line_log2, 1))
            break;
        core->line = last;
        piece->lined = &op[n];
        n += op[n].run + 1u;
    }
    return n < most ? n : most;
}

/* ---- dispatch ----------------------------------------------------------------------- */

/* Whether there is room for the next `most` however they come, if the first is fetched and dispatched in
 * these cycles. It is when it is for the last of them, as instructions leave in their order. */
static inline bool has_room(const struct sl_out_of_order *core, uint32_t most, uint64_t fetched,
                            uint64_t dispatched)
{
    uint64_t last = core->n + most - 1;
    return sl_out_of_order_place(core, last - core->ifq)->dispatched <= fetched &&
           sl_out_of_order_place(core, last - core->rob)->committed <= dispatched &&
           sl_out_of_order_room(&core->lsq, core->n_memory + most - 1) <= dispatched &&
           core->alone <= dispatched;
}

/* A piece of `most` at most for which there is room: what is asked is only how many a stage takes. So
 * each is dispatched when an idle stage would take it, or when one would that had all of them to take:
 * whichever is later. */
static inline bool dispatch_freely(struct sl_out_of_order *core, const struct sl_op *op,
                                   uint32_t most, struct sl_out_of_order_piece *piece)
{
    struct sl_out_of_order_stage fetch = core->fetch, *dispatch = &core->dispatch;
    sl_out_of_order_go_on(&fetch, sl_out_of_order_next(&fetch));
    if (op->unit == SL_UNIT_SYSTEM ||
        !has_room(core, most, fetch.cycle,
                  sl_later(sl_out_of_order_next(dispatch), fetch.cycle + 1)))
        return false;
    fetch_first(core, op, fetch.cycle, piece);
    sl_out_of_order_go_on(&fetch, fetch.cycle + piece->walks + piece->misses);
    uint32_t n = piece->n = together(core, op, most, piece);
    const struct sl_out_of_order_rhythm *fetching = &core->fetching[fetch.in_cycle];
    if (piece->lined)
        piece->lined_at = fetch.cycle + fetching->cycle[piece->lined - op];
    const struct sl_out_of_order_rhythm *idle = &core->arriving[fetch.in_cycle];
    const struct sl_out_of_order_rhythm *busy = &core->dispatching[dispatch->in_cycle];
    uint64_t arrived = piece->arrived = fetch.cycle + 1, begun = piece->begun = dispatch->cycle;
    piece->idle = idle->cycle;
    piece->busy = busy->cycle;
    uint64_t one = arrived + idle->cycle[n - 1], other = begun + busy->cycle[n - 1];
    uint8_t in_one = one >= other ? idle->in_cycle[n - 1] : 0;
    uint8_t in_other = other >= one ? busy->in_cycle[n - 1] : 0;
    dispatch->cycle = sl_later(one, other);
    dispatch->in_cycle = in_one > in_other ? in_one : in_other;
    core->fetch.cycle = fetch.cycle + fetching->cycle[n - 1];
    core->fetch.in_cycle = fetching->in_cycle[n - 1];
    piece->crowded = false;
    piece->apart = 0;
    return true;
}

/* Any other: `reference` is of the first that has any, which is the first of the piece or behind it. */
static __attribute__((noinline)) void dispatch_crowded(struct sl_out_of_order *core,
                                                       const struct sl_op *op, uint32_t most,
                                                       const struct sl_reference *reference,
                                                       const struct sl_reference *end,
                                                       struct sl_out_of_order_piece *piece)
{
    struct sl_out_of_order_stage *fetch = &core->fetch, *dispatch = &core->dispatch;
    uint64_t alone = op->unit == SL_UNIT_SYSTEM ? core->committed : core->alone;
    uint64_t n_memory = core->n_memory;
    piece->crowded = true;
    piece->n = 1;
    for (uint32_t i = 0; i < piece->n; i++) {
        uint64_t n = core->n + i, turn = sl_out_of_order_next(fetch);
        uint64_t room = sl_out_of_order_place(core, n - core->ifq)->dispatched;
        sl_out_of_order_go_on(fetch, sl_later(turn, room));
        piece->queued[i] = fetch->cycle - turn;
        if (!i) {
            fetch_first(core, op, fetch->cycle, piece);
            sl_out_of_order_go_on(fetch, fetch->cycle + piece->walks + piece->misses);
            piece->n = together(core, op, op->unit == SL_UNIT_SYSTEM ? 1 : most, piece);
        }
        if (piece->lined == op + i)
            piece->lined_at = fetch->cycle;
        fetch->in_cycle++;
        uint64_t arrived = sl_later(sl_out_of_order_next(dispatch), fetch->cycle + 1);
        uint64_t cycle = sl_later(arrived, sl_out_of_order_place(core, n - core->rob)->committed);
        if (reference < end && reference->op == piece->from + i)
            cycle = sl_later(cycle, sl_out_of_order_room(&core->lsq, n_memory++));
        while (reference < end && reference->op == piece->from + i)
            reference++;
        piece->placed[i] = cycle - arrived;
        if (!i)
            piece->apart = sl_later(alone, cycle) - cycle;
        sl_out_of_order_go_on(dispatch, sl_later(cycle, alone));
        dispatch->in_cycle++;
        sl_out_of_order_place(core, n)->dispatched = dispatch->cycle;
    }
}

/* ---- issue, complete and commit ------------------------------------------------------- */

/* Any instruction that is not plain: when its sources are there. */
static __attribute__((noinline)) uint64_t ready_at(const struct sl_out_of_order *core,
                                                   const struct sl_op *op, uint64_t ready)
{
    for (unsigned i = 0; i < op->n_sources && op->unit != SL_UNIT_NONE; i++)
        ready = sl_later(ready, core->complete[op->source[i]]);
    return ready;
}

/* When it is issued. */
static __attribute__((noinline)) uint64_t issue_any(struct sl_out_of_order *core,
                                                    const struct sl_op *op, uint64_t ready,
                                                    uint64_t needs)
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    return unit->occupies ? sl_calendar_occupy(&core->calendar, ready, needs, unit->occupies,
                                               unit->latency)
                          : sl_calendar_take(&core->calendar, core->calendar.base, ready, needs);
}

/* And when its results are there. */
static __attribute__((noinline)) void set_results(struct sl_out_of_order *core,
                                                  const struct sl_op *op, uint64_t issued,
                                                  uint64_t complete)
{
    for (unsigned i = 0; i < op->n_results; i++)
        core->complete[op->result[i]] = complete;
    for (unsigned i = 1; i <= op->n_updates; i++)
        core->complete[op->result[op->n_results - i]] = issued + 1;
}

/* Issues instruction `op` when it is ready and what it needs is there. */
static inline void issue(struct sl_out_of_order *core, const struct sl_op *op, uint64_t dispatched,
                         struct sl_op_passage *p)
{
    const uint64_t *complete = core->complete;
    uint64_t needs = core->unit[op->unit].needs + (p->memory ? SL_SLOT(SL_SLOT_PORT) : 0);
    if (__builtin_expect(op->plain, 1)) {
        p->ready = sl_later(sl_later(dispatched + 1, complete[op->source[0]]),
                            sl_later(complete[op->source[1]], complete[op->source[2]]));
        p->issued = sl_calendar_take(&core->calendar, dispatched + 1, p->ready, needs);
    } else {
        core->calendar.base = dispatched + 1;
        p->ready = ready_at(core, op, dispatched + 1);
        p->issued = issue_any(core, op, p->ready, needs);
    }
}

/* When instruction `i` of a piece for which there was room is dispatched. */
static inline uint64_t dispatched_at(const struct sl_out_of_order_piece *piece, uint32_t i)
{
    return sl_later(piece->arrived + piece->idle[i], piece->begun + piece->busy[i]);
}

/* A piece is executed and committed, one after the other. Returns the first reference that is not
 * theirs. `watched`: someone may want to know of commits or hold them. */
static inline __attribute__((always_inline)) const struct sl_reference *execute(
    struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
    const struct sl_reference *reference, bool crowded, bool watched)
{
    const struct sl_executed *e = piece->executed;
    const struct sl_reference *end = e->reference + e->n_references;
    const struct sl_op *op = e->op + piece->from;
    const struct sl_op *accesses = reference < end ? e->op + reference->op : NULL; /* the next */
    uint64_t begun = core->committed, committed = begun, lost = 0, number = core->n;
    if (!crowded)
        sl_calendar_advance(&core->calendar, dispatched_at(piece, 0) + 1);
    for (uint32_t i = 0; i < piece->n; i++, op++, number++) {
        struct sl_out_of_order_place *place = sl_out_of_order_place(core, number);
        uint64_t dispatched = crowded ? place->dispatched : dispatched_at(piece, i);
        uint64_t before = committed;
        const struct sl_reference *own = reference;
        struct sl_op_passage p = {.memory = accesses == op};
        place->dispatched = dispatched;
        if (crowded)
            sl_calendar_advance(&core->calendar, dispatched + 1);
        issue(core, op, dispatched, &p);
        p.complete = p.issued + core->unit[op->unit].latency;
        if (p.memory) {
            core->calendar.base = dispatched + 1;
            reference = sl_out_of_order_access(core, piece, op, own, end, &p);
            accesses = reference < end ? e->op + reference->op : NULL;
        }
        core->complete[op->result[0]] = core->complete[op->result[1]] = p.complete;
        if (__builtin_expect(!op->plain, 0))
            set_results(core, op, p.issued, p.complete);
        if (op->branch != SL_BRANCH_NONE) {
            core->branch_dispatch = dispatched;
            core->branch_complete = p.complete;
        }
        committed = place->committed =
            sl_out_of_order_commit(core, number, before, piece, i, &p, watched);
        if (__builtin_expect(committed > before + 1, 0))
            lost += lose(core, piece, i, p, committed - before - 1);
        if (p.memory)
            sl_out_of_order_accessed(core, own, reference, p.complete, committed);
    }
    if (piece->lined && (reference == e->reference || e->op + reference[-1].op < piece->lined))
        core->hierarchy->now = piece->lined_at; /* as if it had been fetched in its turn */
    core->n = number;
    core->committed = committed;
    piece->happened[SL_H_CYCLES] += committed - begun;
    piece->happened[SL_H_BASE] += committed - begun - lost;
    return reference;
}

/* Apart from the other, so that each has only its own work to do. */
static __attribute__((noinline)) const struct sl_reference *execute_crowded(
    struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
    const struct sl_reference *reference)
{
    return execute(core, piece, reference, true, true);
}

static uint64_t committed(const void *memory)
{
    return ((const struct sl_out_of_order *)memory)->committed;
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
    piece.executed = e;
    piece.happened = happened;
    piece.slow = NULL;
    piece.led = redirect(core, e);
    for (piece.from = 0; piece.from < e->n_ops; piece.from += piece.n) {
        const struct sl_op *op = &e->op[piece.from];
        uint32_t most = e->n_ops - piece.from < core->piece ? e->n_ops - piece.from : core->piece;
        if (__builtin_expect(e->each != NULL, 0))
            most = 1;
        bool watched = e->commit || core->held > core->committed;
        if (__builtin_expect(!watched, 1) && dispatch_freely(core, op, most, &piece)) {
            reference = execute(core, &piece, reference, false, false);
        } else {
            dispatch_crowded(core, op, most, reference, end, &piece);
            reference = execute_crowded(core, &piece, reference);
        }
        if (op->unit == SL_UNIT_SYSTEM)
            core->alone = core->committed;
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
