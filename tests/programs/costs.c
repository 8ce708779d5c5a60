/* Test program whose costs in a CPU model are known. It prints the expected costs. walk() loads one
 * byte of each cache line of an array that is larger than a small cache, and the program prints the
 * number of misses ("misses walk n"). flip() has one unpredictable branch, whose source line the
 * program prints ("line n"). Region markers enclose the calls of walk(). The program uses no C
 * library. */
#include "bare.h"
#include "sluice-mark.h"
#define FUNCTION __attribute__((noinline, noclone))

#define LINE_BYTES 64u
#define LINES 4096u
#define WALKS 5u
#define FLIPS 20000u

static volatile unsigned char memory[LINES * LINE_BYTES] __attribute__((aligned(4096)));
static volatile unsigned long sides[2];

FUNCTION unsigned walk(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < LINES; i++)
        sum += memory[i * LINE_BYTES];
    return sum;
}

enum { BRANCH_LINE = __LINE__ + 6 };
FUNCTION unsigned flip(unsigned state)
{
    for (unsigned i = 0; i < FLIPS; i++) {
        state = state * 1103515245u + 12345u;
        __asm__ volatile("");
        if (state >> 24 & 1) {
            __asm__ volatile("" ::: "memory");
            sides[1]++;
        } else {
            __asm__ volatile("");
            sides[0]++;
        }
    }
    return state;
}

int bare_main(void)
{
    unsigned sum = 0;
    SLUICE_BEGIN();
    for (unsigned i = 0; i < WALKS; i++)
        sum += walk();
    SLUICE_END();
    flip(1);
    bare_print("misses walk", WALKS * LINES);
    bare_print("line", BRANCH_LINE);
    return (int)sum;
}
/* SPDX-License-Identifier: MIT */
