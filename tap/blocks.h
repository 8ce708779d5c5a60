/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks in the tap, sluice's code inside QEMU: while QEMU translates a block, the tap collects the
 * block's instructions, gives the block an id, and describes each new block to sluice. */
#ifndef SL_TAP_BLOCKS_H
#define SL_TAP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "statics.h"

struct block_text {
    uint64_t pc;
    unsigned n_insns, n_bytes;
    struct {
        uint32_t id;
        uint8_t size;
    } insn[SL_BLOCK_INSNS_MAX];
    uint8_t bytes[SL_BLOCK_INSNS_MAX * 16];
};

/* Adds an instruction of at most 16 bytes. The block must have fewer than SL_BLOCK_INSNS_MAX.
 * Returns the instruction's id. */
uint32_t block_add(struct block_text *text, uint64_t pc, const uint8_t *bytes, size_t size);

/* True if `pc` is the address after the block's last instruction. After a MIPS branch-likely that
 * is never taken, it is not, because QEMU leaves the delay slot out of the block. */
bool block_goes_on(const struct block_text *text, uint64_t pc);

/* Returns the id of the block. If the block is new, sets *is_new and sends a BLOCK record and, if
 * its file is new, an OBJECT record. `mark` is an enum sl_mark; `guest_base` + guest address = host
 * address. */
uint32_t block_id(const struct block_text *text, int mark, uint64_t guest_base, bool *is_new);

#endif
