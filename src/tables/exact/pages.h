/* SPDX-License-Identifier: MIT */
/* Allocator of large zeroed memory blocks from mmap(). The blocks are in huge pages if the system
 * has huge pages. */
#ifndef SL_PAGES_H
#define SL_PAGES_H

#include <stddef.h>

/* Returns a zeroed block that begins on a huge page boundary, or NULL if out of memory. */
void *sl_pages_new(size_t bytes);

/* Grows a block, which may move; the added bytes are zero. Returns NULL if out of memory, and the
 * block is unchanged then. */
void *sl_pages_grow(void *pages, size_t bytes, size_t more_bytes);

/* Frees a block, or a part of it that begins and ends on page boundaries. 0 bytes: does nothing. */
void sl_pages_free(void *pages, size_t bytes);

#endif
