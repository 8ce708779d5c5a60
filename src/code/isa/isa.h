/* SPDX-License-Identifier: MIT */
/* Instruction decoder for all architectures: determines the class of an instruction, the registers
 * that it reads and writes, its kind of branch and its memory accesses. The library itself decodes
 * RISC-V and MIPS; for x86-64 and parts of AArch64 it uses Capstone. Decoding cannot fail: bytes
 * that are not a known instruction get the class `other`. */
#ifndef SL_ISA_H
#define SL_ISA_H

#include "insn_info.h"
#include "sluice.h"
#include "statics.h"

struct sl_decoder;

/* Returns NULL if out of memory or if Capstone lacks the architecture. */
struct sl_decoder *sl_decoder_open(enum sl_arch arch);

/* Decodes the instruction of exactly `size` bytes at address `pc`. */
void sl_decode(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes, size_t size,
               struct sl_insn_info *info);

void sl_decoder_close(struct sl_decoder *decoder);

/* Instruction descriptions, which imported traces have instead of machine code. A description of
 * SL_DESCRIPTION_SIZE bytes contains the properties of an instruction that a decoder would
 * determine.
 *
 *     0  class      enum sl_class           4  two registers that are written
 *     1  branch     enum sl_branch          6  four that are read
 *     2  flags      enum sl_insn_flags     10  zeros
 *     3  width      bytes of an access     16  target of a direct branch; 0: unknown
 *
 * A register is 0: none, 1 to 64: one of sl_regs.general, 65 to 128: of .vector. Numbers are
 * little-endian. */
struct sl_description {
    uint8_t kind, branch, flags, width; /* kind: the class */
    uint8_t writes[2], reads[4];
    uint64_t target;
};

/* Disassembler of one instruction, in the notation of objdump (x86-64 in AT&T syntax). If Capstone
 * does not know the architecture or the instruction, its bytes are printed. */
struct sl_disassembler;

/* Returns NULL if out of memory. */
struct sl_disassembler *sl_disassembler_open(enum sl_arch arch);

/* Writes "jle 0x11f4" or ".byte f3 48 0f" to `out`, truncated to `capacity` bytes. */
void sl_disassemble(struct sl_disassembler *disassembler, uint64_t pc, const uint8_t *bytes,
                    size_t size, char *out, size_t capacity);
void sl_disassembler_close(struct sl_disassembler *disassembler); /* may be NULL */

#endif
