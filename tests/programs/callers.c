/* Test program for calling contexts: functions with common callees, direct recursion, mutual
 * recursion of two functions, a tail call, and a longjmp over several levels of the call stack. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))

static jmp_buf out;
static volatile unsigned sink;

static NOINLINE void leaf(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
}

static NOINLINE void odd(unsigned n);

static NOINLINE void even(unsigned n)
{
    leaf(n);
    if (n)
        odd(n - 1);
    sink++;
}

static NOINLINE void odd(unsigned n)
{
    leaf(2 * n);
    if (n)
        even(n - 1);
    sink++;
}

static NOINLINE unsigned fib(unsigned n)
{
    leaf(n);
    return n < 2 ? n : fib(n - 1) ^ fib(n - 2); /* a sum would become a loop */
}

static NOINLINE void hop(unsigned n)
{
    leaf(5);
    if (!n)
        longjmp(out, 1);
    hop(n - 1);
    sink++;
}

static NOINLINE void jump(void)
{
    if (!setjmp(out))
        hop(7);
    leaf(3);
}

static NOINLINE void tail(unsigned n)
{
    sink += n;
    leaf(n + 10);
}

int main(void)
{
    leaf(100);
    even(20);
    odd(11);
    printf("%u\n", fib(12));
    for (unsigned i = 0; i < 10; i++)
        jump();
    tail(50);
    return 0;
}
/* SPDX-License-Identifier: MIT */
