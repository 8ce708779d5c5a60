/* SPDX-License-Identifier: MIT */
/* Common code of the workloads: the number of rounds from the command line, random input that is
 * the same on every processor, a checksum, and the line that reports the result. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that keeps an entry of its own in a profile: not inlined, not
 * cloned. A header may define functions that a program does not call. */
#ifdef __clang__
#define PART static __attribute__((noinline, unused))
#else
#define PART static __attribute__((noinline, noclone, unused))
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The number of rounds: the first argument, or `usual` without one. */
static inline uint32_t workload_rounds(int argc, char **argv, uint32_t usual)
{
    char *end;
    if (argc < 2)
        return usual;
    unsigned long rounds = strtoul(argv[1], &end, 10);
    if (argc > 2 || *end || end == argv[1] || !rounds || rounds > 1000000000) {
        fprintf(stderr, "usage: %s [ROUNDS]: from 1 to 1000000000, usually %u\n", argv[0],
                (unsigned)usual);
        exit(2);
    }
    return (uint32_t)rounds;
}

/* Marsaglia's xorshift; the state may be anything but 0. */
static inline uint32_t workload_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* Adds a word to a checksum, in the manner of FNV-1a. */
static inline uint32_t workload_mix(uint32_t sum, uint32_t word)
{
    return (sum ^ word) * 16777619u;
}

/* Reports an error and ends the program. */
static inline void workload_wrong(const char *name, const char *what, uint32_t where)
{
    fprintf(stderr, "%s: wrong: %s (%u)\n", name, what, (unsigned)where);
    exit(1);
}

/* For the end of main: reports success. */
static inline int workload_done(const char *name, uint32_t checksum)
{
    printf("%s: ok %08x\n", name, (unsigned)checksum);
    return 0;
}

#endif
/* SPDX-License-Identifier: MIT */
