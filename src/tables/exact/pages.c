/* SPDX-License-Identifier: MIT */
#include "pages.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE ((size_t)2 << 20)

/* A place that begins where a huge page does, so that parts can be given back as they are. */
static void *reserve(size_t bytes)
{
    char *place = mmap(NULL, bytes + HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1, 0);
    if (place == MAP_FAILED)
        return NULL;
    char *aligned = place + (HUGE - (uintptr_t)place % HUGE) % HUGE;
    size_t page = 4096, end = (bytes + page - 1) / page * page;
    if (aligned > place)
        munmap(place, (size_t)(aligned - place));
    munmap(aligned + end, (size_t)(place + bytes + HUGE - (aligned + end)));
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

/* To a place that begins likewise, so that huge pages stay what they are. */
void *sl_pages_grow(void *pages, size_t bytes, size_t more_bytes)
{
    void *place = reserve(bytes + more_bytes);
    if (!place)
        return NULL;
    /* If it fails, the place may be another's by now: the kernel gives it back first. */
    return mremap(pages, bytes, bytes + more_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) ==
                   MAP_FAILED
               ? NULL
               : place;
}

void sl_pages_free(void *pages, size_t bytes)
{
    if (bytes)
        munmap(pages, bytes);
}
