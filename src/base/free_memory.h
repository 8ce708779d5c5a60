/* SPDX-License-Identifier: MIT */
/* How much memory there is to be had. */
#ifndef SL_FREE_MEMORY_H
#define SL_FREE_MEMORY_H

#include <stdint.h>

/* Bytes that the system could give now without pushing anything out; a guess where it does not say.
 */
uint64_t sl_free_memory(void);

#endif
