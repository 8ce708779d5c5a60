/* SPDX-License-Identifier: MIT */
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
 * How it is fast. What an instruction asks for, and which of them may go together, is found out
 * once for each shape of its block (out_of_order_demand.c). Instructions go in pieces: all of a
 * piece are fetched and dispatched (out_of_order_dispatch.h), nearly always by one row of a table,
 * as nothing matters but how many a stage takes; then each is issued, complete and committed
 * (out_of_order_execute.h), nearly always by one of three short ways. Whatever is otherwise, and
 * whatever someone watches, goes one long way, which defines it.
 *
 * Lost cycles. In a cycle something commits, or it is lost; then the cause is what the
 * next to commit was last waiting for. It has kept a list of its waits in the order in
 * which they happened, and the lost cycles are taken from the end of that.
 *
 * Not modelled: the wrong path and what it does to caches and units; replays; violations
 * of memory order; partial forwarding; banks; misses under way beyond the above;
 * renaming with fewer registers than there are places in the reorder buffer; interrupts. */
#include <string.h>

#include "out_of_order_dispatch.h"
#include "out_of_order_execute.h"

/* The branch that led to this block, and where fetching goes on. Returns how long that takes. What
 * our own processor cannot foresee is reckoned without a branch. */
static inline uint64_t redirect(struct sl_out_of_order *core, const struct sl_executed *executed)
{
    struct sl_out_of_order_stage *s = &core->fetch;
    bool anew = executed->taken | (executed->prediction != SL_PREDICTED);
    s->cycle += executed->taken & (s->in_cycle != 0);
    s->in_cycle = executed->taken ? 0 : s->in_cycle;
    core->line |= -(uint64_t)anew; /* SL_OUT_OF_ORDER_NO_LINE */
    if (__builtin_expect(executed->prediction == SL_PREDICTED, 1))
        return 0;
    uint64_t before = s->cycle;
    sl_out_of_order_go_on(s, executed->prediction == SL_MISFETCHED
                                 ? core->branch_dispatch + core->misfetch_penalty
                                 : core->branch_complete + core->branch_penalty);
    return s->cycle - before;
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

/* ---- a block ---- */

/* Before the next piece: room for its places, while all are kept that may be asked for. */
static inline void make_places(struct sl_out_of_order *core)
{
    if (__builtin_expect(core->place <= core->last_place, 1))
        return;
    memmove(core->first_place, core->place - core->n_asked, core->n_asked * sizeof *core->place);
    core->place = core->first_place + core->n_asked;
}

/* Tells the hierarchy what it would know if the piece had been fetched line by line and its
 * accesses made one by one; the first reference behind it is `r`. */
static void tell(struct sl_out_of_order *core, const struct sl_out_of_order_piece *piece,
                 const struct sl_reference *r)
{
    const struct sl_executed *e = piece->executed;
    if (piece->asked) {
        core->hierarchy->now = piece->asked;
        core->hierarchy->pc = e->op[r[-1].op].pc;
    }
    if (piece->lined && (r == e->reference || e->op + r[-1].op < piece->lined))
        core->hierarchy->now = piece->lined_at;
}

/* What is behind the piece, the first reference of which is `r`. */
static inline void leave(struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
                         const struct sl_reference *r)
{
    if (__builtin_expect(core->tells, 0))
        tell(core, piece, r);
    if (__builtin_expect(piece->crowded, 0) &&
        piece->executed->op[piece->from].unit == SL_UNIT_SYSTEM)
        core->alone = core->committed;
    core->place += piece->n;
    piece->from += piece->n;
    piece->left -= piece->n;
    piece->demand += piece->n;
    piece->led = piece->asked = 0;
}

/* The last instruction of a piece that has been left is the branch at the end of its block. */
static inline void note_branch(struct sl_out_of_order *core,
                               const struct sl_out_of_order_piece *piece)
{
    core->branch_dispatch = core->place[-1].dispatched;
    core->branch_complete = piece->complete;
}

/* A block that nobody watches, from its first span on. */
static inline void run_block(struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
                             const struct sl_op_span *span)
{
    const struct sl_reference *r = piece->executed->reference;
    piece->demand = span->demand;
    piece->left = span->n;
    for (;;) {
        make_places(core);
        if (piece->left != span->n || !dispatch_freely(core, span, piece))
            dispatch_crowded(core, piece->left, piece);
        r = __builtin_expect(piece->spread, 0) ? execute_each(core, piece, r)
                                               : execute(core, piece, r);
        leave(core, piece, r);
        if (__builtin_expect(piece->left, 0))
            continue;
        if (span->is_last)
            break;
        span = (const struct sl_op_span *)piece->demand;
        piece->demand = span->demand;
        piece->left = span->n;
    }
    if (span->branches)
        note_branch(core, piece);
}

static void sum_up(const struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
                   uint64_t *begun)
{
    piece->happened[SL_H_CYCLES] += core->committed - *begun;
    piece->happened[SL_H_BASE] += core->committed - *begun - piece->lost;
    *begun = core->committed;
    piece->lost = 0;
}

/* A block that someone watches, or whose demands are not kept. */
static __attribute__((noinline)) void run_closely(struct sl_out_of_order *core,
                                                  struct sl_out_of_order_piece *piece)
{
    const struct sl_executed *e = piece->executed;
    const struct sl_reference *r = e->reference;
    uint64_t begun = core->committed;
    while (piece->from < e->n_ops) {
        const struct sl_op *op = &e->op[piece->from];
        uint32_t left = e->n_ops - piece->from, most = left < core->piece ? left : core->piece;
        piece->left = e->each ? 1 : most;
        make_places(core);
        piece->demand = core->loose;
        sl_out_of_order_make_demands(core, e, piece->from, piece->left, r, core->loose);
        dispatch_crowded(core, piece->left, piece);
        r = execute_each(core, piece, r);
        leave(core, piece, r);
        sum_up(core, piece, &begun);
        if (e->each)
            e->each(e->context, op);
    }
    if (e->n_ops && e->op[e->n_ops - 1].branch != SL_BRANCH_NONE)
        note_branch(core, piece);
}

static void block(void *memory, const struct sl_executed *e, uint64_t happened[SL_HAPPENINGS])
{
    struct sl_out_of_order *core = memory;
    uint64_t begun = core->committed;
    struct sl_out_of_order_piece piece;
    piece.executed = e;
    piece.happened = happened;
    piece.slow = NULL;
    piece.from = 0;
    piece.lost = piece.asked = 0;
    piece.led = redirect(core, e);
    const struct sl_op_span *span = sl_out_of_order_spans(core, e);
    if (__builtin_expect(!span || e->commit || e->each || core->held > begun, 0)) {
        run_closely(core, &piece);
    } else {
        run_block(core, &piece, span);
        sum_up(core, &piece, &begun);
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
    .close = sl_out_of_order_close,
};
