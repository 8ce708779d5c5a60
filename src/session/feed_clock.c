/* SPDX-License-Identifier: MIT */
#include "feed_clock.h"

#include <stdlib.h>

bool sl_feed_clock_open(struct sl_feed_clock *clock, size_t events)
{
    clock->end = calloc(SL_CHUNK_BLOCKS + 1, sizeof *clock->end);
    clock->time = malloc(events * sizeof *clock->time);
    clock->place = malloc(events * sizeof *clock->place);
    return clock->end && clock->time && clock->place;
}

void sl_feed_clock_close(struct sl_feed_clock *clock)
{
    free(clock->end);
    free(clock->time);
    free(clock->place);
}

void sl_feed_clock_chunk(struct sl_feed_clock *clock, uint32_t n_blocks, const uint64_t *cycles)
{
    for (uint32_t i = 0; i < n_blocks; i++) {
        clock->end[i] = clock->now;
        clock->now += cycles[i];
    }
    clock->end[n_blocks] = clock->now;
}

static uint64_t tell(struct sl_feed_clock *clock, uint64_t time)
{
    uint64_t first = clock->last ? clock->last : 1;
    return clock->last = time > first ? time : first;
}

const uint64_t *sl_feed_clock_times(struct sl_feed_clock *clock, const uint32_t *place, size_t n)
{
    for (size_t at = 0, next; at < n; at = next) {
        next = at + 1;
        while (next < n && (!place || place[next] == place[at]))
            next++;
        uint64_t end = place ? clock->end[place[at]] : clock->now;
        uint64_t took = place && place[at] ? end - clock->end[place[at] - 1] : 0;
        for (size_t i = at; i < next; i++)
            clock->time[i] = tell(clock, end - took * (next - 1 - i) / (next - at));
    }
    return clock->time;
}
