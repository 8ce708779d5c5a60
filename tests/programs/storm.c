/* Test program that starts many threads: `storm WAY N`. With the WAY "sequence", it runs N short
 * threads, one after another. With "crowd", it runs N threads at once, which load from a table as
 * soon as all threads have started. With "exit", it starts N threads in endless loops, and then one
 * thread ends the process with status 9. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned table[1024];
static atomic_uint ready, done;
static pthread_barrier_t all_here;

__attribute__((noinline, noclone)) static unsigned work(const unsigned *from, unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum += from[(i * 7 + sum) % 1024];
    return sum;
}

static void *brief(void *unused)
{
    (void)unused;
    atomic_fetch_add(&done, work(table, 100) > 1);
    return NULL;
}

static void *one_of_many(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&all_here);
    atomic_fetch_add(&done, work(table, 2000) > 1);
    return NULL;
}

static void *endless(void *who)
{
    atomic_fetch_add(&ready, 1);
    for (unsigned i = 0;; i++) {
        atomic_fetch_add(&done, work(table, 500) > 1);
        if (who && i >= 50 && atomic_load(&ready) == (unsigned)(size_t)who)
            _exit(9);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    unsigned n = (unsigned)atoi(argv[2]);
    pthread_t *thread = calloc(n, sizeof *thread);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 * 1024);
    for (unsigned i = 0; i < 1024; i++)
        table[i] = i * 2654435761u;
    if (!strcmp(argv[1], "sequence")) {
        for (unsigned i = 0; i < n; i++) {
            if (pthread_create(&thread[0], &small, brief, NULL) != 0)
                return 2;
            pthread_join(thread[0], NULL);
        }
    } else if (!strcmp(argv[1], "crowd")) {
        pthread_barrier_init(&all_here, NULL, n);
        for (unsigned i = 0; i < n; i++)
            if (pthread_create(&thread[i], &small, one_of_many, NULL) != 0)
                return 2;
        for (unsigned i = 0; i < n; i++)
            pthread_join(thread[i], NULL);
    } else {
        for (unsigned i = 0; i < n; i++)
            if (pthread_create(&thread[i], &small, endless, i + 1 == n ? (void *)(size_t)n : NULL) != 0)
                return 2;
        for (;;)
            pause();
    }
    printf("%u\n", atomic_load(&done));
    free(thread);
    return 0;
}
/* SPDX-License-Identifier: MIT */
