/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <stdlib.h>

#include "grow.h"

void *sl_threads_state(struct sl_threads *threads, uint32_t thread, size_t size, int *fresh)
{
    if (!SL_GROW(threads->state, threads->room, (size_t)thread + 1))
        return NULL;
    *fresh = !threads->state[thread];
    if (*fresh)
        threads->state[thread] = calloc(1, size);
    return threads->state[thread];
}

void sl_threads_end(struct sl_threads *threads, uint32_t thread, void (*free_inside)(void *state))
{
    if (thread >= threads->room || !threads->state[thread])
        return;
    if (free_inside)
        free_inside(threads->state[thread]);
    free(threads->state[thread]);
    threads->state[thread] = NULL;
}

void sl_threads_free(struct sl_threads *threads, void (*free_inside)(void *state))
{
    for (size_t i = 0; i < threads->room; i++)
        sl_threads_end(threads, (uint32_t)i, free_inside);
    free(threads->state);
}
