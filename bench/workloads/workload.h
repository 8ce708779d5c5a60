/* What the programs here share: rounds from the command line, input that is the same on
 * every machine, a checksum, and the one line that says how it went. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that a profile is to have by itself: not inlined, not cloned. A header may have
 * some that a program does not call. */
#ifdef __clang__
#define PART static __attribute__((noinline, unused))
#else
#define PART static __attribute__((noinline, noclone, unused))
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The number of rounds that the first argument says, `usual` without one. */
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

/* Marsaglia's xorshift; the state is anything but 0. */
static inline uint32_t workload_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* A word more in a checksum, in the manner of FNV-1a. */
static inline uint32_t workload_mix(uint32_t sum, uint32_t word)
{
    return (sum ^ word) * 16777619u;
}

/* Ends the program: something is not as it should be. */
static inline void workload_wrong(const char *name, const char *what, uint32_t where)
{
    fprintf(stderr, "%s: wrong: %s (%u)\n", name, what, (unsigned)where);
    exit(1);
}

/* For the end of main: all was well. */
static inline int workload_done(const char *name, uint32_t checksum)
{
    printf("%s: ok %08x\n", name, (unsigned)checksum);
    return 0;
}

#endif
/* SPDX-License-Identifier: MIT */
