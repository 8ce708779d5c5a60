/* SPDX-License-Identifier: MIT */
/* Reader of the ring (ring.h), the shared memory through which a traced program sends its events.
 * It reads records, and it reads slots (buffers of events) in the order in which the program's
 * threads published them. After the end of the program, it also reads events that were not yet
 * published. The program may overwrite any part of the ring at any time. */
#ifndef SL_RING_READER_H
#define SL_RING_READER_H

#include <stddef.h>

#include "ring.h"
#include "ring_words.h"
#include "source.h"

/* The ring's first bytes, which are constant after sl_ring_open(). */
#define SL_RING_CONSTANTS_SIZE offsetof(struct sl_ring, published)

struct sl_ring_reader {
    struct sl_source *source; /* gets the records */
    struct sl_ring *ring;
    ino_t inode;      /* of the ring, to find it in /proc/PID/maps */
    uint8_t *records; /* linear copy of the unread part of the byte ring */
    bool stopped;     /* the guest has ended or is stopped: stages can be read */

    /* Copies of what only the reader writes, to detect that the guest overwrites it. */
    uint8_t constants[SL_RING_CONSTANTS_SIZE];
    uint32_t consumed;
    uint32_t data_at; /* in slots */
    uint64_t records_read;
    uint32_t last; /* if `stopped`: number of slots that were published */

    uint32_t calls; /* of sl_ring_wake_reader() when something was last read */
    time_t called;  /* when the first call after that was seen; 0: none */

    /* The words being read: those of a slot in place, or a copy of an ended thread's. */
    struct sl_ring_words words;
    struct sl_slot *slot; /* to be freed when its words have been read; or NULL */
    uint32_t *copy;
    uint32_t next_left_over_stage; /* next stage to read after the end */
    struct sl_stage stage;         /* copy of an ended thread's stage, its last block completed */
    bool left_over_slot_read;      /* that thread's slot has been read */

    struct sl_ring_decoder decoder;
};

/* Makes the ring for a guest; the reader must be all zero. *fd is the ring's descriptor, to be
 * closed by the caller, also after an error; -1 if there is none. Returns 0, SL_EIO if a resource
 * limit is too low, or SL_ENOMEM. Call sl_ring_close() in any case. */
int sl_ring_open(struct sl_ring_reader *reader, struct sl_source *source,
                 const struct sl_guest *guest, int *fd, struct sl_failure *f);
void sl_ring_close(struct sl_ring_reader *reader);

/* Makes the calling process the reader, instead of the one that opened the ring. */
void sl_ring_set_reader(struct sl_ring_reader *reader);

/* Frees the slot whose words were read, and finds the next one; call it when `words` are used up.
 * New records are applied before. Returns 1 with the words in `words`, 0 if there is nothing to
 * read now, or an error: SL_EFORMAT if the guest has overwritten the ring. */
int sl_ring_next(struct sl_ring_reader *reader, struct sl_failure *f);

/* The guest has ended or is stopped: from now on, words that were not published are read, too. */
void sl_ring_guest_stopped(struct sl_ring_reader *reader);

#endif
