/* SPDX-License-Identifier: MIT */
/* Turns: what a transfer of control does to the path stack, as one word that is made
 * once for each pair of blocks (flow.h).
 *
 *     31        9   8     7       6      5     4     1   0
 *     | address | more | extends | return | call | operations | taken |
 *
 * The address is that which a call will return to, or a return goes to, as a number:
 * so two words tell whether a return fits a call. */
#ifndef SL_PATH_TURN_H
#define SL_PATH_TURN_H

#include "flow.h"
#include "path_control.h"

enum {
    SL_TURN_TAKEN = 1,
    SL_TURN_OPERATIONS = 1, /* shift */
    SL_TURN_UPDATE = SL_PATH_UPDATE << SL_TURN_OPERATIONS,
    SL_TURN_UPDATE_COUNT = SL_PATH_UPDATE_COUNT << SL_TURN_OPERATIONS,
    SL_TURN_POP = SL_PATH_POP << SL_TURN_OPERATIONS,
    SL_TURN_PUSH = SL_PATH_PUSH << SL_TURN_OPERATIONS,
    SL_TURN_CALL = 32,
    SL_TURN_RETURN = 64,
    SL_TURN_EXTENDS = 128, /* it does something else where the path's extension allows it */
    SL_TURN_MORE = 256,    /* than to update, or to update and replace, the path on top */
    SL_TURN_ADDRESS = 9,   /* shift */
    SL_TURN_NONE = SL_TURN_MORE | SL_TURN_CALL | SL_TURN_RETURN, /* no branch */
};

/* How many operations are in a word. */
static inline uint8_t sl_turn_operations(uint32_t word)
{
    return (uint8_t)__builtin_popcount(word & 15u << SL_TURN_OPERATIONS);
}

struct sl_path_turns {
    const struct sl_statics *statics;
    unsigned kind; /* enum sl_path_kind */
    unsigned operations[SL_PATH_CLASSES];
    struct sl_index_map addresses;
    bool out_of_memory;
};

void sl_path_turns_init(struct sl_path_turns *turns, const struct sl_path_config *config,
                        const struct sl_statics *statics);
void sl_path_turns_free(struct sl_path_turns *turns);

/* The class of the branch that a block ends in; there is one. */
enum sl_path_class sl_path_class_of(const struct sl_block_end *end);

/* The word of a transfer from a block that ends so, to block `next`; for sl_flow_init. */
uint32_t sl_path_turn(void *turns, const struct sl_block_end *end, uint32_t from, uint32_t next);

#endif
