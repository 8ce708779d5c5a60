/* Test program, compiled with -O0, that has conditions of every kind, one per line, so that a
 * profile can be compared with gcov line by line: nested loops, loops that end by break,
 * short-circuit operators, a switch without a jump table, recursion, ternary operators and gotos.
 * The input is pseudo-random, so that the two outcomes of a condition have different counts. The
 * program prints a sum, so that the compiler cannot remove code. */
#include <stdio.h>

static unsigned state = 1;

static unsigned chance(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 16 & 1023;
}

static int logic(unsigned a, unsigned b, unsigned c)
{
    int n = 0;
    if (a < 300
        && b < 500
        && c > 20)
        n += 1;
    if (a > 900
        || b > 800
        || c > 1000)
        n += 2;
    if ((a > 100
         && b > 100)
        || (c & 1
            && b & 2))
        n += 4;
    else if (!(a & 4))
        n += 8;
    n += a & 8
             ? 16
             : 32;
    int both = a > 512
               && b > 512;
    int either = a > 1000
                 || c < 3;
    return n + both + 2 * either;
}

static int loops(unsigned n)
{
    int sum = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned x = chance();
        if (x == 7)
            continue;
        for (unsigned j = x & 7; j; j--)
            sum += (int)j;
        while (x > 500) {
            x /= 3;
            if (x & 1)
                break;
        }
        do {
            sum++;
            x >>= 2;
        } while (x > 9);
        if (sum > 100000)
            goto enough;
    }
enough:
    return sum;
}

static int choose(unsigned x)
{
    switch (x) {
    case 0:
        return 11;
    case 5:
        return 13;
    case 9:
        return 17;
    case 33:
        return 19;
    case 62:
        return 23;
    default:
        break;
    }
    return 29;
}

static unsigned depth(unsigned n)
{
    if (n == 0)
        return 0;
    if (n & 1)
        return depth(n - 1) + 1;
    return depth(n / 2) + 1;
}

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n != 1) {
        if (n & 1)
            n = 3 * n + 1;
        else
            n /= 2;
        steps++;
    }
    return steps;
}

static int text(const char *s)
{
    int words = 0, inside = 0;
    for (; *s; s++) {
        if (*s == ' '
            || *s == '.') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    return words;
}

int main(void)
{
    long sum = loops(300);
    for (unsigned i = 0; i < 400; i++) {
        unsigned a = chance(), b = chance(), c = chance();
        sum += logic(a, b, c);
        sum += choose(c & 63);
        sum += depth(i);
    }
    for (unsigned i = 1; i < 60; i++)
        sum += collatz(i);
    sum += text("a volatile table. of some words  and dots...");
    printf("%ld\n", sum);
    return 0;
}
/* SPDX-License-Identifier: MIT */
