/* SPDX-License-Identifier: MIT */
/* Maps thread numbers of any value to a small number of slots (thread_slots.h). The slot is the
 * number itself in most streams; otherwise it is found by linear search. */
#include "thread_slots.h"

static bool is_at(const struct sl_thread_slots *p, uint32_t place, uint32_t number)
{
    return p->seen[place] && p->number[place] == number;
}

/* The thread's slot; SL_THREAD_PLACES: none. */
static uint32_t find(const struct sl_thread_slots *p, uint32_t number)
{
    uint32_t place = 0;
    if (number < SL_THREAD_PLACES && is_at(p, number, number))
        return number;
    while (p->elsewhere && place < SL_THREAD_PLACES && !is_at(p, place, number))
        place++;
    return p->elsewhere ? place : SL_THREAD_PLACES;
}

/* Its number if that is free; else a free slot, the highest first; else the least recently used
 * one. */
static uint32_t choose(const struct sl_thread_slots *p, uint32_t number)
{
    uint32_t best = SL_THREAD_PLACES - 1;
    if (number < SL_THREAD_PLACES && !p->seen[number])
        return number;
    for (uint32_t place = best; place-- > 0;)
        if (p->seen[place] < p->seen[best])
            best = place;
    return best;
}

void sl_thread_slots_take(struct sl_thread_slots *p, struct sl_chunk *chunk)
{
    uint32_t number = chunk->thread, place = find(p, number);
    if (place == SL_THREAD_PLACES) {
        place = choose(p, number);
        p->elsewhere -= p->seen[place] && p->number[place] != place;
        p->elsewhere += number != place;
        p->number[place] = number;
        chunk->flags |= SL_CHUNK_START;
    }
    p->seen[place] = ++p->now;
    chunk->thread = place;
}

void sl_thread_slots_leave(struct sl_thread_slots *p, const struct sl_chunk *chunk)
{
    p->elsewhere -= p->number[chunk->thread] != chunk->thread;
    p->seen[chunk->thread] = 0;
}
