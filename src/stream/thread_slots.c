/* SPDX-License-Identifier: MIT */
/* Array slots for the threads of a stream. Thread ids come from the traced program or from a file
 * and may have any value, so that they cannot be array indices. Consumers of the stream use the
 * index of the thread's slot instead.
 *
 * A thread has its slot, whose index is its id if that slot is free, until it ends. Not all streams
 * report the end of threads. If all slots are used, the thread that has had no events for the
 * longest time loses its slot. If that thread appears again, it is treated as a new thread.
 *
 * In most streams, a thread's slot is its id. Otherwise a linear search finds the slot. */
#include "source.h"

static bool is_at(const struct sl_thread_slots *slots, uint32_t slot, uint32_t id)
{
    return slots->seen[slot] && slots->id[slot] == id;
}

/* The thread's slot; SL_THREAD_SLOTS: none. */
static uint32_t find(const struct sl_thread_slots *slots, uint32_t id)
{
    uint32_t slot = 0;
    if (id < SL_THREAD_SLOTS && is_at(slots, id, id))
        return id;
    while (slots->moved && slot < SL_THREAD_SLOTS && !is_at(slots, slot, id))
        slot++;
    return slots->moved ? slot : SL_THREAD_SLOTS;
}

/* The slot with the index `id` if that is free; else a free slot, the highest first; else the least
 * recently used one. */
static uint32_t choose(const struct sl_thread_slots *slots, uint32_t id)
{
    uint32_t best = SL_THREAD_SLOTS - 1;
    if (id < SL_THREAD_SLOTS && !slots->seen[id])
        return id;
    for (uint32_t slot = best; slot-- > 0;)
        if (slots->seen[slot] < slots->seen[best])
            best = slot;
    return best;
}

void sl_thread_slots_assign(struct sl_thread_slots *slots, struct sl_chunk *chunk)
{
    uint32_t id = chunk->thread, slot = find(slots, id);
    if (slot == SL_THREAD_SLOTS) {
        slot = choose(slots, id);
        slots->moved -= slots->seen[slot] && slots->id[slot] != slot;
        slots->moved += id != slot;
        slots->id[slot] = id;
        chunk->flags |= SL_CHUNK_START;
    }
    slots->seen[slot] = ++slots->now;
    chunk->thread = slot;
}

void sl_thread_slots_release(struct sl_thread_slots *slots, const struct sl_chunk *chunk)
{
    slots->moved -= slots->id[chunk->thread] != chunk->thread;
    slots->seen[chunk->thread] = 0;
}
