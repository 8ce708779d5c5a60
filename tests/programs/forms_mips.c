/* Test program with MIPS loads and stores, compiled for either byte order: instructions of every
 * size, pairs of instructions for unaligned words, floating-point and load-linked instructions, and
 * accesses in the delay slots of branches of every kind. (A branch-likely instruction that is not
 * taken skips its delay slot.) The program prints a sum of the results. */
#include <stdint.h>
#include <stdio.h>

static union {
    uint32_t w[64];
    double d[32];
    uint8_t b[256];
} memory __attribute__((aligned(64)));

/* A block of instructions on memory at $4; its words are 0, 1, 2 ... */
#define RUN(text)                                                                                  \
    do {                                                                                           \
        register unsigned a __asm__("$4") = (unsigned)(uintptr_t)&memory, v __asm__("$8") = 1,     \
                          w __asm__("$9") = 2, u __asm__("$10") = 3;                               \
        __asm__ volatile(".set push\n .set noreorder\n .set nomacro\n .set mips32r2\n b 1f\n nop\n"\
                         "1:" text "\n b 2f\n nop\n 2: .set pop"                                   \
                         : "+r"(a), "+r"(v), "+r"(w), "+r"(u)                                      \
                         :                                                                         \
                         : "$11", "$12", "$13", "$14", "$f0", "$f2", "$f4", "$31", "memory");      \
        sum += v ^ w * 3 ^ u * 5;                                                                  \
    } while (0)
/* The same and a load that the tap decodes: a wrong load before it would misplace its value. */
#define ALONE(text) RUN(text "\n lw $14, 128($4)\n")

/* A branch with a load in its delay slot: the block's only load, and one of several. */
#define SLOT(branch)                                                                               \
    RUN("lw $11, 4($4)\n lw $12, 8($4)\n b 3f\n nop\n 3:" branch " 4f\n lw $8, 16($4)\n"           \
        "lw $9, 20($4)\n 4: lw $10, 24($4)\n");                                                    \
    RUN("lw $11, 4($4)\n lw $12, 8($4)\n lw $13, 12($4)\n" branch " 4f\n lw $8, 16($4)\n"          \
        "lw $9, 20($4)\n 4: lw $10, 24($4)\n")

int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 64; i++)
        memory.w[i] = i;
    memory.d[20] = 1.25;
    RUN("lb $8, 3($4)\n lbu $9, 7($4)\n lh $10, 10($4)\n lhu $11, 14($4)\n lw $12, 20($4)\n"
        "sb $8, 65($4)\n sh $9, 66($4)\n sw $12, 68($4)\n"
        "lwc1 $f0, 24($4)\n ldc1 $f2, 160($4)\n swc1 $f0, 88($4)\n sdc1 $f2, 96($4)\n"
        "add.d $f4, $f2, $f2\n trunc.w.d $f4, $f4\n mfc1 $13, $f4\n addu $8, $8, $13\n"
        "pref 0, 0($4)\n ext $14, $12, 1, 3\n ins $14, $8, 2, 2\n seb $14, $12\n mul $9, $9, $12\n"
        "clz $14, $12\n sync\n rdhwr $14, $29\n");
    ALONE("lwl $8, 9($4)");
    ALONE("lwr $8, 13($4)");
    ALONE("swl $12, 73($4)");
    ALONE("swr $12, 81($4)");
    ALONE("lw $0, 12($4)");
    ALONE("ll $8, 16($4)\n addiu $8, $8, 1\n sc $8, 16($4)");
    ALONE("li $11, 8\n lwxc1 $f0, $11($4)");
    SLOT("beqz $11,"); SLOT("bnez $11,"); SLOT("beq $11, $12,"); SLOT("bne $11, $12,");
    SLOT("beql $11, $12,"); SLOT("beql $11, $11,"); SLOT("bnel $11, $12,"); SLOT("bnel $0, $0,");
    SLOT("blez $11,"); SLOT("bgtz $11,"); SLOT("bltz $11,"); SLOT("bgez $11,");
    SLOT("blezl $11,"); SLOT("bgtzl $11,"); SLOT("bltzl $11,"); SLOT("bgezl $11,");
    SLOT("bltzall $11,"); SLOT("bgezall $11,"); SLOT("bal");
    SLOT("c.eq.d $f2, $f2\n bc1t"); SLOT("c.eq.d $f2, $f2\n bc1f");
    SLOT("c.eq.d $f2, $f2\n bc1tl"); SLOT("c.eq.d $f2, $f2\n bc1fl");
    SLOT("bal 5f\n lw $11, 28($4)\n b 6f\n nop\n 5: jr $31\n lw $12, 32($4)\n 6: b");
    printf("%u\n", sum & 0xffff);
    return 0;
}
/* SPDX-License-Identifier: MIT */
