/* SPDX-License-Identifier: MIT */
/* Out-of-order core model: computes in one pass, in program order, the cycles in which each
 * instruction is fetched, dispatched, issued, completed and committed.
 *
 * Each of these cycles is the earliest one that the rules allow. An instruction never depends on a
 * younger one, and an older one has priority for every unit. So one pass gives, cycle for cycle,
 * the result of simulating a core that issues the oldest instruction first, as
 * tests/unit/out_of_order_naive.h does, with a small part of the work.
 *
 *     fetch ──► fetch queue ──► dispatch ──► reorder buffer ──► issue, complete
 *                                            load/store queue         │
 *                                                  commit ◄───────────┘
 *
 * The rules are those of SimpleScalar's sim-outorder, except those marked *:
 *
 *     fetch      `fetch` per cycle. Waits for a free entry of the fetch queue and for each line
 *                that misses. Continues in the next cycle after a taken branch, `branch_penalty`
 *                cycles after the completion of a mispredicted branch, and `misfetch_penalty`*
 *                cycles after the dispatch of a misfetched one. L1I latency beyond one cycle is
 *                pipelined and is added only to these penalties*.
 *     dispatch   `dispatch` per cycle, in order, one cycle after fetch, into the reorder buffer
 *                and, for memory accesses, into the load/store queue. Commit frees the entries.
 *     issue      `issue` per cycle, oldest first, one cycle after dispatch, when all sources are
 *                complete and unit and port are free.
 *     complete   after the latency of the unit; a load after `address` cycles and the latency of
 *                the memory hierarchy.
 *     commit     `commit` per cycle, in order, one cycle after completion.
 *
 * Memory. A load waits for the latest older store to the same 8 bytes* and gets its data in
 * `forwarding` cycles if that store is not committed yet. Addresses are known in advance*: a load
 * waits for no other store. Loads of a line in flight wait for it. Misses overlap without limit;
 * stores complete at once, and nothing waits for their misses. A store takes its port at issue*,
 * not at commit. An instruction with several references* takes one issue slot and one queue entry,
 * and a port for each reference, in the cycle of issue or the next one with a free port. An address
 * that a load updates is available one cycle after issue.
 *
 * An instruction that loads or stores and also computes is one instruction*: it takes unit and port
 * together and computes when the data arrive. No-operations* are dispatched and committed only. A
 * system instruction is dispatched when all older ones are committed, and all younger ones when it
 * is.
 *
 * Differences from a cycle-by-cycle simulation:
 *   - Divisions occupy their unit for their whole latency. An older multiplication that is ready
 *     later than a younger division keeps its turn, where the simulated core would find the unit
 *     free. The effect is below 1 % of the cycles of programs with 10 % divisions.
 *   - A load does not find a line that a younger one has fetched earlier.
 *   - More than 8192 cycles after dispatch, units and ports are not counted (calendar.h), and the
 *     latest 1024 lines in flight are known.
 *
 * Performance. The needs of each instruction, and which instructions may be dispatched together,
 * are computed once for each shape of a block (out_of_order_needs.c). Instructions are processed
 * in groups: all of a group are fetched and dispatched (out_of_order_dispatch.h), almost always by
 * a table lookup, since only the stages' widths matter; then each one is issued, completed and
 * committed (out_of_order_execute.h), almost always by one of three fast paths. All other cases,
 * and all optional outputs, use the slow path, which defines the results.
 *
 * Stall cycles. In each cycle an instruction commits, or it is a stall cycle; its cause is the last
 * wait of the next instruction to commit. Each instruction has a list of its waits in order, and
 * stall cycles are attributed from the end of that list.
 *
 * Not modelled: the wrong path and its effect on caches and units; replays; memory order
 * violations; partial forwarding; banks; limits on misses in flight; renaming with fewer registers
 * than reorder buffer entries; interrupts. */
#include <string.h>

#include "out_of_order_dispatch.h"
#include "out_of_order_execute.h"

/* Redirects fetch after the branch before the block. Returns the cycles that fetch waits for a
 * misprediction. Written without conditional branches that the host would mispredict. */
