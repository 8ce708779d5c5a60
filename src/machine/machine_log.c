/* SPDX-License-Identifier: MIT */
/* Logs of the CPU model (machine_log.h): starts a log for a chunk of the event stream, adds
 * entries, and frees the log. */
#include "machine_log.h"

#include <stdlib.h>

#include "grow.h"
#include "op.h"

/* ---- event log ---- */

bool sl_event_log_begin(struct sl_event_log *log, uint32_t n_blocks)
{
    size_t capacity = ((size_t)n_blocks + 1) * SL_EVENT_LOG_BLOCK;
    log->n = 0;
    return SL_GROW(log->number, log->numbers_capacity, capacity) &&
           SL_GROW(log->weight, log->weights_capacity, capacity) &&
           SL_GROW(log->first, log->firsts_capacity, (size_t)n_blocks + 1);
}

void sl_event_log_add_late(struct sl_event_log *log, enum sl_machine_event event)
{
    for (uint32_t i = 0; i < SL_FABRIC_COUNTERS; i++)
        if (sl_fabric[i] == event) {
            log->number[log->n] = i;
            log->weight[log->n++] = 1;
            log->logged[i]++;
        }
}

void sl_event_log_free(struct sl_event_log *log)
{
    free(log->number);
    free(log->weight);
    free(log->first);
}

/* ---- commit log ---- */

bool sl_commit_log_begin(struct sl_commit_log *log, const struct sl_ops *ops,
                         const struct sl_chunk *chunk)
{
    uint32_t n = 0;
    if (!SL_GROW(log->first, log->firsts_capacity, (size_t)chunk->n_blocks + 1))
        return false;
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        log->first[i] = n;
        n += ops->block_at[chunk->block[i] + 1] - ops->block_at[chunk->block[i]];
    }
    log->first[chunk->n_blocks] = n;
    return SL_GROW(log->commit, log->commits_capacity, (size_t)n + 1);
}

void sl_commit_log_free(struct sl_commit_log *log)
{
    free(log->commit);
    free(log->first);
}

/* ---- op log ---- */

const char *sl_cause_name(uint64_t kind)
{
    return kind < SL_COST_KINDS ? sl_machine_event_names[sl_cost_kinds[kind]].name : "?";
}

bool sl_op_log_begin(struct sl_op_log *log, uint32_t n_blocks)
{
    log->n = log->carried ? log->n : 0;
    log->carried = !n_blocks;
    return SL_GROW(log->first, log->firsts_capacity, (size_t)n_blocks + 1);
}

void sl_op_log_add(struct sl_op_log *log, const uint64_t totals[SL_MACHINE_EVENTS], uint32_t insn)
{
    uint32_t changed = 0;
    /* Most kinds have not changed. */
#pragma GCC unroll 18
    for (uint32_t i = 0; i < SL_COST_KINDS; i++)
        changed |= (uint32_t)(totals[sl_cost_kinds[i]] != log->logged[i]) << i;
    if (!SL_GROW(log->cost, log->costs_capacity, log->n + SL_COST_KINDS)) {
        log->full = true;
        return;
    }
    for (; changed; changed &= changed - 1) {
        uint32_t kind = (uint32_t)__builtin_ctz(changed);
        uint64_t now = totals[sl_cost_kinds[kind]];
        log->cost[log->n++] = (struct sl_op_cost){insn, kind, now - log->logged[kind]};
        log->logged[kind] = now;
    }
}

void sl_op_log_free(struct sl_op_log *log)
{
    free(log->cost);
    free(log->first);
}
