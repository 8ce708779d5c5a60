/* What an instruction certainly loads, so that the stream need not say it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SL_TAP_LOADS_H
#define SL_TAP_LOADS_H

#include <stddef.h>
#include <stdint.h>

/* 0: it certainly loads nothing. 1, 2, 4, 8: it certainly makes exactly one load
 * of that many bytes; with LOADS_THEN_STORES, and stores after it; without, it
 * stores nothing. LOADS_UNKNOWN: anything else, and whenever in doubt. */
#define LOADS_UNKNOWN (-1)
#define LOADS_THEN_STORES 16

typedef int (*loads_of)(const uint8_t *bytes, size_t size);

/* NULL for a guest that we do not know. */
loads_of loads_find(const char *target_name);

#endif
