/* Test program with kinds of code that the test program shapes.c does not have: floating-point and
 * 64-bit arithmetic, computed gotos, callbacks from the C library (qsort, bsearch), variable
 * arguments, arrays on the stack, and bit manipulation. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define FUNCTION __attribute__((noinline, noclone))

FUNCTION double root(double x)
{
    double guess = x / 2;
    for (int i = 0; i < 50 && guess * guess - x > 1e-12; i++)
        guess = (guess + x / guess) / 2;
    return guess;
}

FUNCTION float dot(const float *a, const float *b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

FUNCTION unsigned long long power(unsigned long long base, unsigned exponent, unsigned long long modulus)
{
    unsigned long long result = 1;
    for (; exponent; exponent >>= 1, base = base * base % modulus)
        if (exponent & 1)
            result = result * base % modulus;
    return result;
}

FUNCTION int interpret(const unsigned char *code)
{
    static const void *const label[] = {&&add, &&twice, &&back, &&end};
    int x = 1, rounds = 0;
    const unsigned char *at = code;
    goto *label[*at++];
add:
    x += *at++;
    goto *label[*at++];
twice:
    x *= 2;
    goto *label[*at++];
back:
    if (++rounds < 20)
        at = code;
    goto *label[*at++];
end:
    return x;
}

static FUNCTION int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return a < b ? -1 : a > b;
}

FUNCTION long sum_of(int n, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, n);
    while (n--)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

FUNCTION unsigned sieve(unsigned n)
{
    unsigned char composite[1000] = {0};
    unsigned primes = 0;
    for (unsigned i = 2; i < n; i++) {
        primes += !composite[i];
        for (unsigned j = i * i; j < n; j += i)
            composite[j] = 1;
    }
    return primes;
}

FUNCTION unsigned bits(unsigned x)
{
    unsigned n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

int main(void)
{
    float a[40], b[40];
    int data[100];
    unsigned total = 0;
    static const unsigned char code[] = {1, 0, 5, 1, 0, 3, 2, 3};
    for (int i = 0; i < 40; i++) {
        a[i] = (float)i / 3;
        b[i] = (float)(40 - i);
    }
    for (int i = 0; i < 100; i++)
        data[i] = i * 7919 % 101;
    printf("%.6f %.3f %llu %d\n", root(2e6), (double)dot(a, b, 40), power(3, 1000003, 1000000007),
           interpret(code));
    qsort(data, 100, sizeof *data, by_value);
    for (int i = 0; i < 120; i++)
        total += bsearch(&i, data, 100, sizeof *data, by_value) != NULL;
    printf("%u %ld %u\n", total, sum_of(5, 1, 2, 3, 4, 5) + sum_of(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3),
           sieve(1000));
    for (unsigned i = 0; i < 200; i++)
        total += bits(i * 2654435761u);
    printf("%u\n", total);
    return 0;
}
/* SPDX-License-Identifier: MIT */
