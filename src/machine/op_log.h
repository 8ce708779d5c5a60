/* SPDX-License-Identifier: MIT */
/* What happened in a chunk instruction by instruction: which of them waited for what, missed where
 * or was predicted wrong. Only what is not the same at each execution is logged, so an entry is
 * one thing that happened to one instruction.
 *
 * What cycles an instruction took is the sum of its SL_COST_WORK and of all SL_COST_WAITS. As with
 * blocks (machine.h), cycles lost by a branch that was predicted wrong are those of the
 * instruction that waited for them, and that it was predicted wrong is the branch's own. */
#ifndef SL_OP_LOG_H
#define SL_OP_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "happening.h"

/* Numbers of kinds of costs are in databases: new ones come at the end. */
#define SL_COST_WORK 0u
#define SL_COST_WAITS 1u   /* the first of those by cause */
#define SL_COST_EVENTS 11u /* the first that is no cycle */
#define SL_COST_KINDS 18u
static const uint8_t sl_cost_kinds[SL_COST_KINDS] = {
    SL_H_BASE,
    SL_H_LOST_FETCH,
    SL_H_LOST_ITLB,
    SL_H_LOST_DATA,
    SL_H_LOST_DTLB,
    SL_H_LOST_LOAD_USE,
    SL_H_LOST_LONG,
    SL_H_LOST_BRANCH,
    SL_H_LOST_DEPENDENCE,
    SL_H_LOST_STRUCTURE,
    SL_H_LOST_PROFILER,
    SL_H_IMISS,
    SL_H_DMISS,
    SL_H_L2MISS,
    SL_H_L3MISS,
    SL_H_WRONG_DIRECTION,
    SL_H_WRONG_TARGET,
    SL_H_MISFETCH,
};

/* The name of a kind, as of its happening; "?" of none. */
const char *sl_cause_name(uint64_t kind);

struct sl_op_cost {
    uint32_t insn; /* its number */
    uint32_t kind; /* place in sl_cost_kinds */
    uint64_t n;
};

struct sl_op_log {
    struct sl_op_cost *cost;
    uint32_t *first; /* by block, where its part begins; behind the last, where all ends */
    size_t n, room_costs, room_firsts;
    bool carried;                   /* entries are of a chunk without blocks */
    bool full;                      /* memory ran out */
    uint64_t logged[SL_COST_KINDS]; /* all so far */
};

/* Makes room for a chunk; false when memory ran out. */
bool sl_op_log_begin(struct sl_op_log *log, uint32_t n_blocks);

/* What has happened since the last time is this instruction's. */
void sl_op_log_add(struct sl_op_log *log, const uint64_t happened[SL_HAPPENINGS], uint32_t insn);

void sl_op_log_free(struct sl_op_log *log);

#endif
