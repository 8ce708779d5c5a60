/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block while it is translated: its instructions, and its number, under which it is
 * described to sluice. */
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

/* Adds an instruction, of at most 16 bytes, to a block that has room for it. Returns its
 * number. */
uint32_t block_add(struct block_text *text, uint64_t pc, const uint8_t *bytes, size_t size);

/* Whether an instruction at `pc` goes on where the block's last one ends. It does not behind a
 * branch of MIPS that is "likely" and never taken, whose delay slot QEMU leaves out. */
bool block_goes_on(const struct block_text *text, uint64_t pc);

/* The number of the block; a record describes it if it is new. `guest_base` is added to a
 * guest address to get ours. */
uint32_t block_number(const struct block_text *text, int mark, uint64_t guest_base, bool *is_new);

#endif
