/* SPDX-License-Identifier: MIT */
/* What happened in a chunk, for all event counters at once, as a list: which of them counts
 * how much, block by block, for those who count something. A row for each happening is
 * better for few of them, this for many. */
#ifndef SL_EVENT_LOG_H
#define SL_EVENT_LOG_H

#include <stdbool.h>

#include "event_set.h"

/* Entries of one block: each counter, and once more the one that its branch counts in when
 * it is found to have been predicted wrong. */
#define SL_EVENT_LOG_BLOCK (SL_FABRIC_COUNTERS + 1)

struct sl_event_log {
    uint32_t *number; /* in sl_fabric */
    uint64_t *weight;
    uint32_t *first; /* by block, where its part begins; behind the last, where all ends */
    size_t room_numbers, room_weights, room_firsts;
    uint32_t n;
    uint64_t logged[SL_FABRIC_COUNTERS]; /* all so far */
};

/* Makes room for a chunk; false when memory ran out. */
bool sl_event_log_begin(struct sl_event_log *log, uint32_t n_blocks);

/* Something happened in the block that was added last. */
void sl_event_log_late(struct sl_event_log *log, enum sl_happening what);

void sl_event_log_free(struct sl_event_log *log);

/* What has happened since the block before is this block's. */
static inline void sl_event_log_add(struct sl_event_log *log, const uint64_t *happened, uint32_t at)
{
    uint32_t changed = 0, n = log->n;
    /* Most have not. */
#pragma GCC unroll 32
    for (uint32_t i = 0; i < SL_FABRIC_COUNTERS; i++)
        changed |= (uint32_t)(happened[sl_fabric[i]] != log->logged[i]) << i;
    log->first[at] = n;
    for (; changed; changed &= changed - 1, n++) {
        uint32_t i = (uint32_t)__builtin_ctz(changed);
        uint64_t now = happened[sl_fabric[i]];
        log->number[n] = i;
        log->weight[n] = now - log->logged[i];
        log->logged[i] = now;
    }
    log->n = n;
}

#endif
