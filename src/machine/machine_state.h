/* SPDX-License-Identifier: MIT */
/* Internal state of the CPU model, shared by machine.c (opening and results) and machine_run.c
 * (execution of chunks). */
#ifndef SL_MACHINE_STATE_H
#define SL_MACHINE_STATE_H

#include "machine.h"
#include "machine_text.h"
#include "power.h"
#include "shape.h"
#include "code.h"
#include "predictor.h"

/* How a thread reached a block: by fall-through, by a branch (and by which one), or in an unknown
 * way.
 *
 * The outcome of a branch is known from the next block. Not every pair of blocks is a transfer of
 * the program: a signal handler may begin or end between any two blocks. If the first block cannot
 * continue at the second one, the pair counts as an interruption, and the interrupted branch is not
 * predicted. */

enum sl_arrival {
    SL_ARRIVED_UNKNOWN,      /* the first block, after a gap, a signal */
    SL_ARRIVED_FALL_THROUGH, /* fell through, or next iteration of `rep` */
    SL_ARRIVED_BY_BRANCH,
};

/* The position of a thread. */
struct sl_thread_position {
    uint32_t block;   /* the current block; SL_NO_INDEX: unknown */
    bool in_slot;     /* the delay slot of its branch is a block of its own */
    uint64_t next_pc; /* address after the block, or after that delay slot */
};

static inline void sl_arrival_reset(struct sl_thread_position *position)
{
    position->block = SL_NO_INDEX;
}

/* Classifies the transfer from the current block to `pc`; fills *b if it is a branch. */
static inline enum sl_arrival sl_arrival_at(const struct sl_code *code,
                                            const struct sl_thread_position *position, uint64_t pc,
                                            struct sl_retired_branch *b)
{
    const struct sl_block_end *end = &code->end[position->block];
    bool conditional = end->branch == SL_BRANCH_CONDITIONAL;
    if (end->branch == SL_BRANCH_NONE && end->flags & SL_INSN_REPEATS &&
        pc == sl_block_last_pc(code->statics, position->block))
        return SL_ARRIVED_FALL_THROUGH;
    if (!sl_block_end_leads_to(end, position->next_pc, pc))
        return SL_ARRIVED_UNKNOWN;
    if (end->branch == SL_BRANCH_NONE)
        return SL_ARRIVED_FALL_THROUGH;
    *b = (struct sl_retired_branch){.pc = end->branch_pc,
                                    .next = position->next_pc,
                                    .kind = end->branch,
                                    .taken = !conditional || pc == end->target,
                                    .target = conditional ? end->target : pc};
    return SL_ARRIVED_BY_BRANCH;
}

/* Moves the thread to block `next`. Fills *branch if the result is SL_ARRIVED_BY_BRANCH. */
static inline enum sl_arrival sl_arrival_step(const struct sl_code *code,
                                              struct sl_thread_position *position, uint32_t next,
                                              struct sl_retired_branch *branch)
{
    enum sl_arrival how = SL_ARRIVED_UNKNOWN;
    uint64_t pc = code->statics->block[next].pc;
    if (position->block != SL_NO_INDEX) {
        bool in_slot = code->end[position->block].slot_missing && !position->in_slot;
        if (in_slot && pc == position->next_pc) {
            position->in_slot = true;
            position->next_pc = code->end[next].next;
            return SL_ARRIVED_FALL_THROUGH;
        }
        how = sl_arrival_at(code, position, pc, branch);
    }
    *position = (struct sl_thread_position){.block = next, .next_pc = code->end[next].next};
    return how;
}

/* ---- the CPU model (machine.c, machine_run.c) ---- */

/* A description with every key resolved. Section `core` has the machine's own keys, kind and
 * frequency_mhz, and those of the core kind. */
struct sl_machine_config {
    unsigned kind; /* index of `core_kind` in the list of kinds */
    const struct sl_core_kind *core_kind;
    void *core; /* configuration of the kind */
    double frequency_mhz;
    struct sl_hierarchy_config hierarchy;
    struct sl_predictor_config predictor;
    struct sl_power_config power;
    struct sl_profiler_config profiler;
    struct sl_machine_section section[15];
};

struct sl_machine {
    char *name;
    struct sl_machine_config config;
    struct sl_hierarchy *hierarchy;
    struct sl_predictor *predictor;
    void *core;
    struct sl_power power;
    const struct sl_code *code;
    struct sl_ops ops;

    struct sl_index_map threads; /* index in position[], by thread id */
    struct sl_thread_position *position;
    size_t positions_capacity;
    uint32_t running; /* thread of the last chunk */

    struct sl_shapes shapes;
    struct sl_reference *reference; /* of the current block, if its shape is not stored */
    size_t references_capacity;

    const uint32_t *work; /* cycles of the profiler by block; NULL: none attached */
    struct sl_branch_queue queue;

    /* Totals so far; and the part of them that is in the counts of blocks. */
    uint64_t totals[SL_MACHINE_EVENTS], counted[SL_MACHINE_EVENTS];
    uint8_t requested[SL_MACHINE_EVENTS]; /* events to count by block */
    unsigned n_requested;
    bool needs_derived, needs_power, needs_parts;
    bool needs_log, needs_ops, needs_accesses, needs_commits;
    uint8_t *access_events; /* by memory event: sl_hierarchy.access_events */
    size_t access_events_capacity;
    uint32_t *row[SL_MACHINE_EVENTS]; /* by requested event: its counts by block */
    size_t row_capacity[SL_MACHINE_EVENTS];

    struct sl_event_log log;
    struct sl_commit_log commits;
    struct sl_op_log ops_log;
    uint64_t searches; /* searches of the hierarchy when misses were last derived */
};

#endif
