/* SPDX-License-Identifier: MIT */
#include "op_log.h"

#include <stdlib.h>

#include "grow.h"

const char *sl_cause_name(uint64_t kind)
{
    return kind < SL_COST_KINDS ? sl_happening_names[sl_cost_kinds[kind]].name : "?";
}

bool sl_op_log_begin(struct sl_op_log *log, uint32_t n_blocks)
{
    log->n = log->carried ? log->n : 0;
    log->carried = !n_blocks;
    return SL_GROW(log->first, log->room_firsts, (size_t)n_blocks + 1);
}

void sl_op_log_add(struct sl_op_log *log, const uint64_t happened[SL_HAPPENINGS], uint32_t insn)
{
    uint32_t changed = 0;
    /* Most have not. */
#pragma GCC unroll 18
    for (uint32_t i = 0; i < SL_COST_KINDS; i++)
        changed |= (uint32_t)(happened[sl_cost_kinds[i]] != log->logged[i]) << i;
    if (!SL_GROW(log->cost, log->room_costs, log->n + SL_COST_KINDS)) {
        log->full = true;
        return;
    }
    for (; changed; changed &= changed - 1) {
        uint32_t kind = (uint32_t)__builtin_ctz(changed);
        uint64_t now = happened[sl_cost_kinds[kind]];
        log->cost[log->n++] = (struct sl_op_cost){insn, kind, now - log->logged[kind]};
        log->logged[kind] = now;
    }
}

void sl_op_log_free(struct sl_op_log *log)
{
    free(log->cost);
    free(log->first);
}
