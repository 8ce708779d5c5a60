/* SPDX-License-Identifier: MIT */
/* Test helpers that run a loop of a few instructions on the out-of-order core. */
#ifndef SL_TESTS_OUT_OF_ORDER_LOOP_H
#define SL_TESTS_OUT_OF_ORDER_LOOP_H

#include "out_of_order_support.h"
#include "support/hierarchy_counts.h"

#define WARM 200u    /* iterations before measuring */
#define ROUNDS 1920u /* a multiple of all that a loop's answer is divided by */
#define NONE (-1)

struct loop {
    struct sl_op op[20];
    struct sl_reference reference[8];
    struct sl_block_execution executed;
    uint64_t stride; /* the references move on by that much each time */
    uint32_t hold;
    struct sl_out_of_order_config core;
    struct sl_hierarchy_config hierarchy;
    uint64_t totals[SL_MACHINE_EVENTS]; /* in ROUNDS iterations */
};

/* Page 4's machine without TLBs. */
static struct loop new_loop(void)
{
    struct loop l = {.executed = {.n_ops = 0}};
    sl_options_defaults(sl_out_of_order_options, &l.core);
    hierarchy_defaults(&l.hierarchy);
    l.hierarchy.l1i = l.hierarchy.l1d = (struct sl_cache_config){
        .size = 32768, .ways = 1, .line = 32, .latency = 1, .allocate = true};
    l.hierarchy.l2 = (struct sl_cache_config){
        .size = 512 * 1024, .ways = 4, .line = 64, .latency = 10, .allocate = true};
    return l;
}

static struct sl_op *add_op(struct loop *l, enum sl_unit unit, int result, int source)
{
    struct sl_op *op = &l->op[l->executed.n_ops];
    *op = make_op(unit, result, source);
    op->pc = 0x400000 + 4 * l->executed.n_ops++;
    return op;
}

static void add_reference(struct loop *l, uint64_t address, bool store)
{
    l->reference[l->executed.n_references++] = (struct sl_reference){
        .address = address, .op = (uint16_t)(l->executed.n_ops - 1), .size = 8, .store = store};
}

__attribute__((unused)) static void add_load(struct loop *l, int result, int source,
                                             uint64_t address)
{
    add_op(l, SL_UNIT_MEMORY, result, source);
    add_reference(l, address, false);
}

__attribute__((unused)) static void add_store(struct loop *l, int source, uint64_t address)
{
    add_op(l, SL_UNIT_MEMORY, NONE, source);
    add_reference(l, address, true);
}

static void run(struct loop *l)
{
    struct placed_core core;
    struct sl_reference reference[8];
    open_core(&core, &l->core, &l->hierarchy);
    memcpy(reference, l->reference, sizeof reference);
    for (uint32_t i = 0; i < WARM + ROUNDS; i++) {
        struct sl_block_execution e = l->executed;
        e.op = l->op;
        e.reference = reference;
        e.shape = 1;
        if (i == WARM)
            memset(core.totals, 0, sizeof core.totals);
        sl_core_out_of_order.block(core.core, &e, core.totals);
        if (l->hold)
            hold_for(&core, l->hold);
        for (uint32_t r = 0; r < e.n_references; r++)
            reference[r].address += l->stride;
    }
    memcpy(l->totals, core.totals, sizeof core.totals);
    close_core(&core);
}

/* That `rounds` iterations take `cycles`: exactly, in the long run. */
static bool takes(struct loop *l, uint64_t cycles, uint64_t rounds)
{
    run(l);
    int64_t differs = (int64_t)l->totals[SL_MACHINE_CYCLES] - (int64_t)(ROUNDS / rounds * cycles);
    bool holds = differs >= -4 && differs <= 4 && causes_add_up(l->totals);
    if (!holds)
        printf("# %.3f cycles, not %.3f\n", (double)l->totals[SL_MACHINE_CYCLES] / ROUNDS,
               (double)cycles / (double)rounds);
    return holds;
}

/* Checks the stall cycles of each iteration by this cause. */
static bool loses(const struct loop *l, enum sl_machine_event cause, uint64_t cycles)
{
    int64_t differs = (int64_t)l->totals[cause] - (int64_t)(cycles * ROUNDS);
    if (differs < -4 || differs > 4)
        printf("# %s: %.3f cycles, not %.3f\n", sl_machine_event_names[cause].name,
               (double)l->totals[cause] / ROUNDS, (double)cycles);
    return differs >= -4 && differs <= 4;
}

#endif
