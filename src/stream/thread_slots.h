/* SPDX-License-Identifier: MIT */
/* Slots for the threads of a stream. Thread numbers come from a guest or a file and may have any
 * value, so that no array can be indexed by them: consumers of the stream see a slot instead.
 *
 * A thread keeps its slot, which is its number if that is free, until it ends. Not all streams
 * report the end of threads. If all slots are taken, the thread without events for the longest time
 * loses its slot. If it appears again, it is a new thread. */
#ifndef SL_THREAD_SLOTS_H
#define SL_THREAD_SLOTS_H

#include <stdbool.h>

#include "event.h"

/* Four times the number of stages in the ring, i.e. of threads that a guest has at a time. */
#define SL_THREAD_PLACES 4096u

/* All zero before the first chunk. */
struct sl_thread_slots {
    uint32_t number[SL_THREAD_PLACES];
    uint64_t seen[SL_THREAD_PLACES]; /* number of its last chunk; 0: the slot is free */
    uint64_t now;
    uint32_t elsewhere; /* threads whose slot is not their number */
};

/* Replaces chunk->thread by its slot; sets SL_CHUNK_START if the thread is new. */
void sl_thread_slots_take(struct sl_thread_slots *places, struct sl_chunk *chunk);

/* Frees the slot of chunk->thread, after the thread's last chunk. */
void sl_thread_slots_leave(struct sl_thread_slots *places, const struct sl_chunk *chunk);

#endif
