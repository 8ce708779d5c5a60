/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block during translation: its instructions, and the block number that sluice knows it by. */
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
        uint32_t number;
        uint8_t size;
    } insn[SL_BLOCK_INSNS_MAX];
    uint8_t bytes[SL_BLOCK_INSNS_MAX * 16];
};

/* Adds an instruction of at most 16 bytes. The block must have fewer than SL_BLOCK_INSNS_MAX.
 * Returns the instruction's number. */
uint32_t block_add(struct block_text *text, uint64_t pc, const uint8_t *bytes, size_t size);

/* True if `pc` is the address after the block's last instruction. It is not after a MIPS
 * branch-likely that is never taken, whose delay slot QEMU leaves out. */
bool block_goes_on(const struct block_text *text, uint64_t pc);

/* Returns the number of the block. For a new block, sends a BLOCK record and, if needed, an OBJECT
 * record. `mark` is an enum sl_mark; `guest_base` + guest address = host address. */
uint32_t block_number(const struct block_text *text, int mark, uint64_t guest_base, bool *is_new);

#endif
