/* SPDX-License-Identifier: MIT */
/* Parser of the command line of a fuzzer, which is NAME.t [SECONDS [SEED]]. SECONDS is the duration
 * of the fuzzer's run, and SEED initializes its random numbers.
 *
 * The default duration is FUZZ_SECONDS of the environment, or a short time. Seeds make parallel
 * runs different. A minimum number of inputs is tried in any case: on a busy computer a fuzzer
 * could otherwise try none and pass. */
#ifndef SL_TESTS_SECONDS_H
#define SL_TESTS_SECONDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct fuzz_time {
    double seconds;
    unsigned least; /* inputs, whatever the time */
    uint64_t seed;
    struct timespec start, now;
};

static inline struct fuzz_time fuzz_start(int argc, char **argv)
{
    const char *given = argc > 1 ? argv[1] : getenv("FUZZ_SECONDS");
    struct fuzz_time t = {.seconds = given ? strtod(given, NULL) : 5,
                          .least = 300,
                          .seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
    clock_gettime(CLOCK_MONOTONIC, &t.start);
    t.now = t.start;
    return t;
}

static inline bool fuzz_goes_on(struct fuzz_time *t)
{
    clock_gettime(CLOCK_MONOTONIC, &t->now);
    if (t->least) {
        t->least--;
        return true;
    }
    return (double)(t->now.tv_sec - t->start.tv_sec) +
               1e-9 * (double)(t->now.tv_nsec - t->start.tv_nsec) <
           t->seconds;
}

#endif
