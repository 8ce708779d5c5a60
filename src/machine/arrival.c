#include "arrival.h"

static uint64_t last_insn_pc(const struct sl_code *code, uint32_t block)
{
    const struct sl_statics *statics = code->statics;
    const struct sl_block *b = &statics->block[block];
    return statics->insn[statics->block_insn[b->insns_at + b->n_insns - 1u]].pc;
}

static enum sl_arrival arrive(const struct sl_code *code, const struct sl_arrival_place *place,
                              uint64_t pc, struct sl_retired_branch *b)
{
    const struct sl_block_end *end = &code->end[place->block];
    bool taken = true;
    switch (end->branch) {
    case SL_BRANCH_NONE:
        if (pc == place->behind ||
            (end->flags & SL_INSN_REPEATS && pc == last_insn_pc(code, place->block)))
            return SL_ARRIVED_STRAIGHT;
        return SL_ARRIVED_ANYHOW;
    case SL_BRANCH_CONDITIONAL:
        taken = pc == end->target;
        if (!taken && pc != place->behind)
            return SL_ARRIVED_ANYHOW;
        break;
    case SL_BRANCH_JUMP:
    case SL_BRANCH_CALL:
        if (pc != end->target)
            return SL_ARRIVED_ANYHOW;
        break;
    default:
        break;
    }
    *b = (struct sl_retired_branch){
        .pc = end->branch_pc, .next = place->behind, .kind = end->branch, .taken = taken,
        .target = end->branch == SL_BRANCH_CONDITIONAL ? end->target : pc};
    return SL_ARRIVED_BY_BRANCH;
}

enum sl_arrival sl_arrival_step(const struct sl_code *code, struct sl_arrival_place *place,
                                uint32_t next, struct sl_retired_branch *branch)
{
    enum sl_arrival how = SL_ARRIVED_ANYHOW;
    uint64_t pc = code->statics->block[next].pc;
    if (place->block != SL_NO_INDEX) {
        bool in_slot = code->end[place->block].slot_missing && !place->in_slot;
        if (in_slot && pc == place->behind) {
            place->in_slot = true;
            place->behind = code->end[next].next;
            return SL_ARRIVED_STRAIGHT;
        }
        how = arrive(code, place, pc, branch);
    }
    *place = (struct sl_arrival_place){.block = next, .behind = code->end[next].next};
    return how;
}
