/* SPDX-License-Identifier: MIT */
/* Clocks for the benchmarks: CPU time of the calling thread, and wall-clock time. */
#ifndef SL_BENCH_TIMING_H
#define SL_BENCH_TIMING_H

#include <time.h>

static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
