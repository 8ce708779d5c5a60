/* SPDX-License-Identifier: MIT */
/* Large memory, zeroed, straight from the system: in huge pages where it has them. */
#ifndef SL_PAGES_H
#define SL_PAGES_H

#include <stddef.h>

/* NULL when memory ran out. */
void *sl_pages_new(size_t bytes);

/* More of it, maybe elsewhere. NULL when memory ran out: then it is as it was. */
void *sl_pages_grow(void *pages, size_t bytes, size_t more_bytes);

/* All of it, or a part that begins and ends where pages do. */
void sl_pages_free(void *pages, size_t bytes);

#endif
