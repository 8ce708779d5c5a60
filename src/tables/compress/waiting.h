/* SPDX-License-Identifier: MIT */
/* A queue in front of somebody who takes one thing after the other and needs the same time for
 * each: tuples that wait for the compressor, messages that wait for software.
 *
 *                  late: it has to wait
 *     arrival ---> [ | | | ] ---> one at a time, `service` each
 *          \       room
 *           `-> lost: all places are taken
 *
 * Since all take the same time, when the last one is done says all that there is to know: those
 * that wait are as many whole services as lie between now and then, but the one under way. Times
 * never go back; the unit is whoever's who tells them, cycles or events.
 *
 * The document of the stream compressors has both queues and says neither how long they are nor
 * what happens when they are full: here, what comes then is lost, and counted. */
#ifndef SL_WAITING_H
#define SL_WAITING_H

#include "sluice.h"

struct sl_waiting {
    uint64_t done;              /* when the last that was let in will be */
    struct sl_table_queue seen; /* room 0: there is no queue, and nothing waits */
};

/* Something of that weight comes: whether there is room for it, and when its turn is. */
static inline bool sl_waiting_arrive(struct sl_waiting *w, uint64_t now, uint64_t weight,
                                     uint64_t *turn)
{
    struct sl_table_queue *q = &w->seen;
    *turn = now;
    if (!q->room)
        return true;
    q->came++;
    if (w->done > now) {
        uint64_t wait = w->done - now, before = (wait - 1) / q->service;
        if (before >= q->room) {
            q->lost++;
            q->lost_weight += weight;
            return false;
        }
        q->late++;
        q->wait += wait;
        q->wait_most = wait > q->wait_most ? wait : q->wait_most;
        q->most = before + 1 > q->most ? before + 1 : q->most;
        *turn = w->done;
    }
    w->done = *turn + q->service;
    return true;
}

#endif
