/* The static table decoded: what detectors ask about blocks and instructions.
 * Grows with the statics; indices are the same. */
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
    uint64_t target;      /* of a direct branch */
    uint64_t next;        /* address behind the block: fall-through, return point */
};

struct sl_code {
    const struct sl_statics *statics;
    struct sl_decoder *decoder;
    struct sl_insn_info *insn;
    struct sl_block_end *end;
    size_t n_insns, n_blocks;
    size_t room_insns, room_blocks;
};

int sl_code_init(struct sl_code *code, const struct sl_statics *statics, struct sl_failure *f);

/* Decodes what has come since the last time. */
int sl_code_sync(struct sl_code *code, struct sl_failure *f);

void sl_code_free(struct sl_code *code);

#endif
