/* SPDX-License-Identifier: MIT */
/* When the events of a feed happened, in cycles of the machine: for tables that model queues, or
 * hardware which runs with the clock.
 *
 * A machine tells what each block took. The events of one block are spread evenly over its cycles,
 * the last of them at its end; what a detector held back happens when it is told. Times never go
 * back, and none is 0. */
#ifndef SL_FEED_CLOCK_H
#define SL_FEED_CLOCK_H

#include "detector.h"

struct sl_feed_clock {
    size_t cycles;  /* 1 + the place of what blocks took among the session's weights; 0: no clock */
    uint64_t now;   /* when the chunk ends; before: when it begins */
    uint64_t last;  /* the time that was told last */
    uint64_t *end;  /* by blocks of the chunk before it: when the last of them ended */
    uint64_t *time; /* of the events */
    uint32_t *place; /* of a detector's that is alone (sl_events.place) */
};

/* Room for so many events. False without memory. */
bool sl_feed_clock_open(struct sl_feed_clock *clock, size_t events);
void sl_feed_clock_close(struct sl_feed_clock *clock);

/* Another chunk, and what its blocks took. */
void sl_feed_clock_chunk(struct sl_feed_clock *clock, uint32_t n_blocks, const uint64_t *cycles);

/* The times of n events; `place` is theirs, NULL for what was held back. */
const uint64_t *sl_feed_clock_times(struct sl_feed_clock *clock, const uint32_t *place, size_t n);

#endif
