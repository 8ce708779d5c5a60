/* Test program with threads in parallel. The function work() does different work in each thread,
 * but the same work in every run. Outside of work(), the threads add its results to a shared sum,
 * which the program prints. Link with -pthread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 6

static atomic_uint shared;
static unsigned table[THREADS][256];

__attribute__((noinline, noclone)) static unsigned work(unsigned *mine, unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned *slot = &mine[(i * 7 + sum) % 256];
        *slot += i ^ mine[sum % 256];
        sum = sum * 31 + *slot;
        __atomic_fetch_add(slot, sum, __ATOMIC_SEQ_CST); /* the last memory access of its block */
    }
    return sum;
}

static void *run(void *argument)
{
    unsigned *mine = argument;
    for (unsigned i = 0; i < 20; i++)
        atomic_fetch_add(&shared, work(mine, 1000 + *mine * 0));
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        for (unsigned k = 0; k < 256; k++)
            table[i][k] = i * 1000 + k;
        pthread_create(&thread[i], NULL, run, table[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    printf("%u\n", atomic_load(&shared));
    return 0;
}
/* SPDX-License-Identifier: MIT */
