/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeatable random numbers for the guest (--repeatable). When the guest's getrandom(), or its read
 * from /dev/urandom or /dev/random, returns, the tap (sluice's code inside QEMU) overwrites the
 * random bytes with a sequence that is the same in each run. */
#ifndef SL_TAP_GUEST_RANDOM_H
#define SL_TAP_GUEST_RANDOM_H

#include <stdint.h>

#include "guest.h"

/* Call the first before each system call of the thread, with its first two arguments, and the
 * second after it. `guest_base` + guest address = host address. */
void guest_random_call(uint64_t a1, uint64_t a2);
void guest_random_return(const struct guest *guest, int64_t number, int64_t result,
                         uint64_t guest_base);

#endif
