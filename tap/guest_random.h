/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that the guest asks the system for, by getrandom or from /dev/urandom and
 * /dev/random: for runs that repeat they are others, the same in each run. What the system has
 * handed over is written over as soon as its call returns.
 */
#ifndef SL_TAP_GUEST_RANDOM_H
#define SL_TAP_GUEST_RANDOM_H

#include <stdint.h>

#include "guest.h"

/* What this thread asks the system for, and what comes of it. `guest_base` is added to a guest
 * address to get ours. */
void chance_call(uint64_t a1, uint64_t a2);
void chance_call_returns(const struct guest *guest, int64_t number, int64_t result,
                         uint64_t guest_base);

#endif
