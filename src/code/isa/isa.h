/* SPDX-License-Identifier: MIT */
/* What an instruction is: its class, the registers it reads and writes, and
 * how it branches. RISC-V and MIPS are decoded here, x86-64 and AArch64 by
 * Capstone. Bytes that are no instruction are of class `other`: decoding
 * cannot fail. */
#ifndef SL_ISA_H
#define SL_ISA_H

#include "sluice.h" /* classes, branches, registers */
#include "statics.h"

enum sl_insn_flags {
    SL_INSN_LOADS = 1, /* reads memory (what a call pops or an add takes included) */
    SL_INSN_STORES = 2,
    SL_INSN_DELAY_SLOT = 4, /* a MIPS branch: the next instruction belongs to it */
    SL_INSN_REPEATS = 8,    /* x86 rep: QEMU re-enters it for each round; not a branch */
    SL_INSN_ENDS = 16,      /* ends a block without being a branch (system call, trap) */
};

struct sl_insn_info {
    uint8_t class;   /* enum sl_class */
    uint8_t branch;  /* enum sl_branch */
    uint8_t size;    /* bytes */
    uint8_t flags;   /* enum sl_insn_flags */
    uint8_t width;   /* bytes loaded or stored in all (if both: each way); 0 if none or unknown */
    uint64_t target; /* of a direct branch; 0 otherwise */
    struct sl_regs reads, writes;
};

struct sl_decoder;

/* NULL when memory ran out (or Capstone refuses the architecture). */
struct sl_decoder *sl_decoder_open(enum sl_arch arch);
void sl_decode(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes, size_t size,
               struct sl_insn_info *info);

void sl_decoder_close(struct sl_decoder *decoder);

/* The per-architecture decoders; `size` bytes are there. They fill everything
 * but `size`, from an info that is zeroed. */
void sl_riscv_decode(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t size,
                     struct sl_insn_info *info);
void sl_mips_decode(bool big_endian, uint64_t pc, const uint8_t *bytes, size_t size,
                    struct sl_insn_info *info);

#endif
