/* SPDX-License-Identifier: MIT */
/* Internal state of the CPU model: shared by machine.c (opening and results), machine_config.c
 * (description), machine_run.c (chunks) and warming.c. */
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
    const struct sl_core_kind *kind;
    const void *core; /* configuration of the kind */
    double frequency_mhz;
    struct sl_hierarchy_config hierarchy;
    struct sl_predictor_config predictor;
    struct sl_power_config power;
    struct sl_profiler_config profiler;
    struct sl_machine_section section[14];
    /* Memory of section `core`. */
    void *core_section;
    struct sl_option *core_options;
};

/* Reads and checks the description that `spec` names (machine_text.h). Returns 0 or an error of
 * sl_machine_read(). Call sl_machine_config_free() in either case. */
int sl_machine_config_read(struct sl_machine_config *config, const char *spec,
                           struct sl_failure *f);
void sl_machine_config_free(struct sl_machine_config *config);

struct sl_machine {
    char *name;
    struct sl_machine_config config;
    struct sl_hierarchy *hierarchy;
    struct sl_predictor *predictor;
    void *core;
    struct sl_power power;
    const struct sl_code *code;
    struct sl_ops ops;

    struct sl_index_map threads; /* index in place[], by thread id */
    struct sl_arrival_place *place;
    size_t places_capacity;
    uint32_t running; /* thread of the last chunk */

    struct sl_shapes shapes;
    struct sl_reference *reference; /* of the current block, if its shape is not stored */
    size_t references_capacity;

    const uint32_t *work; /* cycles of the profiler by block; NULL: none attached */
    struct sl_branch_queue queue;

    /* Totals so far; and what rows contain of them. */
    uint64_t happened[SL_HAPPENINGS], counted[SL_HAPPENINGS];
    uint8_t wanted[SL_HAPPENINGS];
    unsigned n_wanted;
    bool needs_derived, needs_classes, needs_power, needs_parts, needs_log, needs_ops,
        needs_accesses;
    bool needs_commits;
    uint8_t *met; /* by memory event: sl_hierarchy.met */
    size_t met_capacity;
    uint32_t *row[SL_HAPPENINGS];
    size_t row_capacity[SL_HAPPENINGS];

    struct sl_event_log log;
    struct sl_commit_log commits;
    struct sl_op_log ops_log;
    uint64_t searches; /* searches of the hierarchy when misses were last derived */
};

/* Functional warming: runs a chunk through caches, TLBs, prefetchers and predictors, but through no
 * core, so that a detailed run finds them warm (Wunderlich, Wenisch, Falsafi and Hoe, "SMARTS:
 * Accelerating microarchitecture simulation via rigorous statistical sampling", 2003).
 *
 * For each block its branch is predicted, its lines are fetched, then its accesses are made. The
 * clock, which prefetchers read, advances by one cycle per instruction.
 *
 * Different from a detailed run: the order of a block's lines and accesses, and the latency of
 * prefetched lines. */
void sl_warm(struct sl_hierarchy *hierarchy, struct sl_predictor *predictor,
             const struct sl_code *code, struct sl_arrival_place *place,
             const struct sl_chunk *chunk);

#endif
