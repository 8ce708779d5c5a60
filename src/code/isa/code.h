/* SPDX-License-Identifier: MIT */
/* The static table decoded: what detectors ask about blocks and instructions.
 * Grows with the statics; indices are the same.
 *
 * How a block ends is known at once; for that, its last instruction is decoded (on MIPS the
 * last two). All others are when somebody asks, which for most profiles nobody does: decoding
 * takes longer than all else that is done once for an instruction. */
#ifndef SL_CODE_H
#define SL_CODE_H

#include "isa.h"

/* How a block ends. */
struct sl_block_end {
    uint32_t branch_insn; /* number of the branch, SL_NO_INDEX if none */
    uint8_t branch;       /* enum sl_branch */
    uint8_t flags;        /* of the last instruction: enum sl_insn_flags */
    bool slot_missing;    /* a MIPS branch whose delay slot is a block of its own */
    uint64_t branch_pc;
    uint64_t target; /* of a direct branch */
    uint64_t next;   /* address behind the block: fall-through, return point */
};

struct sl_code {
    const struct sl_statics *statics;
    struct sl_code_insns *insns; /* decoded ones */
    struct sl_block_end *end;
    size_t n_insns, n_blocks;
    size_t room_blocks;
};

int sl_code_init(struct sl_code *code, const struct sl_statics *statics, struct sl_failure *f);

/* Takes up what has come since the last time. */
int sl_code_sync(struct sl_code *code, struct sl_failure *f);

/* What an instruction is; to be used before the next sync. */
const struct sl_insn_info *sl_code_insn(const struct sl_code *code, uint32_t number);

void sl_code_free(struct sl_code *code);

#endif
