/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements --repeatable for random numbers: when the kernel returns random bytes to the guest,
 * the tap overwrites these bytes with a fixed sequence (guest_random.h). */
#include "guest_random.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "hash.h"

static __thread uint64_t first, second; /* arguments of the thread's current system call */

void guest_random_call(uint64_t a1, uint64_t a2)
{
    first = a1;
    second = a2;
}

/* True if the descriptor is the device /dev/random or /dev/urandom, opened by any path. */
static bool is_random(int descriptor)
{
    struct stat info;
    return !fstat(descriptor, &info) && S_ISCHR(info.st_mode) && major(info.st_rdev) == 1 &&
           (minor(info.st_rdev) == 8 || minor(info.st_rdev) == 9);
}

static void fill(uint8_t *bytes, uint64_t n)
{
    static _Atomic uint64_t drawn;
    for (uint64_t at = 0; at < n; at += 8) {
        uint64_t number = sl_mix(atomic_fetch_add(&drawn, 1) + 1);
        memcpy(bytes + at, &number, n - at < 8 ? n - at : 8);
    }
}

void guest_random_return(const struct guest *guest, int64_t number, int64_t result,
                         uint64_t guest_base)
{
    uint64_t mask = guest->narrow ? UINT32_MAX : UINT64_MAX;
    if (result <= 0)
        return;
    if (number == guest->random_call)
        fill((uint8_t *)(uintptr_t)((first & mask) + guest_base), (uint64_t)result);
    else if (number == guest->read_call && is_random((int)first))
        fill((uint8_t *)(uintptr_t)((second & mask) + guest_base), (uint64_t)result);
}
