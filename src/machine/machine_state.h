/* SPDX-License-Identifier: MIT */
/* Internal state of the CPU model, shared by machine.c (opening and results) and machine_run.c
 * (execution of chunks). */
#ifndef SL_MACHINE_STATE_H
#define SL_MACHINE_STATE_H

#include "arrival.h"
#include "machine.h"
#include "machine_text.h"
#include "power.h"
#include "shape.h"

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
