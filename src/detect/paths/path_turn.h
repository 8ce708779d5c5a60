/* SPDX-License-Identifier: MIT */
/* Encoding of the effect of a branch on the path stack (the stack of unfinished paths), as one
 * 32-bit word. The word is computed once per pair of blocks and then cached (flow.h).
 *
 *     31        9   8     7       6      5     4     1   0
 *     | address | more | extends | return | call | operations | taken |
 *
 * The address is the return address of a call or the target of a return, as an id, so that two
 * words suffice to match a return with a call. */
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
    SL_TURN_EXTENDS = 128, /* the path may be extended instead */
    SL_TURN_MORE = 256,    /* it does more than update, or update and replace, the path on top */
    SL_TURN_ADDRESS = 9,   /* shift */
    SL_TURN_NONE = SL_TURN_MORE | SL_TURN_CALL | SL_TURN_RETURN, /* no branch */
};

/* The number of operations in a word. */
static inline uint8_t sl_turn_operations(uint32_t word)
{
    return (uint8_t)__builtin_popcount(word & 15u << SL_TURN_OPERATIONS);
}

struct sl_path_turns {
    const struct sl_statics *statics;
    unsigned kind; /* enum sl_path_kind */
    unsigned operations[SL_PATH_CLASSES];
    struct sl_index_map addresses; /* to be freed with sl_index_free() */
    bool out_of_memory;
};

void sl_path_turns_init(struct sl_path_turns *turns, const struct sl_path_config *config,
                        const struct sl_statics *statics);

/* The class of the branch at the end of a block, which must have one. */
enum sl_path_class sl_path_class_of(const struct sl_block_end *end);

/* The meaning of a transfer, for sl_flow_init(). */
uint32_t sl_path_turn(void *turns, const struct sl_block_end *end, uint32_t from, uint32_t next);

#endif
