/* SPDX-License-Identifier: MIT */
/* Random keys for hash tables (random_key.h). They come from getrandom(2). If getrandom fails, a
 * key is computed from the clock and a stack address, which are easier to guess. */
#include "random_key.h"

#include <sys/random.h>
#include <time.h>

#include "hash.h"

uint64_t sl_random_key(void)
{
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number)
        return number;
    struct timespec now; /* early after boot, or without getrandom() */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return sl_mix_pair((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32,
                       (uint64_t)(uintptr_t)&now);
}
