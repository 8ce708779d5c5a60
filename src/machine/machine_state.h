/* SPDX-License-Identifier: MIT */
/* What the files of the machine share: machine.c makes it and answers questions, machine_run.c runs
 * chunks. */
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
    const void *core; /* the kind's configuration */
    double frequency_mhz;
    struct sl_hierarchy_config hierarchy;
    struct sl_predictor_config predictor;
    struct sl_power_config power;
    struct sl_profiler_config profiler;
    struct sl_machine_section section[14];
    /* Memory of the core's section. */
    void *core_section;
    struct sl_option *core_options;
};

/* Reads and checks what `spec` names (machine_preset.h). On failure, too, it is to be
 * freed. */
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

    struct sl_index_map threads; /* their places, by number */
    struct sl_arrival_place *place;
    size_t room_places;
    uint32_t running; /* the thread whose chunk was run last */

    struct sl_shapes shapes;
    struct sl_reference *reference; /* of the block being run, if its shape is not kept */
    size_t room_references;

    const uint32_t *work; /* of the profiler, by block; NULL: none is attached */
    struct sl_branch_queue queue;

    /* What happened so far; and of what is wanted, what is in rows already. */
    uint64_t happened[SL_HAPPENINGS], counted[SL_HAPPENINGS];
    uint8_t wanted[SL_HAPPENINGS];
    unsigned n_wanted;
    bool wants_derived, wants_classes, wants_power, wants_parts, wants_log, wants_ops,
        wants_accesses;
    bool wants_commits;
    uint8_t *met; /* by mem event: sl_hierarchy.met */
    size_t room_met;
    uint32_t *row[SL_HAPPENINGS];
    size_t room_row[SL_HAPPENINGS];

    struct sl_event_log log;
    struct sl_commit_log commits;
    struct sl_op_log ops_log;
    uint64_t searches; /* of the hierarchy, when that was looked at last */
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
