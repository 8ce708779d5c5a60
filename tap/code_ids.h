/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ids of the guest's instructions and blocks: the numbers 0, 1, 2, ... in order of first
 * appearance. The same code bytes at the same address always have the same id.
 *
 * A large program has a million instructions, and nearly every one is looked up once, when it is
 * translated. The cost is cache and TLB misses, and a hash table would have both for every
 * instruction. Ids are therefore found by address. A page of code has a cell for each byte:
 *
 *     pc -> page -> cell[pc % 4096] = 1 + id of the instruction
 *
 *     id -> hash of the instruction's bytes
 *     id -> first block that starts with the instruction
 *
 * Hash tables hold only other versions of overwritten code, and further blocks that start with the
 * same instruction. A page of code needs 16 KB, of which only the parts with code are allocated. */
#ifndef SL_TAP_CODE_IDS_H
#define SL_TAP_CODE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the id of an instruction. Only one thread at a time may call this function and the next
 * one. Both abort if out of memory, as QEMU does. */
uint32_t code_ids_insn(uint64_t pc, const uint8_t *bytes, size_t size);

/* Returns the id of a block that starts with instruction `first`. *is_new is true if the id is
 * new. */
uint32_t code_ids_block(uint32_t first, uint64_t pc, const uint8_t *bytes, size_t size,
                        bool *is_new);

#endif
