/* SPDX-License-Identifier: MIT */
/* Test helpers for the model of an out-of-order core. They open a core with a memory hierarchy, and
 * build instructions by hand. */
#ifndef SL_TESTS_OUT_OF_ORDER_SUPPORT_H
#define SL_TESTS_OUT_OF_ORDER_SUPPORT_H

#include <string.h>

#include "core.h"
#include "out_of_order_state.h"
#include "tap.h"

/* ---- a core ---- */

struct placed_core {
    void *core;
    struct sl_hierarchy *hierarchy;
    uint64_t totals[SL_MACHINE_EVENTS];
};

static void *zeroed(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory)
        abort();
    return memset(memory, 0, bytes);
}

static struct sl_hierarchy *open_hierarchy(const struct sl_hierarchy_config *config)
{
    struct sl_hierarchy *h = zeroed(sl_hierarchy_bytes(config));
    sl_hierarchy_init(h, config);
    return h;
}

static void open_core(struct placed_core *p, const struct sl_out_of_order_config *core,
                      const struct sl_hierarchy_config *hierarchy)
{
    *p = (struct placed_core){.hierarchy = open_hierarchy(hierarchy),
                              .core = zeroed(sl_core_out_of_order.size(core))};
    sl_core_out_of_order.init(p->core, core, p->hierarchy);
}

static void close_core(struct placed_core *p)
{
    sl_core_out_of_order.close(p->core);
    free(p->core);
    free(p->hierarchy);
}

/* Nothing commits for that many cycles after the one in which something did. */
__attribute__((unused)) static void hold_for(struct placed_core *p, uint64_t cycles)
{
    sl_core_out_of_order.hold(p->core, sl_core_out_of_order.committed(p->core) + 1 + cycles);
}

__attribute__((unused)) static bool causes_add_up(const uint64_t totals[SL_MACHINE_EVENTS])
{
    uint64_t sum = totals[SL_MACHINE_BASE];
    for (unsigned i = SL_MACHINE_STALL_FIRST; i <= SL_MACHINE_STALL_LAST; i++)
        sum += totals[i];
    return sum == totals[SL_MACHINE_CYCLES];
}

/* ---- instructions ---- */

static struct sl_op make_op(enum sl_unit unit, int result, int source)
{
    struct sl_op op = {.pc = 0x400000, .size = 4, .unit = (uint8_t)unit};
    memset(op.source, SL_OP_NEVER_WRITTEN, sizeof op.source);
    memset(op.result, SL_OP_NEVER_READ, sizeof op.result);
    if (result >= 0)
        op.result[op.n_results++] = (uint8_t)result;
    if (source >= 0)
        op.source[op.n_sources++] = (uint8_t)source;
    return op;
}

#endif
