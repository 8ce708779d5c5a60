/* SPDX-License-Identifier: MIT */
#include "free_memory.h"

#include <stdio.h>
#include <unistd.h>

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
