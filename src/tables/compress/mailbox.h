/* SPDX-License-Identifier: MIT */
/* How messages reach software: a buffer of 100, an interrupt when it is full.
 *
 * The document reckons 30 cycles a message in all, 214 cycles of an interrupt
 * shared by the 100 messages of a buffer included. In the other way of delivery, a
 * queue that a concurrent thread reads (waiting.h), what matters is the time between two
 * messages: the gaps are kept as a histogram by powers of two. */
#ifndef SL_MAILBOX_H
#define SL_MAILBOX_H

#include "sluice.h"

/* ---- a queue ---- */

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

/* ---- delivery of messages ---- */

#define SL_MAILBOX_ROOM 100u

struct sl_mailbox {
    struct sl_message buffer[SL_MAILBOX_ROOM];
    size_t n;
    uint64_t messages, interrupts, weight;
    uint64_t last;           /* when the last message was sent */
    uint64_t gap_min;        /* of all gaps; the first message ends none */
    uint64_t gap[SL_GAPS];   /* as sl_table_status has them */
    struct sl_waiting queue; /* for the thread; with places, there are no interrupts */
    void (*deliver)(void *context, const struct sl_message *message, size_t n);
    void *context;
};

/* A message that is lost in the queue was sent all the same. */
void sl_mailbox_send(struct sl_mailbox *box, const struct sl_message *message, uint64_t now);

/* Delivers what waits, without an interrupt: the end of a run. */
void sl_mailbox_flush(struct sl_mailbox *box);

/* Fills the fields of a status that are about messages. */
void sl_mailbox_status(const struct sl_mailbox *box, struct sl_table_status *status);

#endif
