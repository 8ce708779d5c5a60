/* SPDX-License-Identifier: MIT */
/* The out-of-order core's commit; the rules are in out_of_order.c. */
#ifndef SL_OUT_OF_ORDER_COMMIT_H
#define SL_OUT_OF_ORDER_COMMIT_H

#include "out_of_order_state.h"

/* Instruction `i` of the piece, whose passage that of the piece is, was committed behind one that
 * was in cycle `before`, and so has lost cycles. Returns when it was committed. */
static __attribute__((noinline)) uint64_t lose(const struct sl_out_of_order *core,
                                               struct sl_out_of_order_piece *piece, uint32_t i,
                                               uint64_t before)
{
    struct sl_op_passage p = piece->passage;
    uint64_t lost = core->place[i].committed - before - 1;
    piece->lost += lost;
    const struct sl_op *op = &piece->executed->op[piece->from + i];
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t latency = p.memory ? unit->computing : unit->latency;
    uint64_t computes = latency ? latency - 1 : 0;
    uint64_t walk = piece->slow == op ? piece->walk : 0,
             beyond = piece->slow == op ? piece->beyond : 0;
    uint64_t known = walk + beyond + computes, all = p.complete - p.issued - 1;
    bool waits = piece->waits && !i;
    const struct {
        enum sl_happening cause;
        uint64_t cycles;
    } wait[] = {
        {SL_H_LOST_BRANCH, i ? 0 : piece->led},
        {SL_H_LOST_STRUCTURE, piece->crowded ? piece->queued[i] : 0},
        {SL_H_LOST_ITLB, waits ? piece->walks : 0},
        {SL_H_LOST_FETCH, waits ? piece->misses : 0},
        {SL_H_LOST_STRUCTURE, piece->crowded ? piece->placed[i] : 0},
        {SL_H_LOST_DEPENDENCE, waits && piece->crowded ? piece->apart : 0},
        {SL_H_LOST_STRUCTURE, p.issued - p.ready},
        {SL_H_LOST_LOAD_USE, all > known ? all - known : 0},
        {SL_H_LOST_DTLB, walk},
        {SL_H_LOST_DATA, beyond},
        {SL_H_LOST_LONG, computes},
        {SL_H_LOST_PROFILER, p.held},
    };
    enum sl_happening first = SL_H_LOST_FETCH;
    for (unsigned w = sizeof wait / sizeof *wait; w-- && lost;) {
        uint64_t part = wait[w].cycles < lost ? wait[w].cycles : lost;
        piece->happened[wait[w].cause] += part;
        lost -= part;
        first = wait[w].cycles ? wait[w].cause : first;
    }
    /* The length of the pipeline, when nothing was in it. */
    piece->happened[first] += lost;
    return core->place[i].committed;
}

/* Commits an instruction, behind one that was committed in cycle `before`, and at the earliest a
 * cycle behind the one that is as far in front as a cycle has places. Returns when. */
static inline uint64_t sl_out_of_order_commit(const struct sl_out_of_order *core,
                                              struct sl_out_of_order_place *place, uint64_t before,
                                              uint64_t complete)
{
    uint64_t turn = place[core->commit_back].committed;
    return place->committed = sl_later(sl_later(before, turn + 1), complete + 1);
}

/* The same for instruction `i` of the piece, if someone wants to know of commits or holds them. */
static __attribute__((noinline)) uint64_t commit_watched(const struct sl_out_of_order *core,
                                                         struct sl_out_of_order_place *place,
                                                         uint64_t before,
                                                         const struct sl_out_of_order_piece *piece,
                                                         uint32_t i, struct sl_op_passage *p)
{
    const struct sl_executed *e = piece->executed;
    uint64_t cycle = sl_out_of_order_commit(core, place, before, p->complete);
    if (core->held > cycle) {
        p->held = core->held - sl_later(cycle, before + 1);
        place->committed = cycle = core->held;
    }
    if (e->commit)
        sl_commit_note(
            &e->commit[piece->from + i], before, place->dispatched, cycle,
            before && (core->alone == before || (!(piece->from + i) && sl_executed_flushes(e))));
    return cycle;
}

#endif
