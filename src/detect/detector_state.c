/* SPDX-License-Identifier: MIT */
/* Functions for the state that most detectors have: a dictionary that assigns ids to tuples, and a
 * separate state for each thread. detector_state.h describes the functions. */
#include "detector_state.h"

#include <stdlib.h>

#include "grow.h"

uint32_t sl_dictionary_add(struct sl_dictionary *d, uint64_t pc, uint64_t value)
{
    size_t before = d->map.n_keys;
    if (!SL_GROW(d->pc, d->pc_capacity, before + 1) ||
        !SL_GROW(d->value, d->value_capacity, before + 1))
        return SL_NO_INDEX;
    uint32_t tuple_id = sl_index_add(&d->map, pc, value);
    if (d->map.n_keys > before) {
        d->pc[tuple_id] = pc;
        d->value[tuple_id] = value;
    }
    return tuple_id;
}

void sl_dictionary_names(const struct sl_dictionary *d, struct sl_tuple_names *names)
{
    *names = (struct sl_tuple_names){d->pc, d->value, d->map.n_keys};
}

void sl_dictionary_free(struct sl_dictionary *d)
{
    sl_index_free(&d->map);
    free(d->pc);
    free(d->value);
}

void *sl_threads_state(struct sl_threads *threads, uint32_t thread, size_t size, int *fresh)
{
    if (!SL_GROW(threads->state, threads->capacity, (size_t)thread + 1))
        return NULL;
    *fresh = !threads->state[thread];
    if (*fresh)
        threads->state[thread] = calloc(1, size);
    return threads->state[thread];
}

void sl_threads_end(struct sl_threads *threads, uint32_t thread, void (*free_inside)(void *state))
{
    if (thread >= threads->capacity || !threads->state[thread])
        return;
    if (free_inside)
        free_inside(threads->state[thread]);
    free(threads->state[thread]);
    threads->state[thread] = NULL;
}

void sl_threads_free(struct sl_threads *threads, void (*free_inside)(void *state))
{
    for (size_t i = 0; i < threads->capacity; i++)
        sl_threads_end(threads, (uint32_t)i, free_inside);
    free(threads->state);
}

int sl_detector_state_init(void *state, const void *config, const struct sl_detector_env *env,
                           struct sl_failure *f)
{
    (void)config, (void)f;
    ((struct sl_detector_state *)state)->env = env;
    return 0;
}

void sl_detector_state_end_thread(void *state, uint32_t thread, struct sl_events *out)
{
    (void)out;
    sl_threads_end(&((struct sl_detector_state *)state)->threads, thread, NULL);
}

void sl_detector_state_names(void *state, struct sl_tuple_names *names)
{
    sl_dictionary_names(&((struct sl_detector_state *)state)->tuples, names);
}

void sl_detector_state_close(void *state)
{
    struct sl_detector_state *s = state;
    sl_dictionary_free(&s->tuples);
    sl_threads_free(&s->threads, NULL);
}
