/* SPDX-License-Identifier: MIT */
/* Instruction decoder for all architectures: determines the class, the registers read and written,
 * the branch kind and the memory accesses of one instruction. RISC-V and MIPS are decoded by the
 * library itself, x86-64 and parts of AArch64 with Capstone. Decoding cannot fail: bytes that are
 * not a known instruction get the class `other`. */
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

#endif
