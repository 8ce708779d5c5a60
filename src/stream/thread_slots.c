/* SPDX-License-Identifier: MIT */
/* Assigns the threads of a stream to array slots (thread_slots.h). In most streams, a thread's slot
 * is its id. Otherwise a linear search finds the slot. */
#include "thread_slots.h"

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
