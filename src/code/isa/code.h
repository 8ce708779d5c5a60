/* SPDX-License-Identifier: MIT */
/* Decoded instructions of a program: how each block ends, and the properties of each instruction
 * that detectors need. Blocks and instructions have the same indices as in the program's static
 * table (statics.h).
 *
 * How a block ends is decoded when the block is added (its last instruction; on MIPS the last two).
 * Other instructions are decoded at their first use: most profiles never need them, and decoding is
 * the most expensive work that is done once per instruction. */
#ifndef SL_CODE_H
#define SL_CODE_H

#include "isa.h"

/* How a block ends. */
struct sl_block_end {
    uint32_t branch_insn; /* index of the branch, SL_NO_INDEX if there is none */
    uint8_t branch;       /* enum sl_branch */
    uint8_t flags;        /* of the last instruction: enum sl_insn_flags */
    bool slot_missing;    /* a MIPS branch whose delay slot is in another block */
    uint64_t branch_pc;
    uint64_t target; /* of a direct branch */
    uint64_t next;   /* address after the block: fall-through or return address */
};

struct sl_code {
    const struct sl_statics *statics;
    struct sl_code_insns *insns; /* decoded instructions */
    struct sl_block_end *end;
    size_t n_insns, n_blocks;
    size_t blocks_capacity;
};

/* `statics` must outlive `code`. Returns 0 or SL_ENOMEM; sl_code_free() in either case. */
int sl_code_init(struct sl_code *code, const struct sl_statics *statics, struct sl_failure *f);

/* Adds the blocks and instructions that are new in the static table. Returns 0 or SL_ENOMEM. */
int sl_code_sync(struct sl_code *code, struct sl_failure *f);

/* True if code at `pc` can follow a block with this end, without a signal. `next`: the address
 * after the block, or after the block that is its delay slot. */
static inline bool sl_block_end_leads_to(const struct sl_block_end *end, uint64_t next, uint64_t pc)
{
    switch (end->branch) {
    case SL_BRANCH_CONDITIONAL:
        return pc == end->target || pc == next;
    case SL_BRANCH_JUMP:
    case SL_BRANCH_CALL:
        return pc == end->target;
    case SL_BRANCH_NONE:
        return pc == next;
    default:
        return true;
    }
}

/* Returns the address of the last instruction of a block. */
static inline uint64_t sl_block_last_pc(const struct sl_statics *statics, uint32_t block)
{
    const struct sl_block *b = &statics->block[block];
    return statics->insn[statics->block_insn[b->insns_at + b->n_insns - 1u]].pc;
}

/* Returns a decoded instruction, valid until the next sl_code_sync(). Not thread-safe: it may
 * decode. */
const struct sl_insn_info *sl_code_insn(const struct sl_code *code, uint32_t number);

void sl_code_free(struct sl_code *code);

#endif
