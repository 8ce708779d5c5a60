/* SPDX-License-Identifier: MIT */
/* Options of the in-order core model, and its initialization. The head of in_order.c defines what
 * the options do. */
#include "in_order_state.h"

#define CYCLES(field, initial, low, help) \
    SL_UNSIGNED(struct sl_in_order_config, field, initial, low, 1000, help)

const struct sl_option sl_in_order_options[] = {
    SL_UNSIGNED(struct sl_in_order_config, width, "1", 1, 16,
                "maximum number of instructions issued per cycle"),
    SL_UNSIGNED(struct sl_in_order_config, ports, "1", 1, 16,
                "maximum number of loads and stores per cycle"),
    CYCLES(load_use, "1", 0, "extra latency of a load compared with an addition, in cycles"),
    CYCLES(multiply, "4", 1, "cycles of a multiplication"),
    SL_BOOL(struct sl_in_order_config, multiply_pipelined, "1",
            "multiplications are pipelined: one can begin in every cycle"),
    CYCLES(divide, "32", 1, "cycles of a division, which occupies its unit"),
    CYCLES(float_add, "4", 1,
           "cycles of a floating-point addition or any other floating-point or vector operation"),
    CYCLES(float_multiply, "4", 1, "cycles of a floating-point multiplication"),
    CYCLES(float_divide, "32", 1, "cycles of a floating-point division or square root"),
    CYCLES(branch_penalty, "3", 0,
           "stall cycles after a branch whose direction or target was mispredicted"),
    CYCLES(misfetch_penalty, "1", 0,
           "stall cycles after a direct branch whose target was unknown at fetch"),
    CYCLES(taken_bubble, "0", 0, "stall cycles after a taken branch that was predicted correctly"),
    CYCLES(branch_wait, "0", 0,
           "extra latency of an addition whose result a branch reads, in cycles, because branches "
           "read registers in decode; 2: no forwarding"),
    CYCLES(store_busy, "0", 0, "cycles during which a store keeps a write-through data cache busy"),
    SL_BOOL(struct sl_in_order_config, blocking, "1",
            "1: a cache miss stalls the whole pipeline; 0: it stalls only instructions that need "
            "the line"),
    SL_OPTIONS_END,
};

void sl_in_order_init(void *core, const void *config, struct sl_hierarchy *hierarchy)
{
    const struct sl_in_order_config *g = config;
    uint32_t hit = hierarchy->port[1].hit_cycles;
    bool through = hierarchy->port[1].l1 && !hierarchy->port[1].l1->back;
    *(struct sl_in_order *)core = (struct sl_in_order){
        .line = SL_IN_ORDER_NO_LINE,
        .missed_line = SL_IN_ORDER_NO_LINE,
        .hierarchy = hierarchy,
        .latency = {[SL_UNIT_NONE] = 1,
                    [SL_UNIT_ALU] = 1,
                    [SL_UNIT_MEMORY] = 1,
                    [SL_UNIT_SYSTEM] = 1,
                    [SL_UNIT_MULTIPLY] = (uint32_t)g->multiply,
                    [SL_UNIT_DIVIDE] = (uint32_t)g->divide,
                    [SL_UNIT_FLOAT] = (uint32_t)g->float_add,
                    [SL_UNIT_FLOAT_MULTIPLY] = (uint32_t)g->float_multiply,
                    [SL_UNIT_FLOAT_DIVIDE] = (uint32_t)g->float_divide},
        .load_extra = (uint32_t)g->load_use + (hit ? hit - 1 : 0),
        .stall_by_prediction = {[SL_MISFETCHED] = (uint32_t)g->misfetch_penalty,
                                [SL_MISDIRECTED] = (uint32_t)g->branch_penalty,
                                [SL_MISTARGETED] = (uint32_t)g->branch_penalty,
                                [SL_PREDICTED] = (uint32_t)g->taken_bubble},
        .capacity = {[SL_SHARED_MEMORY] = (uint32_t)g->ports,
                     [SL_SHARED_BRANCH] = 1,
                     [SL_SHARED_MULTIPLIER] = 1,
                     [SL_SHARED_FLOATING] = 1,
                     [SL_SHARED_ISSUE] = (uint32_t)g->width},
        .branch_wait = (uint32_t)g->branch_wait,
        .store_busy = through ? (uint32_t)g->store_busy : 0,
        .multiply_pipelined = g->multiply_pipelined,
        .blocking = g->blocking,
    };
}
