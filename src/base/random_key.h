/* SPDX-License-Identifier: MIT */
/* Random keys for hash tables, so that an attacker cannot choose input whose keys collide. Results
 * do not depend on the key. */
#ifndef SL_RANDOM_KEY_H
#define SL_RANDOM_KEY_H

#include <stdint.h>

uint64_t sl_random_key(void);

#endif
