/* SPDX-License-Identifier: MIT */
/* Shared by effects.c and the assembly: where registers are kept. A word for
 * each general register (0..31, flags, hi, lo), then 16 bytes for each vector
 * register. The assembly has
 *
 *   effects_enter()  loads all registers from effects_in and goes to the slot
 *   effects_slot     a page of code to write to
 *   effects_back     what to put behind the instruction (up to effects_back_end):
 *                    it stores all registers in effects_out and returns
 *
 * Where code needs a register to get back, one is reserved (RESERVED). */
#if defined(__x86_64__)
#define WORD 8
#define RESERVED 0
#define VECTOR_REGISTERS 16
#define VECTOR_BYTES 16
#elif defined(__aarch64__)
#define WORD 8
#define RESERVED (1u << 18)
#define VECTOR_REGISTERS 32
#define VECTOR_BYTES 16
#elif defined(__riscv)
#define WORD 8
#define RESERVED (1u << 31 | 1u << 4 | 1u << 3) /* libc needs gp and tp */
#define VECTOR_REGISTERS 32
#define VECTOR_BYTES 8
#else /* MIPS */
#define WORD 4
#define RESERVED (1u << 26 | 1u << 28)
#define VECTOR_REGISTERS 32
#define VECTOR_BYTES 8
#endif
#define FLAGS 32
#define HI 33
#define LO 34
#define GENERAL_REGISTERS 35
#define VECTORS (36 * WORD)

#ifdef __ASSEMBLER__
/* clang-format off */
    .section .note.GNU-stack, ""
    .section .slot, "awx"
    .balign 4096
    .globl effects_slot
effects_slot:
    .skip 4096
    .bss
    .balign 16
own:
    .skip VECTORS
    .text
    .globl effects_enter, effects_back, effects_back_end
/* clang-format on */
#endif
