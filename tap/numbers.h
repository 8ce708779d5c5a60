/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of instructions and blocks: dense, in the order in which they first came; the same
 * address with the same bytes has the same number.
 *
 * Of a large program there are a million instructions, and nearly each is looked up once only,
 * when it is translated, so what counts are misses of the caches and of the TLB. A hash table
 * has both for every instruction. So numbers are found by address: a page of code has a cell
 * for each of its bytes,
 *
 *     pc -> page -> cell[pc % 4096]: 1 + the number of the instruction there -> its bytes' hash
 *                                                                            -> its block
 *
 * and the block that starts with an instruction is found by that one's number. Only other
 * versions of code that was there before, and other blocks that start with the same
 * instruction, are in hash tables. 16 KB for a page, of which those parts are used where
 * there is code.
 * */
#ifndef SL_TAP_NUMBERS_H
#define SL_TAP_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of an instruction; one thread at a time, as below. Memory that runs out ends the process, as
 * it does in QEMU. */
uint32_t numbers_insn(uint64_t pc, const uint8_t *bytes, size_t size);

/* Of a block, which starts with instruction `first`. `is_new`: it has just got it. */
uint32_t numbers_block(uint32_t first, uint64_t pc, const uint8_t *bytes, size_t size,
                       bool *is_new);

#endif
