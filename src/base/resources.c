/* SPDX-License-Identifier: MIT */
/* CPU time of a thread, CPUs, available memory and random keys, from the operating system
 * (resources.h). */
#include "resources.h"

#include <sched.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "hash.h"

double sl_thread_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

unsigned sl_cpus(unsigned threads)
{
    cpu_set_t set;
    return threads                                  ? threads
           : sched_getaffinity(0, sizeof set, &set) ? 1
                                                    : (unsigned)CPU_COUNT(&set);
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
