/* SPDX-License-Identifier: MIT */
/* CPU time and wall-clock time, from the operating system (clocks.h). */
#include "clocks.h"

#include <sys/resource.h>
#include <time.h>

double sl_clock_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(int whom)
{
    struct rusage used = {0};
    getrusage(whom, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double sl_children_seconds(void)
{
    return seconds_of(RUSAGE_CHILDREN);
}

double sl_process_seconds(void)
{
    return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}
