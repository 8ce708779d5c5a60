/* Test program with every kind of control flow, for comparing its profile with callgrind's: nested
 * loops, recursion, mutual recursion, function pointers, tail calls (with -O2), a dense and a
 * sparse switch, small structs by value, short-circuit operators, early returns. It has no repeated
 * string instructions. The program uses a C library only if HOSTED is defined. */
#ifdef HOSTED
#include <stdio.h>
#define PRINT(name, n) printf("%s %lu\n", name, (unsigned long)(n))
#define MAIN main
#else
#include "bare.h"
#define PRINT(name, n) bare_print(name, (unsigned long)(n))
#define MAIN bare_main
#endif
#define FUNCTION __attribute__((noinline, noclone))

FUNCTION unsigned triangle(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j++)
            sum += i ^ j;
    return sum;
}

FUNCTION unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

FUNCTION unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

FUNCTION int is_odd(unsigned n);
FUNCTION int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
FUNCTION int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static FUNCTION unsigned twice(unsigned x) { return 2 * x + 1; }
static FUNCTION unsigned mix(unsigned x) { return (x ^ x >> 7) * 2654435761u; }
static FUNCTION unsigned half(unsigned x) { return x / 2; }
static unsigned (*volatile step[])(unsigned) = {twice, mix, half};

FUNCTION unsigned through_pointers(unsigned n)
{
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++)
        x = step[i % 3](x);
    return x;
}

FUNCTION unsigned end_of_chain(unsigned x) { return x + 7; }
FUNCTION unsigned middle_of_chain(unsigned x) { return end_of_chain(x * 3); }
FUNCTION unsigned tail_calls(unsigned x) { return x & 1 ? middle_of_chain(x) : end_of_chain(x); }

FUNCTION unsigned dense_switch(unsigned x)
{
    switch (x % 9) {
    case 0: return 3;
    case 1: return x + 1;
    case 2: return x * 5;
    case 3: return x ^ 0x55;
    case 4: return x / 3;
    case 5: return twice(x);
    case 6: return x - 9;
    default: return x % 11;
    }
}

FUNCTION unsigned sparse_switch(unsigned x)
{
    switch (x & 0xfff) {
    case 3: return 1;
    case 77: return x * 2;
    case 1001: return x + 5;
    case 4000: return 9;
    default: return x >> 1;
    }
}

struct box {
    unsigned a[6];
};

FUNCTION struct box rotate(struct box b)
{
    struct box c = {{b.a[1], b.a[2], b.a[3], b.a[4], b.a[5], b.a[0]}};
    return c;
}

FUNCTION int conditions(unsigned a, unsigned b, unsigned c)
{
    if ((a & 1 && b & 2) || (c & 4 && !(a & 8)))
        return a < b || b < c ? 1 : 2;
    if (a == b || (b == c && c != 5))
        return 3;
    return a > 10 ? (b > 10 ? 4 : 5) : 6;
}

FUNCTION unsigned search(const unsigned short *sorted, unsigned n, unsigned wanted)
{
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (sorted[middle] == wanted)
            return middle;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return n;
}

int MAIN(void)
{
    static unsigned short table[200];
    struct box b = {{1, 2, 3, 4, 5, 6}};
    unsigned x = 12345, sum = 0;
    PRINT("triangle", triangle(60));
    PRINT("fibonacci", fibonacci(14));
    PRINT("ackermann", ackermann(2, 6));
    PRINT("even", is_even(151) + 2 * is_odd(151));
    PRINT("pointers", through_pointers(500));
    for (unsigned i = 0; i < 200; i++) {
        x = mix(x + i);
        sum += tail_calls(x) + dense_switch(x) + sparse_switch(i % 5 ? x : 77) + (unsigned)conditions(x, x >> 3, i);
        b = rotate(b);
        table[i] = (unsigned short)(3 * i);
    }
    PRINT("sum", sum + b.a[0]);
    sum = 0;
    for (unsigned i = 0; i < 600; i += 7)
        sum += search(table, 200, i);
    PRINT("search", sum);
    return 0;
}
/* SPDX-License-Identifier: MIT */
