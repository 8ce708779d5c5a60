/* SPDX-License-Identifier: MIT */
/* The reader's side of the ring (ring.h): records and words out of it, in their order, and what
 * threads that died have left there. The guest may write anywhere in the ring at any time. */
#ifndef SL_RING_READER_H
#define SL_RING_READER_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "ring.h"
#include "ring_words.h"
#include "source.h"

/* The ring's first bytes, which do not change once it is made. */
#define SL_RING_TERMS offsetof(struct sl_ring, published)

struct sl_ring_reader {
    struct sl_source *source; /* whose statics grow by the records */
    struct sl_ring *ring;
    ino_t inode;      /* of the ring, by which it is found among a process's mappings */
    uint8_t *records; /* a linear copy of what is in the byte ring */
    bool still;       /* the guest has ended, or stands still: its stages are salvaged */

    /* What the ring says too, and only we write there. */
    uint8_t terms[SL_RING_TERMS];
    uint32_t consumed;
    uint32_t data_at; /* in slots */
    uint64_t records_read;
    uint32_t last; /* once the guest is still: no slots are published behind this one */

    uint32_t calls; /* of the guest's, when we last got something */
    time_t called;  /* when the first after that was seen; 0: there was none */

    /* What is being read: a slot where it is, or a copy of what a dead thread has left. */
    struct sl_ring_words words;
    struct sl_slot *slot; /* to be given back when its words have been read; NULL: none */
    uint32_t *copy;
    uint32_t next_salvaged; /* stage to look at after the end */
    struct sl_stage stage;  /* a dead thread's, completed */
    bool slot_salvaged;     /* its slot has been read */

    struct sl_ring_decoder decoder;
};

/* Makes the ring for a guest, which finds it behind `*fd`; -1 if there is none. The reader is all
 * zero before. */
int sl_ring_open(struct sl_ring_reader *reader, struct sl_source *source,
                 const struct sl_guest *guest, int *fd, struct sl_failure *f);
void sl_ring_close(struct sl_ring_reader *reader);

/* This process reads it, not the one that has opened it. */
void sl_ring_taken_over(struct sl_ring_reader *reader);

/* What there is to read now, in `words`. Returns 0 if nothing. */
int sl_ring_look(struct sl_ring_reader *reader, struct sl_failure *f);

/* The guest writes no more, for good or for as long as this is so. */
void sl_ring_be_still(struct sl_ring_reader *reader);

#endif
