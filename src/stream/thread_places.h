/* SPDX-License-Identifier: MIT */
/* Places for the threads of a stream. Their numbers come from a guest or a file and may be
 * anything, so that nothing is kept by number: everybody behind here sees a place instead, of
 * which there are few enough to have an array of them.
 *
 * A thread keeps its place, which is its number where that is free, until it ends. Not all
 * streams say when that is. So when all places are taken, the thread that has been silent for
 * longest gives way, and what is known of it is forgotten: should it come back, it is as behind a
 * gap. */
#ifndef SL_THREAD_PLACES_H
#define SL_THREAD_PLACES_H

#include <stdbool.h>

#include "event.h"

/* Four times as many as a guest's threads have stages at a time. */
#define SL_THREAD_PLACES 4096u

/* All zero before the first chunk. */
struct sl_thread_places {
    uint32_t number[SL_THREAD_PLACES];
    uint64_t seen[SL_THREAD_PLACES]; /* when it came last, in chunks; 0: nobody is there */
    uint64_t now;
    uint32_t elsewhere; /* threads that are not in the place of their number */
};

/* Puts the place into chunk->thread; SL_CHUNK_START is set if nothing is known of the thread. */
void sl_thread_places_take(struct sl_thread_places *places, struct sl_chunk *chunk);

/* The chunk, which has its place, was its thread's last. */
void sl_thread_places_leave(struct sl_thread_places *places, const struct sl_chunk *chunk);

#endif
