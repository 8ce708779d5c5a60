/* SPDX-License-Identifier: MIT */
/* Encodes the effect of a branch on the path stack (the stack of unfinished paths) as one 32-bit
 * word. path_turn.h describes the encoding. */
#include "path_turn.h"

/* Further addresses share this id, so that the word stays below SL_FLOW_UNKNOWN. */
#define ADDRESSES_MAX ((UINT32_C(1) << (32 - SL_TURN_ADDRESS)) - 2)

void sl_path_turns_init(struct sl_path_turns *turns, const struct sl_path_config *config,
                        const struct sl_statics *statics)
{
    *turns = (struct sl_path_turns){.statics = statics, .kind = config->kind};
    for (int class = 0; class < SL_PATH_CLASSES; class ++)
        turns->operations[class] = sl_path_operations(config, class);
}

enum sl_path_class sl_path_class_of(const struct sl_block_end *end)
{
    switch (end->branch) {
    case SL_BRANCH_CALL:
    case SL_BRANCH_INDIRECT_CALL:
        return SL_PATH_CALL;
    case SL_BRANCH_RETURN:
        return SL_PATH_RETURN;
    case SL_BRANCH_INDIRECT:
        return SL_PATH_INDIRECT;
    default:
        return end->target > end->branch_pc ? SL_PATH_FORWARD : SL_PATH_BACKWARD;
    }
}

static bool extends(const struct sl_path_turns *turns, enum sl_path_class class)
{
    return turns->kind == SL_PATH_LOOP ? class == SL_PATH_BACKWARD
                                       : turns->kind == SL_PATH_PROCEDURE &&
                                             (class == SL_PATH_CALL || class == SL_PATH_RETURN);
}

/* Replacing a path of kind loop also resets its extension. */
static bool is_simple(const struct sl_path_turns *turns, enum sl_path_class class)
{
    unsigned operations = turns->operations[class];
    return class != SL_PATH_CALL && class != SL_PATH_RETURN && !extends(turns, class) &&
           (operations == SL_PATH_UPDATE ||
            (operations == (SL_PATH_UPDATE | SL_PATH_POP | SL_PATH_PUSH) &&
             turns->kind != SL_PATH_LOOP));
}

static uint32_t address_of(struct sl_path_turns *turns, uint64_t pc)
{
    uint32_t id = sl_index_add(&turns->addresses, pc, 0);
    turns->out_of_memory |= id == SL_NO_INDEX;
    return (id < ADDRESSES_MAX ? id : ADDRESSES_MAX) << SL_TURN_ADDRESS;
}

uint32_t sl_path_turn(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct sl_path_turns *turns = context;
    (void)from;
    if (end->branch == SL_BRANCH_NONE)
        return SL_TURN_NONE;
    enum sl_path_class class = sl_path_class_of(end);
    uint64_t to = turns->statics->block[next].pc;
    uint32_t word = turns->operations[class] << SL_TURN_OPERATIONS;
    if (end->branch != SL_BRANCH_CONDITIONAL || to == end->target)
        word |= SL_TURN_TAKEN;
    if (extends(turns, class))
        word |= SL_TURN_EXTENDS;
    if (!is_simple(turns, class))
        word |= SL_TURN_MORE;
    if (class == SL_PATH_CALL)
        word |= SL_TURN_CALL | address_of(turns, end->next);
    if (class == SL_PATH_RETURN)
        word |= SL_TURN_RETURN | address_of(turns, to);
    return word;
}
