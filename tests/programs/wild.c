/* Test program that overwrites a field of the ring through which it is profiled, as a write through
 * a wild pointer would: `wild FIELD`. Before and after that, it computes for about a quarter of a
 * second. The program finds the ring in the memory mappings of its own process, which is QEMU, and
 * writes through /proc/thread-self/mem, so that the ring need not be mapped in the guest.
 *
 *   published   far more slots than exist           consumed  fewer slots than sluice has read
 *   wait        more slots than exist               read      fewer records than sluice has read
 *   terms       no slot may be in flight            gone      the reader has gone
 *   nothing     overwrites nothing                  cut       truncates the ring: status 4 if that succeeds */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ring.h"

static volatile unsigned table[64];

__attribute__((noinline)) static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        table[i % 64] += table[i * 7 % 64];
}

static int memory;
static unsigned long long ring, ring_end;

/* Not /proc/self/maps: QEMU emulates that file and hides its own mappings. */
static unsigned long long ring_at(void)
{
    char line[512];
    snprintf(line, sizeof line, "/proc/self/task/%d/maps", getpid());
    FILE *maps = fopen(line, "r");
    unsigned long long start, offset;
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "sluice-ring") && sscanf(line, "%llx-%llx %*s %llx", &start, &ring_end, &offset) == 3 &&
            !offset) /* and not a second mapping of a single page */
            return start;
    return 0;
}

static void put32(size_t at, uint32_t value)
{
    if (pwrite(memory, &value, sizeof value, (off_t)(ring + at)) != sizeof value)
        exit(3);
}

static uint32_t get32(size_t at)
{
    uint32_t value = 0;
    return pread(memory, &value, sizeof value, (off_t)(ring + at)) == sizeof value ? value : 0;
}

/* A process of root can open the files that it has mapped. */
static int cut(void)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/map_files/%llx-%llx", getpid(), ring, ring_end);
    int fd = open(name, O_RDWR);
    return fd >= 0 && !ftruncate(fd, 4096) ? 4 : 0;
}

#define AT(field) offsetof(struct sl_ring, field)

int main(int argc, char **argv)
{
    const char *field = argc > 1 ? argv[1] : "nothing";
    int status = 0;
    work(8000000); /* more slots than may be in flight: sluice has read some */
    memory = open("/proc/thread-self/mem", O_RDWR);
    ring = ring_at();
    if (memory < 0 || !ring)
        return 3;
    if (!strcmp(field, "published"))
        put32(AT(published), get32(AT(published)) + 100000);
    else if (!strcmp(field, "wait"))
        put32(AT(published), get32(AT(published)) + 20);
    else if (!strcmp(field, "consumed"))
        put32(AT(consumed), get32(AT(consumed)) - 20);
    else if (!strcmp(field, "read"))
        put32(AT(records_read), get32(AT(records_read)) - 100);
    else if (!strcmp(field, "terms"))
        put32(AT(in_flight_max), 0);
    else if (!strcmp(field, "gone"))
        put32(AT(reader_gone), 1);
    else if (!strcmp(field, "cut"))
        status = cut();
    work(20000000);
    return status;
}
/* SPDX-License-Identifier: MIT */
