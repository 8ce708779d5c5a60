/* SPDX-License-Identifier: MIT */
/* Instruction decoders: class, registers read and written, branch kind and memory accesses of one
 * instruction. RISC-V and MIPS are decoded here, x86-64 and AArch64 with Capstone. Decoding cannot
 * fail: bytes that are no known instruction have class `other`. */
#ifndef SL_ISA_H
#define SL_ISA_H

#include "sluice.h" /* classes, branches, registers */
#include "statics.h"

enum sl_insn_flags {
    SL_INSN_LOADS = 1, /* reads memory, also as an operand or from the stack */
    SL_INSN_STORES = 2,
    SL_INSN_DELAY_SLOT = 4, /* a MIPS branch that is followed by a delay slot */
    SL_INSN_REPEATS = 8,    /* x86 rep: QEMU enters it again for each iteration; not a branch */
    SL_INSN_ENDS = 16,      /* ends a block without being a branch (system call, trap) */
};

struct sl_insn_info {
    uint8_t class;  /* enum sl_class */
    uint8_t branch; /* enum sl_branch */
    uint8_t size;   /* bytes */
    uint8_t flags;  /* enum sl_insn_flags */
    uint8_t
        width; /* bytes accessed in total (if it loads and stores: of each); 0: none or unknown */
    uint64_t target; /* of a direct branch; 0 otherwise */
    struct sl_regs reads, writes;
};

struct sl_decoder;

/* Returns NULL if out of memory or if Capstone lacks the architecture. */
struct sl_decoder *sl_decoder_open(enum sl_arch arch);

/* Decodes the instruction of exactly `size` bytes at address `pc`. */
void sl_decode(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes, size_t size,
               struct sl_insn_info *info);

void sl_decoder_close(struct sl_decoder *decoder);

/* Decoders of one architecture each. They fill all members except `size` of a zeroed info. */
void sl_riscv_decode(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t size,
                     struct sl_insn_info *info);
void sl_mips_decode(bool big_endian, uint64_t pc, const uint8_t *bytes, size_t size,
                    struct sl_insn_info *info);

#endif
