/* SPDX-License-Identifier: MIT */
/* How messages reach software: a buffer of 100, an interrupt when it is full.
 *
 * The document reckons 30 cycles a message in all, 214 cycles of an interrupt
 * shared by the 100 messages of a buffer included. In the other way of delivery, a
 * queue that a concurrent thread reads (waiting.h), what matters is the time between two
 * messages: the gaps are kept as a histogram by powers of two. */
#ifndef SL_MAILBOX_H
#define SL_MAILBOX_H

#include "waiting.h"

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
