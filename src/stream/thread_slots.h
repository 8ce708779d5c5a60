/* SPDX-License-Identifier: MIT */
/* Array slots for the threads of a stream. Thread ids come from the traced program or from a file
 * and may have any value, so that they cannot be array indices. Consumers of the stream use the
 * index of the thread's slot instead.
 *
 * A thread has its slot, whose index is its id if that slot is free, until it ends. Not all streams
 * report the end of threads. If all slots are used, the thread that has had no events for the
 * longest time loses its slot. If that thread appears again, it is treated as a new thread. */
#ifndef SL_THREAD_SLOTS_H
#define SL_THREAD_SLOTS_H

#include <stdbool.h>

#include "event.h"

/* Four times the number of stages in the ring, which limits the threads of a guest at the same
 * time. */
#define SL_THREAD_SLOTS 4096u

/* All zero before the first chunk. */
struct sl_thread_slots {
    uint32_t id[SL_THREAD_SLOTS];
    uint64_t seen[SL_THREAD_SLOTS]; /* time of its last chunk, in chunks; 0: the slot is free */
    uint64_t now;
    uint32_t moved; /* threads whose slot is not their id */
};

/* Replaces chunk->thread by its slot; sets SL_CHUNK_START if the thread is new. */
void sl_thread_slots_assign(struct sl_thread_slots *slots, struct sl_chunk *chunk);

/* Frees the slot of chunk->thread, after the thread's last chunk. */
void sl_thread_slots_release(struct sl_thread_slots *slots, const struct sl_chunk *chunk);

#endif
