/* SPDX-License-Identifier: MIT */
/* Interface of the core models. A core model gets the executed blocks in program order and adds
 * their events and cycles to totals. Core models are trace-driven: wrong paths are not executed,
 * and the cost of a block is known when the call for that block returns. */
#ifndef SL_CORE_H
#define SL_CORE_H

#include "machine_log.h"
#include "hierarchy.h"
#include "op.h"
#include "predictor.h"

/* One memory access of a block, in program order. */
struct sl_reference {
    uint64_t address;
    uint16_t op; /* index of its instruction in the block */
    uint8_t size;
    bool store;
    uint32_t word; /* event word that it was made from (event.h: mem_insn), in stored shapes */
};

static inline uint64_t sl_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Makes an access. Returns its latency beyond that of L1, which the pipeline hides. If an access
 * misses two pages, one walk counts as `walk`. */
struct sl_stall {
    uint32_t walk, rest;
};

static inline struct sl_stall sl_access_stall(struct sl_hierarchy *h, enum sl_access_kind kind,
                                              uint64_t address, uint32_t size)
{
    const struct sl_hierarchy_port *port = &h->port[kind != SL_ACCESS_FETCH];
    struct sl_access access = sl_hierarchy_access(h, kind, address, size);
    uint32_t walk = access.events & SL_ACCESS_TLB_MISS ? port->walk_cycles : 0;
    return (struct sl_stall){walk, access.cycles - port->hit_cycles - walk};
}

struct sl_block_execution {
    const struct sl_op *op;
    uint32_t n_ops;
    const struct sl_reference *reference;
    uint32_t n_references;
    uint32_t shape;                /* shape id (shape.h); 0: none */
    enum sl_prediction prediction; /* of the branch before the block */
    bool taken;                    /* taken or unknown: fetch restarts with a new line */
    struct sl_commit *commit;      /* by op, to be filled; NULL: not requested */
    /* NULL, or called after each op, when totals[] has its costs. */
    void (*after_op)(void *context, uint32_t insn);
    void *context;
};

/* True if the branch before the block was mispredicted and the pipeline flushed. */
static inline bool sl_block_execution_flushes(const struct sl_block_execution *e)
{
    return e->prediction == SL_MISDIRECTED || e->prediction == SL_MISTARGETED;
}

struct sl_core_kind {
    const struct sl_option *options; /* section `core`, in addition to kind and frequency_mhz */
    size_t config_size;
    size_t (*size)(const void *config);
    /* Initializes `size` zeroed bytes, aligned to 64. */
    void (*init)(void *core, const void *config, struct sl_hierarchy *hierarchy);
    /* Adds to the running totals: SL_MACHINE_CYCLES, SL_MACHINE_BASE,
     * SL_MACHINE_STALL_..., SL_MACHINE_DATA_HALVES. The machine counts the rest: classes, cache and
     * TLB events, branches, energy. */
    void (*block)(void *core, const struct sl_block_execution *executed,
                  uint64_t totals[SL_MACHINE_EVENTS]);
    /* Cycle of the last commit; 0: none yet. */
    uint64_t (*committed)(const void *core);
    /* No instruction commits before this cycle, because the profiler's queue is full. The stall
     * cycles are SL_MACHINE_STALL_PROFILER of the next block. */
    void (*hold)(void *core, uint64_t cycle);
    /* Frees memory other than the `size` bytes. */
    void (*close)(void *core);
};

extern const struct sl_core_kind sl_core_in_order, sl_core_out_of_order;

#endif
