/* SPDX-License-Identifier: MIT */
/* Copies of the configuration structs that programs pass to the library. Each struct begins with
 * its size, so that the library accepts programs that were built with an older header, in which a
 * struct has fewer members at its end. Every public function that gets such a struct copies it with
 * sl_config_read() first and then uses only the copy. */
#ifndef SL_CONFIG_H
#define SL_CONFIG_H

#include "sluice.h"

/* Copies the struct `given`, whose first member is `size_t size`, to `own` of own_size bytes.
 * Members beyond given->size are zero in the copy, and its size is own_size. `name` is that of the
 * struct, for messages. Returns 0, or SL_EUSAGE if given->size is too small for the member itself
 * (usually 0: not set) or larger than own_size (built with a newer header). */
int sl_config_read(void *own, size_t own_size, const void *given, const char *name,
                   struct sl_failure *f);

#endif
