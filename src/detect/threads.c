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

void sl_threads_free(struct sl_threads *threads, void (*free_inside)(void *state))
{
    for (size_t i = 0; i < threads->room; i++) {
        if (free_inside && threads->state[i])
            free_inside(threads->state[i]);
        free(threads->state[i]);
    }
    free(threads->state);
}
