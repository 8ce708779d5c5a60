/* SPDX-License-Identifier: MIT */
/* Disassembler of one instruction, in the notation of objdump (x86-64 in AT&T syntax). If Capstone
 * does not know the architecture or the instruction, its bytes are printed. */
#ifndef SL_DISASSEMBLE_H
#define SL_DISASSEMBLE_H

#include "isa.h"

struct sl_disassembler;

/* Returns NULL if out of memory. */
struct sl_disassembler *sl_disassembler_open(enum sl_arch arch);

/* Writes "jle 0x11f4" or ".byte f3 48 0f" to `out`, truncated to `capacity` bytes. */
void sl_disassemble(struct sl_disassembler *disassembler, uint64_t pc, const uint8_t *bytes,
                    size_t size, char *out, size_t capacity);
void sl_disassembler_close(struct sl_disassembler *disassembler); /* may be NULL */

#endif
