/* SPDX-License-Identifier: MIT */
/* Instruction decoders that do not need the library Capstone: for RISC-V, for MIPS, and for the
 * loads, stores, branches and system instructions of AArch64.
 *
 * The library and the tap both use them, so that the encodings are described once. isa.h is the
 * library's interface to the decoders of all architectures. The tap (tap/loads_risc.c) is compiled
 * into QEMU, so that the decoders and this header include nothing else of the library.
 *
 * x86-64 differs: the library decodes it with Capstone, with which QEMU is not linked, and the tap
 * has a table of its own (tap/loads_x86.c). Both use the same decoder of prefixes and opcode
 * (x86_encoding.h). */
#ifndef SL_INSN_INFO_H
#define SL_INSN_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice-insn.h"

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
        width; /* bytes accessed in total; if it loads and stores: of each; 0: none or unknown */
    uint64_t target; /* of a direct branch; 0 otherwise */
    struct sl_regs reads, writes;
};

/* Decoders of RISC-V and MIPS. They fill all members except `size` of a zeroed info. */
void sl_riscv_decode(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t size,
                     struct sl_insn_info *info);
void sl_mips_decode(bool big_endian, uint64_t pc, const uint8_t *bytes, size_t size,
                    struct sl_insn_info *info);

/* Decodes loads, stores, branches and system instructions of AArch64, SVE loads and stores
 * included. Fills a zeroed info except `size`. Returns false if the word is data processing; true
 * with class `other` for prefetches and for words that are no instruction. */
bool sl_aarch64_word(uint64_t pc, uint32_t word, struct sl_insn_info *info);

#endif
