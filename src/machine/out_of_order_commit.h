/* The out-of-order core's commit; the rules are in out_of_order.c.
 *
 * Instructions of a piece are committed when all of them are complete, or as soon as a load wants to
 * know when a store of the same piece is. */
#ifndef SL_OUT_OF_ORDER_COMMIT_H
#define SL_OUT_OF_ORDER_COMMIT_H

#include "out_of_order_state.h"

#define NOT_COMMITTED UINT64_MAX

/* Instruction `i` of the piece, which waited for a profiler for `held` cycles at the end. */
static __attribute__((noinline)) void lose(const struct sl_out_of_order *core,
                                           const struct sl_out_of_order_piece *piece, uint32_t i,
                                           uint64_t held, uint64_t lost)
{
    const struct sl_op *op = &piece->executed->op[piece->from + i];
    const struct sl_op_passage *p = &piece->passage[i];
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t latency = p->memory ? sl_out_of_order_computing(op, unit) : unit->latency;
    uint64_t computes = latency ? latency - 1 : 0;
    uint64_t walk = p->memory ? p->walk : 0, beyond = p->memory ? p->beyond : 0;
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
        piece->happened[wait[w].cause] += part;
        lost -= part;
        first = wait[w].cycles ? wait[w].cause : first;
    }
    /* The length of the pipeline, when nothing was in it. */
    piece->happened[first] += lost;
}

/* Loads that follow learn when its stores were committed, as far as these are still known. */
static inline void note_stores(struct sl_out_of_order *core, const struct sl_op_passage *p,
                               uint64_t cycle)
{
    for (uint64_t i = p->stores_at; i < p->stores_at + p->n_stores; i++)
        if (core->stores.n - i <= core->stores.mask + 1)
            core->stores.entry[i & core->stores.mask].when[1] = cycle;
}

static inline void commit(struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
                          uint32_t end, bool watched)
{
    const struct sl_executed *e = piece->executed;
    struct sl_out_of_order_stage s = core->commit;
    uint64_t begun = s.cycle, lost = 0, number = core->n + piece->n_committed;
    uint64_t *left = core->rob.left, mask = core->rob.mask;
    const struct sl_op_passage *p = &piece->passage[piece->n_committed];
    for (uint32_t i = piece->n_committed; i < end; i++, number++, p++) {
        uint64_t before = s.cycle, held = 0, cycle = p->complete + 1;
        cycle = sl_later(sl_out_of_order_next(&s), cycle);
        if (watched && core->held > cycle) {
            held = core->held - sl_later(cycle, before + 1);
            cycle = core->held;
        }
        if (cycle > before) {
            s.cycle = cycle;
            s.in_cycle = 0;
            if (__builtin_expect(cycle > before + 1, 0)) {
                lose(core, piece, i, held, cycle - before - 1);
                lost += cycle - before - 1;
            }
        }
        s.in_cycle++;
        left[number & mask] = cycle;
        if (p->memory) {
            sl_out_of_order_leaves(&core->lsq, core->n_memory++, cycle);
            if (p->n_stores)
                note_stores(core, p, cycle);
        }
        if (watched && e->commit)
            sl_commit_note(&e->commit[piece->from + i], before, piece->dispatched[i], cycle,
                           before && (core->alone == before ||
                                      (!(piece->from + i) && sl_executed_flushes(e))));
    }
    piece->n_committed = end;
    core->commit = s;
    piece->happened[SL_H_CYCLES] += s.cycle - begun;
    piece->happened[SL_H_BASE] += s.cycle - begun - lost;
}

/* Commits those in front of place `end` of the piece. */
static __attribute__((noinline)) void sl_out_of_order_commit(struct sl_out_of_order *core,
                                                             struct sl_out_of_order_piece *piece,
                                                             uint32_t end)
{
    if (__builtin_expect(piece->executed->commit || core->held > core->commit.cycle, 0))
        commit(core, piece, end, true);
    else
        commit(core, piece, end, false);
}

#endif
