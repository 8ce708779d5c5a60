/* Test program that prints its expected profile: the number of calls of each function and, for each
 * condition in the macro IF(), its source line and how often it was false and true. The program
 * uses a C library only if HOSTED is defined. */
#ifdef HOSTED
#include <stdio.h>
#define MAIN main
static void say(const char *name, unsigned n, const unsigned long *number)
{
    printf("%s", name);
    for (unsigned i = 0; i < n; i++)
        printf(" %lu", number[i]);
    printf("\n");
}
#else
#include "bare.h"
#define MAIN bare_main
#define say bare_print_all
#endif
#define FUNCTION __attribute__((noinline, noclone))

#define LINES 200
static unsigned long outcome[LINES][2];

/* One conditional branch on its line. The empty asm statements prevent
 * the compiler from computing the outcome without a branch. */
#define IF(condition)                                                                              \
    if (condition) {                                                                               \
        __asm__ volatile("" ::: "memory");                                                         \
        outcome[__LINE__][1]++;                                                                    \
    } else {                                                                                       \
        __asm__ volatile("");                                                                      \
        outcome[__LINE__][0]++;                                                                    \
    }

enum { LEAF, FIB, EVEN, ODD, LEFT, RIGHT, DISPATCH, WALK, FLOATS, N_FUNCTIONS };
static const char *const name[] = {"calls leaf", "calls fib", "calls even", "calls odd", "calls left",
                                   "calls right", "calls dispatch", "calls walk", "calls floats"};
static unsigned long calls[N_FUNCTIONS];

FUNCTION unsigned leaf(unsigned x)
{
    calls[LEAF]++;
    IF(x & 1)
    IF(x % 7 < 3)
    IF((int)x - 50 > 0)
    return x + 1;
}

/* Not turned into a loop: the program counts calls, not rounds. */
FUNCTION __attribute__((optimize("no-optimize-sibling-calls"))) unsigned fib(unsigned n)
{
    calls[FIB]++;
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

FUNCTION unsigned odd(unsigned n);
FUNCTION unsigned even(unsigned n)
{
    calls[EVEN]++;
    return n ? odd(n - 1) : 1;
}
FUNCTION unsigned odd(unsigned n)
{
    calls[ODD]++;
    return n ? even(n - 1) : 0;
}

FUNCTION unsigned left(unsigned x) { calls[LEFT]++; return 2 * x; }
FUNCTION unsigned right(unsigned x) { calls[RIGHT]++; return 2 * x + 1; }
static unsigned (*volatile side[])(unsigned) = {left, right, right};

FUNCTION unsigned dispatch(unsigned x)
{
    calls[DISPATCH]++;
    return side[x % 3](x);
}

struct node {
    struct node *next;
    int value;
};
static struct node node[30];

FUNCTION int walk(const struct node *n)
{
    int sum = 0;
    calls[WALK]++;
    for (; n; n = n->next) {
        IF(n->value < 0)
        IF(n->next == 0)
        sum += n->value;
    }
    return sum;
}

FUNCTION int floats(volatile double *x, float y)
{
    calls[FLOATS]++;
    IF(*x < 2.5)
    IF(y >= 3.0f)
    IF(*x > (double)y)
    return (int)(*x + (double)y);
}

int MAIN(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 100; i++)
        sum += leaf(i) + dispatch(i);
    sum += fib(12) + even(41);
    for (int i = 0; i < 30; i++)
        node[i] = (struct node){i + 1 < 30 ? &node[i + 1] : 0, i % 4 ? i : -i};
    for (int i = 0; i < 5; i++)
        sum += (unsigned)walk(&node[6 * i]);
    for (int i = 0; i < 16; i++) {
        volatile double x = i / 3.0;
        sum += (unsigned)floats(&x, (float)(i & 3));
    }
    for (unsigned i = 0; i < LINES; i++) {
        unsigned long row[] = {i, outcome[i][0], outcome[i][1]};
        if (row[1] + row[2])
            say("line", 3, row);
    }
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        say(name[i], 1, &calls[i]);
    return (int)(sum % 50);
}
/* SPDX-License-Identifier: MIT */
