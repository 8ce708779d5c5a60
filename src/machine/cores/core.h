/* SPDX-License-Identifier: MIT */
/* A core: takes executed blocks in program order and says what happened and how
 * long it took. Trace-driven: there is no wrong path, and what a block costs is
 * known when it has been taken. */
#ifndef SL_CORE_H
#define SL_CORE_H

#include "machine_log.h"
#include "happening.h"
#include "hierarchy.h"
#include "op.h"
#include "predictor.h"

/* One access to memory of a block, in order. */
struct sl_reference {
    uint64_t address;
    uint16_t op; /* place of its instruction in the block */
    uint8_t size;
    bool store;
    uint32_t
        word; /* of the event that it comes from (event.h: mem_insn), where one is remembered */
};

/* What an access took too long: beyond the latency of L1, which a pipeline hides. Of two
 * pages that are both unknown one walk counts as such. */
struct sl_stall {
    uint32_t walk, rest;
};

static inline struct sl_stall sl_stall_of(const struct sl_hierarchy_port *port,
                                          struct sl_access got)
{
    uint32_t all = got.cycles - port->hit_cycles;
    uint32_t walk = got.what & SL_ACCESS_TLB_MISS ? port->walk_cycles : 0;
    return (struct sl_stall){walk, all - walk};
}

struct sl_executed {
    const struct sl_op *op;
    uint32_t n_ops;
    const struct sl_reference *reference;
    uint32_t n_references;
    uint32_t shape; /* number of ops and references, but for addresses (shape.h); 0: it has none */
    enum sl_prediction prediction; /* of the branch that led here */
    bool taken;                    /* it was taken, or nothing is known: fetch begins anew */
    struct sl_commit *commit;      /* of each op, to be filled; NULL: nobody wants to know */
    /* NULL, or called behind each op, when happened[] has all that it cost. */
    void (*each)(void *context, const struct sl_op *op);
    void *context;
};

/* Control came by a branch that a wrong path had been followed for: that is thrown away. */
static inline bool sl_executed_flushes(const struct sl_executed *e)
{
    return e->prediction == SL_MISDIRECTED || e->prediction == SL_MISTARGETED;
}

struct sl_core_kind {
    const char *name;                /* "in-order" */
    const struct sl_option *options; /* section `core`, besides kind and frequency_mhz */
    size_t config_size;
    /* What cannot be, beyond what each option's bounds say; NULL: nothing. */
    int (*check)(const void *config, struct sl_failure *f);
    size_t (*size)(const void *config);
    /* In `size` zeroed bytes, aligned to 64. */
    void (*init)(void *core, const void *config, struct sl_hierarchy *hierarchy);
    /* Adds to happened[], which runs on from block to block: SL_H_CYCLES, SL_H_BASE,
     * SL_H_LOST_..., SL_H_DATA_HALVES. The machine counts all the rest: classes from the
     * ops, cache and TLB events from the hierarchy, branches, energy, cache power. */
    void (*block)(void *core, const struct sl_executed *executed, uint64_t happened[SL_HAPPENINGS]);
    /* The cycle in which the last instruction was committed; 0: there was none. */
    uint64_t (*committed)(const void *core);
    /* Nothing is committed before this cycle: a profiler's queue is full. What that loses is
     * SL_H_LOST_PROFILER of the block that comes next. */
    void (*hold)(void *core, uint64_t cycle);
    /* Frees what it has beside its own bytes; NULL: nothing. */
    void (*close)(void *core);
};

extern const struct sl_core_kind sl_core_in_order, sl_core_out_of_order;

#endif
