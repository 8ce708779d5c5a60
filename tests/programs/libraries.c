/* Test program that calls, on generated data, the C library functions in which programs spend most
 * of their time: memory and string functions at all alignments, sorting, conversions to and from
 * text (with long double arithmetic inside), allocation, and loops over floats and doubles that the
 * compiler can vectorize. The program prints sums. Link it with -lm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 512

static unsigned state = 1;

static unsigned chance(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 8;
}

static unsigned strings(void)
{
    static char a[N], b[N];
    unsigned sum = 0;
    for (unsigned i = 0; i < N - 1; i++)
        a[i] = (char)('a' + chance() % 26);
    for (unsigned at = 0; at < 40; at++) {
        size_t length = chance() % 200;
        memcpy(b + at, a + chance() % 64, length);
        b[at + length] = 0;
        memmove(b + at + 3, b + at, length / 2);
        memset(b + N - 60, 'x', chance() % 50);
        sum += (unsigned)strlen(b + at) + (unsigned)strspn(b + at, "abcdefgh");
        const char *found = memchr(a, b[at], N);
        sum += found ? (unsigned)(found - a) : 7;
        found = strstr(a, b + at + length / 2 + 1);
        sum += found ? (unsigned)(found - a) : 9;
        sum += (unsigned)(memcmp(a + at, b + at, N - 64) > 0) + (unsigned)(strcmp(a, b + at) > 0);
        found = strrchr(a, 'q');
        sum += found ? (unsigned)(found - a) : 3;
    }
    return sum;
}

static int compare(const void *one, const void *other)
{
    const double *a = one, *b = other;
    return *a < *b ? -1 : *a > *b;
}

static unsigned sorting(void)
{
    static double v[N];
    for (unsigned i = 0; i < N; i++)
        v[i] = chance() % 1000 / 8.0;
    qsort(v, N, sizeof *v, compare);
    double key = v[77];
    double *found = bsearch(&key, v, N, sizeof *v, compare);
    return found ? (unsigned)(*found * 8) : 0;
}

static unsigned texts(void)
{
    char text[200];
    unsigned sum = 0;
    for (int i = 0; i < 20; i++) {
        double x = chance() / 1024.0;
        int n = snprintf(text, sizeof text, "%d %lld %x %.12g %Lf %s %a", i, (long long)chance() << 20,
                         chance(), x, (long double)x * 3, "text", x);
        char *end;
        sum += (unsigned)n + (unsigned)strtol(text, &end, 10) + (unsigned)strtoull(end, &end, 10);
        sum += (unsigned)(strtod("3.14159e2", NULL) + (double)strtold("2.71828", NULL));
    }
    return sum;
}

static unsigned allocation(void)
{
    char *block[64] = {0};
    unsigned sum = 0;
    for (unsigned i = 0; i < 500; i++) {
        unsigned k = chance() % 64;
        size_t size = 1 + chance() % 3000;
        block[k] = realloc(block[k], size);
        block[k][size - 1] = (char)i;
        sum += (unsigned char)block[k][size - 1];
        if (chance() % 3 == 0) {
            free(block[k]);
            block[k] = NULL;
        }
    }
    for (unsigned i = 0; i < 64; i++)
        free(block[i]);
    return sum;
}

static float f[N], g[N];
static double d[N];
static unsigned char bytes[N];
static unsigned short halves[N];

__attribute__((noinline)) static unsigned vectors(void)
{
    double sum = 0;
    unsigned total = 0;
    for (unsigned i = 0; i < N; i++) {
        f[i] = (float)(chance() % 100);
        d[i] = chance() % 100 + 0.5;
        bytes[i] = (unsigned char)chance();
    }
    for (unsigned i = 0; i < N; i++)
        g[i] = f[i] * 1.5f + (float)bytes[i];
    for (unsigned i = 0; i < N; i++)
        d[i] = d[i] * g[i] - f[N - 1 - i];
    for (unsigned i = 0; i < N; i++)
        halves[i] = (unsigned short)(bytes[i] * 3 + 1);
    for (unsigned i = 0; i < N; i++)
        total += halves[i] + (bytes[i] > 100 ? bytes[i] : 1);
    for (unsigned i = 0; i < N; i++)
        sum += sqrt(d[i] < 0 ? -d[i] : d[i]);
    for (unsigned i = 0; i < 16; i++)
        sum += sin(d[i]) + exp(-g[i] / 100) + pow(2, f[i] / 50) + log(1 + f[i]) + (double)(int)d[i] +
               (double)cosl(f[i]);
    return total + (unsigned)sum;
}

int main(void)
{
    printf("%u %u", strings(), sorting());
    printf(" %u %u", texts(), allocation());
    printf(" %u\n", vectors());
    return 0;
}
/* SPDX-License-Identifier: MIT */
