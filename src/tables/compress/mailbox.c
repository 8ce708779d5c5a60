/* SPDX-License-Identifier: MIT */
/* Delivery of messages to software (mailbox.h). */
#include "mailbox.h"

#include <string.h>

/* A gap's place in the histogram: the bits that it needs. */
static unsigned place_of(uint64_t gap)
{
    return gap ? 64 - (unsigned)__builtin_clzll(gap) : 0;
}

static void deliver(struct sl_mailbox *box)
{
    box->deliver(box->context, box->buffer, box->n);
    box->n = 0;
}

void sl_mailbox_send(struct sl_mailbox *box, const struct sl_message *message, uint64_t now)
{
    if (box->messages) {
        uint64_t gap = now - box->last;
        if (box->messages == 1 || gap < box->gap_min)
            box->gap_min = gap;
        box->gap[place_of(gap)]++;
    }
    box->last = now;
    box->messages++;
    box->weight += message->count;
    if (!sl_service_queue_arrive(&box->queue, now, message->count, &now))
        return;
    box->buffer[box->n++] = *message;
    if (box->queue.seen.capacity) {
        deliver(box);
    } else if (box->n == SL_MAILBOX_ROOM) {
        box->interrupts++;
        deliver(box);
    }
}

void sl_mailbox_flush(struct sl_mailbox *box)
{
    if (box->n)
        deliver(box);
}

/* The lower end of the place in which the middle one of all gaps is. */
static uint64_t gap_median(const struct sl_mailbox *box)
{
    uint64_t below = 0, all = box->messages - 1;
    unsigned place = 0;
    while (place < 64 && (below += box->gap[place]) <= all / 2)
        place++;
    return place ? UINT64_C(1) << (place - 1) : 0;
}

void sl_mailbox_status(const struct sl_mailbox *box, struct sl_table_status *status)
{
    status->sends = true;
    status->messages = box->messages;
    status->interrupts = box->interrupts;
    status->message_weight = box->weight;
    status->gap_min = box->gap_min;
    status->gap_median = box->messages > 1 ? gap_median(box) : 0;
    memcpy(status->gap, box->gap, sizeof status->gap);
    status->output = box->queue.seen;
}
