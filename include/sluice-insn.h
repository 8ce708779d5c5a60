/* SPDX-License-Identifier: MIT */
/* Properties of instructions: class, kind of branch, register set. This header is a part of
 * sluice.h. It is a separate file because sluice's code inside QEMU (the tap) includes it without
 * sluice.h, so that QEMU need not be rebuilt when sluice.h changes. */
#ifndef SLUICE_INSN_H
#define SLUICE_INSN_H

#include <stdint.h>

enum sl_class {
    SL_CLASS_OTHER,
    SL_CLASS_ARITHMETIC, /* integer add, logic, shift, move, compare, lea */
    SL_CLASS_MULTIPLY,
    SL_CLASS_DIVIDE,
    SL_CLASS_LOAD,   /* a pure load (pop, mov from memory) */
    SL_CLASS_STORE,  /* a pure store (push, mov to memory) */
    SL_CLASS_ATOMIC, /* locked or exclusive access, load-linked, amo */
    SL_CLASS_BRANCH, /* conditional */
    SL_CLASS_JUMP,   /* any other transfer: jump, call, return */
    SL_CLASS_FLOAT,  /* scalar floating point, conversions included */
    SL_CLASS_VECTOR, /* packed integer or floating point */
    SL_CLASS_SYSTEM, /* system call, fence, control register, hint that traps */
    SL_CLASS_NOP,
    SL_CLASS_COUNT
};

enum sl_branch {
    SL_BRANCH_NONE,
    SL_BRANCH_CONDITIONAL, /* direct */
    SL_BRANCH_JUMP,        /* direct, unconditional */
    SL_BRANCH_INDIRECT,    /* through a register or memory, not a return */
    SL_BRANCH_CALL,        /* direct */
    SL_BRANCH_INDIRECT_CALL,
    SL_BRANCH_RETURN,
    SL_BRANCH_COUNT
};

/* Register sets. Bits 0..31 of `general`: integer registers by number (x86-64: rax rcx rdx rbx rsp
 * rbp rsi rdi r8..r15; AArch64: bit 31 is sp, the zero register is in no set; RISC-V and MIPS:
 * x0/$0 is in no set), then SL_REG_FLAGS (x86 flags, nzcv), SL_REG_HI and SL_REG_LO (MIPS). Bits
 * 0..31 of `vector`: floating-point and vector registers by number (x87 and MMX: 0..7), then
 * SL_REG_FPFLAGS, the floating-point condition or status. */
struct sl_regs {
    uint64_t general, vector;
};
#define SL_REG_FLAGS 32
#define SL_REG_HI 33
#define SL_REG_LO 34
#define SL_REG_FPFLAGS 32

#endif
