/* SPDX-License-Identifier: MIT */
/* State that most detectors have: a dictionary that assigns ids to tuples, and a separate state for
 * each thread. */
#ifndef SL_DETECTOR_STATE_H
#define SL_DETECTOR_STATE_H

#include "detector.h"
#include "index_map.h"
#include "sluice.h"

/* Dense ids of tuples whose two fields are static. A zeroed dictionary is empty. */
struct sl_dictionary {
    struct sl_index_map map;
    uint64_t *pc, *value; /* by id */
    size_t pc_capacity, value_capacity;
};

/* Returns the id of (pc, value), a new one if it has none yet; SL_NO_INDEX if out of memory. */
uint32_t sl_dictionary_add(struct sl_dictionary *dictionary, uint64_t pc, uint64_t value);

/* Sets *names to the tuples by id. They are valid until the next sl_dictionary_add(). */
void sl_dictionary_names(const struct sl_dictionary *dictionary, struct sl_tuple_names *names);
void sl_dictionary_free(struct sl_dictionary *dictionary);

/* State per thread, allocated at first use. Zeroed: no thread has one. */
struct sl_threads {
    void **state; /* by thread; NULL: none */
    size_t capacity;
};

/* Returns the state of `thread`. On first use it is `size` zeroed bytes and *fresh is 1. Returns
 * NULL if out of memory. */
void *sl_threads_state(struct sl_threads *threads, uint32_t thread, size_t size, int *fresh);

/* Frees the state of a thread, if it has one, after free_inside(state), if that is not NULL. */
void sl_threads_end(struct sl_threads *threads, uint32_t thread, void (*free_inside)(void *state));

/* The same for all threads. */
void sl_threads_free(struct sl_threads *threads, void (*free_inside)(void *state));

/* The beginning of a detector's state, and members of sl_detector_kind for such states. */
struct sl_detector_state {
    const struct sl_detector_env *env;
    struct sl_dictionary tuples;
    struct sl_threads threads; /* states that own no memory */
};

int sl_detector_state_init(void *state, const void *config, const struct sl_detector_env *env,
                           struct sl_failure *f);
void sl_detector_state_end_thread(void *state, uint32_t thread, struct sl_events *out);
void sl_detector_state_names(void *state, struct sl_tuple_names *names);
void sl_detector_state_close(void *state);

#endif
