/* SPDX-License-Identifier: MIT */
/* Mailbox of a stream compressor: delivers messages to software, either a buffer at a
 * time with an interrupt when the buffer is full, or one by one through a queue.
 *
 * Messages wait in a buffer of 100; an interrupt delivers a full buffer. The paper (Sastry, Bodik,
 * Smith, 2001, section 5.3.2) assumes 30 cycles per message, which include the 214 cycles of an
 * interrupt shared by 100 messages. Alternatively a concurrent thread reads messages from a queue;
 * then the time between messages matters, for which there is a histogram by powers of two. */
#ifndef SL_MAILBOX_H
#define SL_MAILBOX_H

#include "sluice.h"

/* ---- a queue ---- */

/* A queue with one server and a constant service time: tuples that wait for the compressor,
 * messages that wait for software.
 *
 *                  late: has to wait
 *     arrival ---> [ | | | ] ---> one at a time, `service` each
 *          \     capacity
 *           `-> lost: the queue is full
 *
 * With a constant service time, the completion time of the last element determines the state: the
 * number waiting is that of whole service times until then, less the one in service. Times never
 * decrease; their unit is that of the caller, cycles or events.
 *
 * The paper has both queues but gives neither their length nor what happens if they are full. Here
 * arrivals are then lost, and counted. */
struct sl_service_queue {
    uint64_t done;              /* completion time of the last element that was accepted */
    struct sl_table_queue seen; /* statistics; capacity 0: no queue, no waiting */
};

/* An arrival of this weight. Returns false if it is lost; else *turn is the start of its service.
 */
static inline bool sl_service_queue_arrive(struct sl_service_queue *w, uint64_t now,
                                           uint64_t weight, uint64_t *turn)
{
    struct sl_table_queue *q = &w->seen;
    *turn = now;
    if (!q->capacity)
        return true;
    q->arrived++;
    if (w->done > now) {
        uint64_t wait = w->done - now, before = (wait - 1) / q->service;
        if (before >= q->capacity) {
            q->lost++;
            q->lost_weight += weight;
            return false;
        }
        q->late++;
        q->wait += wait;
        q->wait_max = wait > q->wait_max ? wait : q->wait_max;
        q->max_length = before + 1 > q->max_length ? before + 1 : q->max_length;
        *turn = w->done;
    }
    w->done = *turn + q->service;
    return true;
}

/* ---- delivery of messages ---- */

#define SL_MAILBOX_CAPACITY 100u

struct sl_mailbox {
    struct sl_message buffer[SL_MAILBOX_CAPACITY];
    size_t n;
    uint64_t messages, interrupts, weight;
    uint64_t last;         /* time of the last message */
    uint64_t gap_min;      /* smallest gap */
    uint64_t gap[SL_GAPS]; /* histogram, as in sl_table_status */
    struct sl_service_queue
        queue; /* for the thread; if it has a capacity, there are no interrupts */
    void (*deliver)(void *context, const struct sl_message *message, size_t n);
    void *context;
};

/* Sends a message. One that is lost in the queue counts as sent. */
void sl_mailbox_send(struct sl_mailbox *box, const struct sl_message *message, uint64_t now);

/* Delivers the waiting messages without an interrupt, at the end of a run. */
void sl_mailbox_flush(struct sl_mailbox *box);

/* Fills the fields of a status that concern messages. */
void sl_mailbox_status(const struct sl_mailbox *box, struct sl_table_status *status);

#endif
