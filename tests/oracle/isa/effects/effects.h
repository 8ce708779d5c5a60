/* SPDX-License-Identifier: MIT */
/* Area in memory that contains the values of all registers before and after a tested instruction.
 * It has a word for each general register (0..31, flags, hi, lo), followed by 16 bytes for each
 * vector register. effects.c shares this area with assembly code, which defines the symbols below.
 *
 *   effects_enter()  loads all registers from effects_in and jumps to the slot
 *   effects_slot     a page of code to write to
 *   effects_back     code to place after the instruction (up to effects_back_end):
 *                    it stores all registers in effects_out and returns
 *
 * Where the code needs a register to return, one is reserved (RESERVED). */
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
