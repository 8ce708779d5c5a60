/* Test program with loads and stores of 32-bit and 64-bit RISC-V: compressed and uncompressed
 * instructions, for integers and floating-point numbers, and atomic instructions. The program
 * prints a sum of the results. It uses no C library. */
#include <stdint.h>

#include "bare.h"

static union {
    uint32_t w[64];
    double d[32];
    uint8_t b[256];
} memory __attribute__((aligned(64)));

/* A block of instructions on memory at a0; compressed where possible. */
#define RUN(text)                                                                                  \
    do {                                                                                           \
        register unsigned long a0 __asm__("a0") = (unsigned long)&memory, a1 __asm__("a1") = 1,    \
                               a2 __asm__("a2") = 2, a3 __asm__("a3") = 3;                         \
        __asm__ volatile("j 1f\n 1:" text "\n j 2f\n 2:"                                           \
                         : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3)                                  \
                         :                                                                         \
                         : "a4", "a5", "t0", "t1", "fa0", "fa1", "ft0", "memory");                 \
        sum += a1 ^ a2 * 3 ^ a3 * 5;                                                               \
    } while (0)
/* The same, followed by a load that the tap decodes: a wrong load before it would misplace its value. */
#define ALONE(text) RUN(text "\n lw t1, 128(a0)\n")

int bare_main(void)
{
    unsigned long sum = 0;
    uint32_t x = 2463534242u;
    for (int i = 0; i < 64; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        memory.w[i] = x;
    }
    memory.d[20] = 1.25;
    RUN("lb a1, 1(a0)\n lbu a2, 2(a0)\n lh a3, 2(a0)\n lhu a4, 4(a0)\n lw a5, 8(a0)\n lw t0, 12(a0)\n"
        "sb a1, 20(a0)\n sh a2, 22(a0)\n sw a3, 24(a0)\n sw t0, 28(a0)\n");
    RUN("flw fa0, 12(a0)\n flw ft0, 16(a0)\n fld fa1, 160(a0)\n fld ft0, 160(a0)\n fadd.d fa1, fa1, ft0\n"
        "fcvt.w.d a1, fa1\n fmadd.d fa1, fa1, ft0, fa1\n fcvt.w.d a2, fa1\n fsd fa1, 168(a0)\n"
        "fsw fa0, 32(a0)\n fsd ft0, 176(a0)\n");
    RUN("addi sp, sp, -64\n sw a1, 4(sp)\n lw a2, 4(sp)\n fsw fa0, 8(sp)\n flw ft0, 8(sp)\n"
        "lw a3, 8(sp)\n addi sp, sp, 64\n");
    ALONE("addi sp, sp, -64\n fsd fa1, 8(sp)\n fld ft0, 8(sp)\n addi sp, sp, 64");
#if __riscv_xlen == 64
    RUN("ld a1, 8(a0)\n ld t0, 16(a0)\n lwu a3, 12(a0)\n sd a1, 40(a0)\n sd t0, 48(a0)\n"
        "addi sp, sp, -64\n sd a1, 8(sp)\n ld a2, 8(sp)\n ld t0, 8(sp)\n addi sp, sp, 64\n");
    RUN("ld a1, 3(a0)\n ld a2, 61(a0)\n");
#endif
    RUN("lw a1, 3(a0)\n lhu a2, 61(a0)\n fence\n lw a3, 8(a0)");
    RUN("lw a1, 4(a0)\n frcsr a4\n lw a3, 8(a0)");
    ALONE("lr.w a1, (a0)\n addi a1, a1, 1\n sc.w a2, a1, (a0)");
    ALONE("amoadd.w a1, a2, (a0)");
    ALONE("amoswap.w a1, a2, (a0)");
    ALONE("amomaxu.w.aqrl a1, a2, (a0)");
    bare_print("sum", sum & 0xffff);
    return 0;
}
/* SPDX-License-Identifier: MIT */
