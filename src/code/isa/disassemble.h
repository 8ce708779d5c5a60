/* SPDX-License-Identifier: MIT */
/* Instructions as text, as objdump writes them (x86-64 as AT&T has it). Where Capstone does not
 * know an architecture or an instruction, its bytes. */
#ifndef SL_DISASSEMBLE_H
#define SL_DISASSEMBLE_H

#include "isa.h"

struct sl_disassembler;

/* NULL when memory ran out. */
struct sl_disassembler *sl_disassembler_open(enum sl_arch arch);

/* Into `out`: "jle 0x11f4", ".byte f3 48 0f". */
void sl_disassemble(struct sl_disassembler *disassembler, uint64_t pc, const uint8_t *bytes,
                    size_t size, char *out, size_t room);
void sl_disassembler_close(struct sl_disassembler *disassembler); /* NULL will do */

#endif
