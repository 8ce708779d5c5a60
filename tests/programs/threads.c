/* Test program with threads whose work is known. `threads N ROUNDS MANY` first runs N threads in
 * parallel. Thread k calls work() ROUNDS + k times and loads from a table ROUNDS + k times. Then
 * MANY threads run one after another, and each calls once(). The program prints the expected
 * profile: "calls FUNCTION n", "line LINE false true" and "value VALUE n". Region markers enclose
 * the work of thread 0. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice-mark.h"
#define FUNCTION __attribute__((noinline, noclone))

static const volatile unsigned char table[16] = {1, 1, 2, 3, 5, 8, 13, 21, 1, 1, 1, 2, 2, 34, 55, 89};
static unsigned rounds, threads;
struct totals {
    unsigned long condition[2], value[256], calls;
} __attribute__((aligned(64)));
static struct totals *totals;

enum { CONDITION_LINE = __LINE__ + 5 };
FUNCTION unsigned work(struct totals *mine, unsigned i)
{
    unsigned x = table[i * 7 / 3 % 16];
    mine->calls++;
    if (x & 1) {
        __asm__ volatile("" ::: "memory");
        mine->condition[1]++;
    } else {
        __asm__ volatile("");
        mine->condition[0]++;
    }
    mine->value[x]++;
    return x;
}

FUNCTION void once(void)
{
    __asm__ volatile("");
}

static void *run(void *number)
{
    unsigned k = (unsigned)(size_t)number;
    unsigned long sum = 0;
    if (k == 0)
        SLUICE_BEGIN();
    for (unsigned i = 0; i < rounds + k; i++)
        sum += work(&totals[k], i);
    if (k == 0)
        SLUICE_END();
    return (void *)sum;
}

static void *run_once(void *unused)
{
    once();
    return unused;
}

int main(int argc, char **argv)
{
    unsigned many = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    unsigned long calls = 0, no = 0, yes = 0;
    threads = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
    rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;
    totals = aligned_alloc(64, threads * sizeof *totals);
    pthread_t *thread = calloc(threads, sizeof *thread);
    for (size_t k = 0; k < threads; k++) {
        totals[k] = (struct totals){0};
        if (pthread_create(&thread[k], NULL, run, (void *)k))
            return 1;
    }
    for (unsigned k = 0; k < threads; k++)
        pthread_join(thread[k], NULL);
    for (unsigned i = 0; i < many; i++) {
        pthread_t one;
        if (pthread_create(&one, NULL, run_once, NULL))
            return 1;
        pthread_join(one, NULL);
    }
    for (unsigned k = 0; k < threads; k++) {
        calls += totals[k].calls;
        no += totals[k].condition[0];
        yes += totals[k].condition[1];
    }
    printf("calls work %lu\ncalls once %u\nmarked work %lu\nline %d %lu %lu\n", calls, many, totals[0].calls,
           CONDITION_LINE, no < yes ? no : yes, no < yes ? yes : no);
    for (unsigned v = 0; v < 256; v++) {
        unsigned long n = 0;
        for (unsigned k = 0; k < threads; k++)
            n += totals[k].value[v];
        if (n)
            printf("value %x %lu\n", v, n);
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
