/* SPDX-License-Identifier: MIT */
/* Options of the in-order core, and its initialization. in_order.c says what they mean. */
#include "in_order_state.h"

#define CYCLES(field, initial, low, help) \
    SL_UNSIGNED(struct sl_in_order_config, field, initial, low, 1000, help)

const struct sl_option sl_in_order_options[] = {
    SL_UNSIGNED(struct sl_in_order_config, width, "1", 1, 16,
                "instructions that can begin in a cycle"),
    SL_UNSIGNED(struct sl_in_order_config, ports, "1", 1, 16, "and of those that access memory"),
    CYCLES(load_use, "1", 0, "cycles that a load's value comes later than a sum"),
    CYCLES(multiply, "4", 1, "cycles of a multiplication"),
    SL_BOOL(struct sl_in_order_config, multiply_pipelined, "1",
            "multiplications can begin in every cycle"),
    CYCLES(divide, "32", 1, "cycles of a division; its unit is taken for all of them"),
    CYCLES(float_add, "4", 1, "cycles of floating point other than below, and of vectors"),
    CYCLES(float_multiply, "4", 1, "cycles of a floating-point multiplication"),
    CYCLES(float_divide, "32", 1, "cycles of a floating-point division or square root"),
    CYCLES(branch_penalty, "3", 0, "cycles lost when direction or target were predicted wrong"),
    CYCLES(misfetch_penalty, "1", 0, "cycles lost when a target had to be computed"),
    CYCLES(taken_bubble, "0", 0, "cycles lost by every other branch that is taken"),
    CYCLES(branch_wait, "0", 0,
           "cycles that a sum comes later to a branch, which reads registers "
           "in decode; 2: without forwarding"),
    CYCLES(store_busy, "0", 0, "cycles for which a store that is written through keeps the cache"),
    SL_BOOL(struct sl_in_order_config, blocking, "1",
            "a miss stops the pipeline, not only who needs the line"),
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
        .lost_by_prediction = {[SL_MISFETCHED] = (uint32_t)g->misfetch_penalty,
                               [SL_MISDIRECTED] = (uint32_t)g->branch_penalty,
                               [SL_MISTARGETED] = (uint32_t)g->branch_penalty,
                               [SL_PREDICTED] = (uint32_t)g->taken_bubble},
        .capacity = {[SL_OF_MEMORY] = (uint32_t)g->ports,
                     [SL_OF_BRANCHES] = 1,
                     [SL_OF_WHOLE] = 1,
                     [SL_OF_FLOATING] = 1,
                     [SL_OF_ANY] = (uint32_t)g->width},
        .branch_wait = (uint32_t)g->branch_wait,
        .store_busy = through ? (uint32_t)g->store_busy : 0,
        .multiply_pipelined = g->multiply_pipelined,
        .blocking = g->blocking,
    };
}
