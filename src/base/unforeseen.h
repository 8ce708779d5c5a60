/* SPDX-License-Identifier: MIT */
/* A random key for hash tables, so that hostile input cannot be chosen to collide. Results must not
 * depend on it. */
#ifndef SL_UNFORESEEN_H
#define SL_UNFORESEEN_H

#include <stdint.h>

uint64_t sl_unforeseen(void);

#endif
