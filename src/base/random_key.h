/* SPDX-License-Identifier: MIT */
/* A random key for hash tables, so that hostile input cannot be chosen to collide. Results must not
 * depend on it. */
#ifndef SL_RANDOM_KEY_H
#define SL_RANDOM_KEY_H

#include <stdint.h>

uint64_t sl_random_key(void);

#endif
