/* SPDX-License-Identifier: MIT */
/* CPU time, wall-clock time, available memory and random keys, from the operating system
 * (resources.h). */
#include "resources.h"

#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "hash.h"

static double seconds_by(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double sl_thread_seconds(void)
{
    return seconds_by(CLOCK_THREAD_CPUTIME_ID);
}

double sl_clock_seconds(void)
{
    return seconds_by(CLOCK_MONOTONIC);
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

uint64_t sl_free_memory(void)
{
    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    char line[256];
    uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_C(1) << 30;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned long long kilobytes;
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            bytes = (uint64_t)kilobytes * 1024;
    }
    if (file)
        fclose(file);
    return bytes;
}

uint64_t sl_random_key(void)
{
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number)
        return number;
    struct timespec now; /* early after boot; easier to guess */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return sl_mix_pair((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32,
                       (uint64_t)(uintptr_t)&now);
}
