/* Test program with work inside and outside of marked regions. It prints the expected profile of
 * the marked regions, for --marked ("calls FUNCTION n" and "peek VALUE n"), and that of the whole
 * run ("all FUNCTION n"). Some regions are repeated, nested or empty, some begin or end in a called
 * function, some are ended more often than begun, and the last region is never ended. The program
 * uses no C library. */
#include "bare.h"
#include "sluice-mark.h"
#define FUNCTION __attribute__((noinline, noclone))

enum { WORK, LEAF, PEEK, BEGINNER, ENDER, N_FUNCTIONS };
static const char *const inside_name[] = {"calls work", "calls leaf", "calls peek", "calls beginner", "calls ender"};
static const char *const all_name[] = {"all work", "all leaf", "all peek", "all beginner", "all ender"};
static unsigned long inside[N_FUNCTIONS], all[N_FUNCTIONS];
static volatile int depth; /* nesting depth of the regions so far */
static volatile unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static unsigned long peeked[10];

#define COUNT(f) (all[f]++, inside[f] += depth > 0)
#define BEGIN() do { depth = depth + 1; SLUICE_BEGIN(); } while (0)
#define END() do { SLUICE_END(); depth = depth > 0 ? depth - 1 : 0; } while (0)

FUNCTION unsigned leaf(unsigned x)
{
    COUNT(LEAF);
    return x + 1;
}

FUNCTION unsigned peek(unsigned i)
{
    unsigned x;
    COUNT(PEEK);
    x = table[i & 7];
    peeked[x] += depth > 0;
    return x;
}

FUNCTION unsigned work(unsigned x)
{
    COUNT(WORK);
    for (unsigned i = 0; i < 5; i++)
        x = leaf(x) ^ i;
    return x;
}

/* Called outside a region, returns inside; and the reverse. */
FUNCTION void beginner(void)
{
    COUNT(BEGINNER);
    BEGIN();
}
FUNCTION void ender(void)
{
    COUNT(ENDER);
    END();
}

int bare_main(void)
{
    unsigned x = 0;
    for (unsigned i = 0; i < 40; i++) {
        x += work(x) + peek(i);
        BEGIN();
        x += work(x) + peek(i + 1) + peek(i + 3);
        END();
        x += peek(i + 2);
    }
    BEGIN();
    x += work(x);
    BEGIN();
    x += work(x) + peek(5);
    END();
    x += work(x) + peek(6);
    END();
    x += work(x) + peek(7);
    BEGIN();
    END();
    END(); /* no region to end */
    END();
    x += work(x);
    beginner();
    x += work(x) + peek(0);
    ender();
    x += work(x) + peek(1);
    BEGIN();
    x += work(x);
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        bare_print(inside_name[i], inside[i]);
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        bare_print(all_name[i], all[i]);
    for (unsigned i = 0; i < 10; i++) {
        char name[] = "peek 0";
        name[5] = (char)('0' + i);
        if (peeked[i])
            bare_print(name, peeked[i]);
    }
    return (int)(x & 63);
}
/* SPDX-License-Identifier: MIT */
