/* SPDX-License-Identifier: MIT */
/* Mailbox of a stream compressor: delivers messages to software, either a buffer at a
 * time with an interrupt when the buffer is full, or one by one through a queue (compressor.h). */
#include "compressor.h"

#include <string.h>

void sl_mailbox_flush(struct sl_mailbox *box)
{
    if (box->n)
        box->deliver(box->context, box->buffer, box->n);
    box->n = 0;
}

void sl_mailbox_send(struct sl_mailbox *box, const struct sl_message *message, uint64_t now)
{
    if (box->messages) {
        uint64_t gap = now - box->last;
        if (box->messages == 1 || gap < box->gap_min)
            box->gap_min = gap;
        box->gap[gap ? 64 - (unsigned)__builtin_clzll(gap) : 0]++; /* by its number of bits */
    }
    box->last = now;
    box->messages++;
    box->weight += message->count;
    if (!sl_service_queue_arrive(&box->queue, now, message->count, &now))
        return;
    box->buffer[box->n++] = *message;
    if (box->queue.seen.capacity) {
        sl_mailbox_flush(box);
    } else if (box->n == SL_MAILBOX_CAPACITY) {
        box->interrupts++;
        sl_mailbox_flush(box);
    }
}

/* The lower end of the bin that contains the median of all gaps. */
static uint64_t gap_median(const struct sl_mailbox *box)
{
    uint64_t below = 0, all = box->messages - 1;
    unsigned bin = 0;
    while (bin < 64 && (below += box->gap[bin]) <= all / 2)
        bin++;
    return bin ? UINT64_C(1) << (bin - 1) : 0;
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
