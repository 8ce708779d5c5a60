/* SPDX-License-Identifier: MIT */
/* Per-thread state of a detector, by thread number, made when first asked for. */
#ifndef SL_THREADS_H
#define SL_THREADS_H

#include <stddef.h>
#include <stdint.h>

struct sl_threads {
    void **state;
    size_t room;
};

/* The state of `thread`, `size` zeroed bytes the first time (*fresh is then
 * set); NULL when memory ran out. */
void *sl_threads_state(struct sl_threads *threads, uint32_t thread, size_t size, int *fresh);

/* Nothing is kept of this thread any more. `free_inside` may be NULL. */
void sl_threads_end(struct sl_threads *threads, uint32_t thread, void (*free_inside)(void *state));

void sl_threads_free(struct sl_threads *threads, void (*free_inside)(void *state));

#endif
