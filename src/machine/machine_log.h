/* SPDX-License-Identifier: MIT */
/* Logs of what the CPU model did in a chunk of the event stream. Each log is an optional output of
 * a CPU model (struct sl_machine):
 *
 *     sl_event_log    by block: which of the 29 event counters counted how much
 *     sl_commit_log   by instruction: when it was committed
 *     sl_op_log       by instruction: its stall cycles, misses and mispredictions
 *
 * A zeroed struct is an empty log. */
#ifndef SL_MACHINE_LOG_H
#define SL_MACHINE_LOG_H

#include <stdbool.h>

#include "event.h"
#include "event_set.h"

struct sl_ops;

/* ---- event log ----
 *
 * One list for all counters, with an entry per counter that a block changed. For many machine
 * events at once; for few of them, one row each (sl_machine_block_counts) is faster. */

/* Entries of one block: each counter, and one more for a misprediction of its branch, which is
 * known only at the next block. */
#define SL_EVENT_LOG_BLOCK (SL_FABRIC_COUNTERS + 1)

struct sl_event_log {
    uint32_t *number; /* index in sl_fabric */
    uint64_t *weight;
    uint32_t *first; /* by block: index of its first entry; one more at the end */
    size_t numbers_capacity, weights_capacity, firsts_capacity;
    uint32_t n;
    uint64_t logged[SL_FABRIC_COUNTERS]; /* total when last logged */
};

/* Starts a chunk. Returns false if out of memory. */
bool sl_event_log_begin(struct sl_event_log *log, uint32_t n_blocks);

/* Adds an event to the block that was added last. */
void sl_event_log_add_late(struct sl_event_log *log, enum sl_machine_event event);

void sl_event_log_free(struct sl_event_log *log);

/* Adds the events since the previous block as block `at`. */
static inline void sl_event_log_add(struct sl_event_log *log, const uint64_t *totals, uint32_t at)
{
    uint32_t changed = 0, n = log->n;
    /* Most counters have not changed. */
#pragma GCC unroll 32
    for (uint32_t i = 0; i < SL_FABRIC_COUNTERS; i++)
        changed |= (uint32_t)(totals[sl_fabric[i]] != log->logged[i]) << i;
    log->first[at] = n;
    for (; changed; changed &= changed - 1, n++) {
        uint32_t i = (uint32_t)__builtin_ctz(changed);
        uint64_t now = totals[sl_fabric[i]];
        log->number[n] = i;
        log->weight[n] = now - log->logged[i];
        log->logged[i] = now;
    }
    log->n = n;
}

/* ---- commit log ----
 *
 * The commit times that profiling hardware can observe:
 *
 *     committed   a b . . . . c d      cycles without a commit are stall cycles
 *     after       3 0         5 0      cycles since the previous commit
 *     flushed                 2        of those, with an empty pipeline, because the previous
 *                                      instruction was mispredicted or had to execute alone
 *     early       1 1         2 3      cycles since dispatch
 *
 * The sum of `after` is the number of the core's cycles, without those of accesses that come with a
 * later chunk than their block (machine.h). */
struct sl_commit {
    uint32_t after, flushed, early;
};

/* Fills *to for an instruction dispatched in `dispatched` and committed in `cycle`, after one
 * committed in `before`. */
static inline void sl_commit_record(struct sl_commit *to, uint64_t before, uint64_t dispatched,
                                    uint64_t cycle, bool flushed)
{
    uint64_t empty = flushed && dispatched > before + 1 ? dispatched - before - 1 : 0;
    *to = (struct sl_commit){.after = (uint32_t)(cycle - before),
                             .flushed = (uint32_t)empty,
                             .early = (uint32_t)(cycle - dispatched)};
}

/* The log of a chunk. */
struct sl_commit_log {
    struct sl_commit *commit;
    uint32_t *first; /* by block: index of its first instruction; one more at the end */
    size_t commits_capacity, firsts_capacity;
};

/* Starts a chunk. Returns false if out of memory. */
bool sl_commit_log_begin(struct sl_commit_log *log, const struct sl_ops *ops,
                         const struct sl_chunk *chunk);

void sl_commit_log_free(struct sl_commit_log *log);

/* ---- op log ----
 *
 * An entry is one cost of one instruction: stall cycles by cause, a miss or a misprediction. Costs
 * that are the same for each execution are not logged.
 *
 * The cycles of an instruction are its SL_COST_WORK and all SL_COST_WAITS. As with blocks
 * (machine.h), the stall cycles of a misprediction belong to the instruction that waited, and the
 * misprediction to the branch. */
/* Databases contain these numbers: add new kinds at the end. */
#define SL_COST_WORK 0u
#define SL_COST_WAITS 1u   /* the first stall cause */
#define SL_COST_EVENTS 11u /* the first kind that is not a number of cycles */
#define SL_COST_KINDS 18u
static const uint8_t sl_cost_kinds[SL_COST_KINDS] = {
    SL_MACHINE_BASE,
    SL_MACHINE_STALL_FETCH,
    SL_MACHINE_STALL_ITLB,
    SL_MACHINE_STALL_DATA,
    SL_MACHINE_STALL_DTLB,
    SL_MACHINE_STALL_LOAD_USE,
    SL_MACHINE_STALL_LONG,
    SL_MACHINE_STALL_BRANCH,
    SL_MACHINE_STALL_DEPENDENCE,
    SL_MACHINE_STALL_STRUCTURE,
    SL_MACHINE_STALL_PROFILER,
    SL_MACHINE_IMISS,
    SL_MACHINE_DMISS,
    SL_MACHINE_L2MISS,
    SL_MACHINE_L3MISS,
    SL_MACHINE_WRONG_DIRECTION,
    SL_MACHINE_WRONG_TARGET,
    SL_MACHINE_MISFETCH,
};

/* Returns the name of a kind, that of its machine event; "?" for others. */
const char *sl_cause_name(uint64_t kind);

struct sl_op_cost {
    uint32_t insn; /* instruction id */
    uint32_t kind; /* index in sl_cost_kinds */
    uint64_t n;
};

struct sl_op_log {
    struct sl_op_cost *cost;
    uint32_t *first; /* by block: index of its first entry; one more at the end */
    size_t n, costs_capacity, firsts_capacity;
    bool carried;                   /* the entries belong to a chunk without blocks */
    bool full;                      /* out of memory */
    uint64_t logged[SL_COST_KINDS]; /* total when last logged */
};

/* Starts a chunk; keeps the entries of a previous chunk without blocks. Returns false if out of
 * memory. */
bool sl_op_log_begin(struct sl_op_log *log, uint32_t n_blocks);

/* Adds events since the last call as costs of this instruction. Sets `full` if out of memory. */
void sl_op_log_add(struct sl_op_log *log, const uint64_t totals[SL_MACHINE_EVENTS], uint32_t insn);

void sl_op_log_free(struct sl_op_log *log);

#endif