static inline uint64_t redirect(struct sl_out_of_order *core,
                                const struct sl_block_execution *executed)
{
    struct sl_out_of_order_stage *s = &core->fetch;
    bool redirected = executed->taken | (executed->prediction != SL_PREDICTED);
    s->cycle += executed->taken & (s->in_cycle != 0);
    s->in_cycle = executed->taken ? 0 : s->in_cycle;
    core->line |= -(uint64_t)redirected; /* SL_OUT_OF_ORDER_NO_LINE */
    if (__builtin_expect(executed->prediction == SL_PREDICTED, 1))
        return 0;
    uint64_t before = s->cycle;
    sl_out_of_order_advance(s, executed->prediction == SL_MISFETCHED
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

/* Makes space for the times of the next group; preserves those that may still be read. */
static inline void reserve_times(struct sl_out_of_order *core)
{
    if (__builtin_expect(core->times <= core->last_times, 1))
        return;
    memmove(core->first_times, core->times - core->n_readable,
            core->n_readable * sizeof *core->times);
    core->times = core->first_times + core->n_readable;
}

/* Updates the hierarchy's time and pc as if the group had been fetched line by line and its
 * accesses made one by one. `r` is the first reference after the group. */
static void update_time(struct sl_out_of_order *core, const struct sl_dispatch_group *group,
                        const struct sl_reference *r)
{
    const struct sl_block_execution *e = group->executed;
    if (group->asked) {
        core->hierarchy->now = group->asked;
        core->hierarchy->pc = e->op[r[-1].op].pc;
    }
    if (group->early_op && (r == e->reference || e->op + r[-1].op < group->early_op))
        core->hierarchy->now = group->early_fetched_at;
}

/* Advances to the instructions after the group, whose first reference is `r`. */
static inline void leave(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                         const struct sl_reference *r)
{
    if (__builtin_expect(core->needs_time, 0))
        update_time(core, group, r);
    if (__builtin_expect(group->slow_dispatch, 0) &&
        group->executed->op[group->from].unit == SL_UNIT_SYSTEM)
        core->alone = core->committed;
    core->times += group->n;
    group->from += group->n;
    group->left -= group->n;
    group->needs += group->n;
    group->branch_wait = group->asked = 0;
}

/* The last instruction of the group is the branch that ends its block. */
static inline void note_branch(struct sl_out_of_order *core, const struct sl_dispatch_group *group)
{
    core->branch_dispatch = core->times[-1].dispatched;
    core->branch_complete = group->complete;
}

/* Executes a block without optional outputs, from its first span on. */
static inline void run_block(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                             const struct sl_op_span *span)
{
    const struct sl_reference *r = group->executed->reference;
    group->needs = span->needs;
    group->left = span->n;
    for (;;) {
        reserve_times(core);
        if (group->left != span->n || !dispatch_fast(core, span, group))
            dispatch_slow(core, group->left, group);
        r = __builtin_expect(group->spread, 0) ? execute_group_slow(core, group, r)
                                               : execute(core, group, r);
        leave(core, group, r);
        if (__builtin_expect(group->left, 0))
            continue;
        if (span->is_last)
            break;
        span = (const struct sl_op_span *)group->needs;
        group->needs = span->needs;
        group->left = span->n;
    }
    if (span->branches)
        note_branch(core, group);
}

static void add_cycles(const struct sl_out_of_order *core, struct sl_dispatch_group *group,
                       uint64_t *begun)
{
    group->totals[SL_MACHINE_CYCLES] += core->committed - *begun;
    group->totals[SL_MACHINE_BASE] += core->committed - *begun - group->lost;
    *begun = core->committed;
    group->lost = 0;
}

/* Executes a block with optional outputs, or whose needs are not stored. */
static __attribute__((noinline)) void run_detailed(struct sl_out_of_order *core,
                                                   struct sl_dispatch_group *group)
{
    const struct sl_block_execution *e = group->executed;
    const struct sl_reference *r = e->reference;
    uint64_t begun = core->committed;
    while (group->from < e->n_ops) {
        const struct sl_op *op = &e->op[group->from];
        uint32_t left = e->n_ops - group->from, most = left < core->group ? left : core->group;
        group->left = e->after_op ? 1 : most;
        reserve_times(core);
        group->needs = core->unstored;
        sl_out_of_order_find_needs(core, e, group->from, group->left, r, core->unstored);
        dispatch_slow(core, group->left, group);
        r = execute_group_slow(core, group, r);
        leave(core, group, r);
        add_cycles(core, group, &begun);
        if (e->after_op)
            e->after_op(e->context, op->insn);
    }
    if (e->n_ops && e->op[e->n_ops - 1].branch != SL_BRANCH_NONE)
        note_branch(core, group);
}

static void block(void *memory, const struct sl_block_execution *e,
                  uint64_t totals[SL_MACHINE_EVENTS])
{
    struct sl_out_of_order *core = memory;
    uint64_t begun = core->committed;
    struct sl_dispatch_group group;
    group.executed = e;
    group.totals = totals;
    group.slow = NULL;
    group.from = 0;
    group.lost = group.asked = 0;
    group.branch_wait = redirect(core, e);
    const struct sl_op_span *span = sl_out_of_order_spans(core, e);
    if (__builtin_expect(!span || e->commit || e->after_op || core->held > begun, 0)) {
        run_detailed(core, &group);
    } else {
        run_block(core, &group, span);
        add_cycles(core, &group, &begun);
    }
}

const struct sl_core_kind sl_core_out_of_order = {
    .options = sl_out_of_order_options,
    .config_size = sizeof(struct sl_out_of_order_config),
    .size = sl_out_of_order_size,
    .init = sl_out_of_order_init,
    .block = block,
    .committed = committed,
    .hold = hold,
    .close = sl_out_of_order_close,
};
