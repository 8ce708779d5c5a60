/* The tap's side of the ring (src/stream/ring.h): slots for events, records for
 * static facts, and letting go when there is nobody to write for.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SL_TAP_WRITER_H
#define SL_TAP_WRITER_H

#include "ring.h"
#include "statics.h"

/* The slot this thread fills. Never NULL: a thread that has none yet points to
 * one that is full, so that the first event asks for a real one and no event
 * has to check. */
extern __thread struct sl_slot *writer_slot;

/* Maps the ring behind file descriptor `fd` and closes that. Returns the ring,
 * or NULL if it is none. */
struct sl_ring *writer_attach(int fd);

/* Publishes this thread's slot and gives it an empty one: waits for sluice as
 * long as it must. When detached: a private slot whose events go nowhere. */
struct sl_slot *writer_next(void);

/* True in the child of a fork and after sluice's death: translate without
 * instrumentation. */
bool writer_detached(void);

/* Sends one record; the payload in two pieces. One thread at a time. */
void writer_record(enum sl_record type, const void *head, size_t n_head, const void *tail,
                   size_t n_tail);

#endif
