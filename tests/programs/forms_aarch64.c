/* Test program with AArch64 loads and stores in every form that the tap, the part of sluice in
 * QEMU, decodes (tap/loads_risc.c), and in many forms that it does not decode. Each kind of
 * instruction has its own basic blocks. The program prints a sum of the results. */
#include <stdint.h>
#include <stdio.h>

static union {
    uint64_t q[64];
    uint8_t b[4096];
} memory __attribute__((aligned(4096))); /* dc zva may write that many bytes */

/* A block of instructions on memory at x0, with x1 = 8 and x2 = 16. */
#define RUN(text)                                                                                  \
    do {                                                                                           \
        register uint64_t x0 __asm__("x0") = (uint64_t)&memory, x3 __asm__("x3") = 1,              \
                          x4 __asm__("x4") = 2, x5 __asm__("x5") = 3;                              \
        __asm__ volatile("b 1f\n 1: mov x1, #8\n mov x2, #16\n" text "\n b 2f\n 2:"                \
                         : "+r"(x0), "+r"(x3), "+r"(x4), "+r"(x5)                                  \
                         :                                                                         \
                         : "x1", "x2", "x6", "x7", "x8", "x9", "v0", "v1", "v2", "v3", "cc",       \
                           "memory");                                                              \
        sum += x3 ^ x4 * 3 ^ x5 * 5;                                                               \
    } while (0)
/* The same, followed by a load that the tap decodes: a wrong load before it would misplace its value. */
#define ALONE(text) RUN(text "\n ldr x9, [x0, #256]\n")

int main(void)
{
    uint64_t sum = 0, x = 88172645463325252u;
    for (int i = 0; i < 64; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memory.q[i] = x;
    }
    RUN("ldr w3, [x0, #4]\n ldr x4, [x0, #8]\n ldrb w5, [x0, #3]\n ldrh w6, [x0, #6]\n"
        "ldrsb w7, [x0, #9]\n ldrsb x8, [x0, #9]\n ldrsh w9, [x0, #10]\n ldrsh x3, [x0, #10]\n"
        "ldrsw x4, [x0, #12]\n str w3, [x0, #20]\n str x4, [x0, #24]\n strb w5, [x0, #33]\n"
        "strh w6, [x0, #36]\n");
    RUN("ldur w3, [x0, #5]\n ldur x4, [x0, #9]\n ldurb w5, [x0, #3]\n ldurh w6, [x0, #7]\n"
        "ldursb x7, [x0, #9]\n ldursh w9, [x0, #11]\n ldursw x4, [x0, #13]\n stur x3, [x0, #41]\n"
        "ldtr x5, [x0, #8]\n ldtrb w6, [x0, #1]\n sttr x5, [x0, #56]\n");
    RUN("mov x6, x0\n ldr w3, [x6], #4\n ldr x4, [x6], #8\n ldrb w5, [x6, #1]!\n ldrsw x7, [x6, #4]!\n"
        "str x4, [x6, #8]!\n str w4, [x6], #4\n ldr d0, [x6, #3]!\n str s0, [x6], #4\n");
    RUN("ldr x3, [x0, x1]\n ldr x4, [x0, x1, lsl #3]\n ldr w5, [x0, w2, uxtw #2]\n"
        "ldrb w6, [x0, w1, sxtw]\n ldrsh x7, [x0, x2, lsl #1]\n str x3, [x0, x2, lsl #3]\n"
        "ldr d1, [x0, x1]\n str d1, [x0, x2]\n prfm pldl1keep, [x0, x1]\n ldr x6, [x0, x2]\n");
    RUN("ldr x3, 5f\n ldr w4, 5f\n ldrsw x5, 6f\n ldr s0, 5f\n ldr d1, 5f\n b 7f\n .balign 8\n"
        "5: .word 0x12345678\n 6: .word 0x9abcdef0\n 7: prfm pldl1keep, 5b\n fmov x6, d1\n add x3, x3, x6\n"
        "ldr x4, [x0]");
    RUN("ldr b0, [x0, #1]\n ldr h1, [x0, #2]\n ldr s2, [x0, #4]\n ldr d3, [x0, #8]\n ldur d0, [x0, #3]\n"
        "str b0, [x0, #65]\n str h1, [x0, #66]\n str s2, [x0, #68]\n str d3, [x0, #72]\n"
        "str q3, [x0, #80]\n fadd d0, d0, d3\n fmov x3, d0\n prfm pldl1keep, [x0]\n prfum pldl1keep, [x0, #1]\n ldr x4, [x0]");
    RUN("stp x3, x4, [x0, #128]\n stp w3, w4, [x0, #144]\n stp d0, d1, [x0, #160]\n stnp x3, x4, [x0, #176]\n"
        "stp q0, q1, [x0, #192]\n stlr x3, [x0]\n add x6, x0, #8\n stlrb w3, [x6]\n ldar x4, [x0]\n"
        "ldarb w5, [x6]\n ldarh w7, [x6]\n ldar w8, [x6]\n st1 {v0.16b}, [x0]\n st2 {v0.4s, v1.4s}, [x0]\n");
    RUN("add x6, x0, #2048\n dc zva, x6\n ldr x3, [x0, #8]\n");
    ALONE("ldr q0, [x0, #16]");
    ALONE("ldur q0, [x0, #17]");
    ALONE("ldr q0, [x0, x1]");
    ALONE("ldr q0, 5f\n b 6f\n .balign 16\n 5: .quad 1, 2\n 6:");
    ALONE("ldp x3, x4, [x0, #16]");
    ALONE("ldp w3, w4, [x0, #16]");
    ALONE("ldpsw x3, x4, [x0, #16]");
    ALONE("ldnp x3, x4, [x0, #16]");
    ALONE("ldp d0, d1, [x0, #16]");
    ALONE("ldp q0, q1, [x0, #16]");
    ALONE("mov x6, x0\n ldp x3, x4, [x6], #16");
    ALONE("ld1 {v0.16b}, [x0]");
    ALONE("ld1 {v0.s}[1], [x0]");
    ALONE("ld1r {v0.4s}, [x0]");
    ALONE("ld3 {v0.4s, v1.4s, v2.4s}, [x0]");
    ALONE("st1 {v0.s}[1], [x0]");
    ALONE("ldxr x3, [x0]\n add x3, x3, #1\n stxr w4, x3, [x0]");
    ALONE("ldaxrb w3, [x0]\n stlxrb w4, w3, [x0]");
    ALONE("ldxp x3, x4, [x0]\n stxp w5, x3, x4, [x0]");
    for (int i = 0; i < 9; i++) /* QEMU continues with the next block and does not check what a call wrote */
        RUN("ldxp x3, x4, [x0]\n stxp w5, x3, x4, [x0]");
    ALONE(".arch armv8.1-a\n ldadd x3, x4, [x0]");
    ALONE("swp w3, w4, [x0]");
    ALONE("cas x3, x4, [x0]");
    ALONE("stadd x3, [x0]");
    ALONE(".arch armv8.3-a\n ldapr x3, [x0]");
    printf("%d\n", (int)(sum & 0xffff));
    return 0;
}
/* SPDX-License-Identifier: MIT */
