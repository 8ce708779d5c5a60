/* SPDX-License-Identifier: MIT */
#include "event_log.h"

#include <stdlib.h>

#include "grow.h"

bool sl_event_log_begin(struct sl_event_log *log, uint32_t n_blocks)
{
    size_t room = ((size_t)n_blocks + 1) * SL_EVENT_LOG_BLOCK;
    log->n = 0;
    return SL_GROW(log->number, log->room_numbers, room) &&
           SL_GROW(log->weight, log->room_weights, room) &&
           SL_GROW(log->first, log->room_firsts, (size_t)n_blocks + 1);
}

void sl_event_log_late(struct sl_event_log *log, enum sl_happening what)
{
    for (uint32_t i = 0; i < SL_FABRIC_COUNTERS; i++)
        if (sl_fabric[i] == what) {
            log->number[log->n] = i;
            log->weight[log->n++] = 1;
            log->logged[i]++;
        }
}

void sl_event_log_free(struct sl_event_log *log)
{
    free(log->number);
    free(log->weight);
    free(log->first);
}
