/* SPDX-License-Identifier: MIT */
/* Allocator of large memory blocks from mmap(), aligned to huge pages. pages.h describes the
 * functions. */
#include "pages.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE ((size_t)2 << 20)

/* Reserves address space that begins on a huge page boundary, so that freeing parts splits no huge
 * page. */
static void *reserve(size_t bytes)
{
    char *position = mmap(NULL, bytes + HUGE, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (position == MAP_FAILED)
        return NULL;
    char *aligned = position + (HUGE - (uintptr_t)position % HUGE) % HUGE;
    size_t page = 4096, end = (bytes + page - 1) / page * page;
    if (aligned > position)
        munmap(position, (size_t)(aligned - position));
    munmap(aligned + end, (size_t)(position + bytes + HUGE - (aligned + end)));
    return aligned;
}

void *sl_pages_new(size_t bytes)
{
    void *pages = reserve(bytes);
    if (!pages)
        return NULL;
    if (mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) == MAP_FAILED) {
        munmap(pages, bytes);
        return NULL;
    }
    madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

/* The new range is also aligned, so that mremap() moves complete huge pages. */
void *sl_pages_grow(void *pages, size_t bytes, size_t more_bytes)
{
    void *position = reserve(bytes + more_bytes);
    if (!position)
        return NULL;
    /* After a failure the range is not ours: the kernel unmaps it first, and another thread may
     * have mapped it since. Do not unmap it here. */
    return mremap(pages, bytes, bytes + more_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, position) ==
                   MAP_FAILED
               ? NULL
               : position;
}

void sl_pages_free(void *pages, size_t bytes)
{
    if (bytes)
        munmap(pages, bytes);
}
