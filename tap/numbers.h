/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dense numbers for instructions and blocks, in order of first appearance. The same address with
 * the same bytes has the same number.
 *
 * A large program has a million instructions, and nearly every one is looked up once, when it is
 * translated. So the cost is cache and TLB misses, and a hash table would have both for every
 * instruction. Numbers are therefore found by address: a page of code has a cell for each byte,
 *
 *     pc -> page -> cell[pc % 4096]: 1 + number of the instruction -> hash of its bytes
 *                                                                  -> first block that starts with
 * it
 *
 * Hash tables hold only other versions of overwritten code, and further blocks that start with the
 * same instruction. A page of code needs 16 KB, of which only the parts with code are allocated. */
#ifndef SL_TAP_NUMBERS_H
#define SL_TAP_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of an instruction. Both functions: one thread at a time; they abort if out of memory,
 * as QEMU does. */
uint32_t numbers_insn(uint64_t pc, const uint8_t *bytes, size_t size);

/* The number of a block that starts with instruction `first`. Sets *is_new if the number is new. */
uint32_t numbers_block(uint32_t first, uint64_t pc, const uint8_t *bytes, size_t size,
                       bool *is_new);

#endif
