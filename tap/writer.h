/* The tap's side of the ring (src/stream/ring.h): a stage for each thread's
 * events, records for static facts, and letting go when there is nobody to
 * write for.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SL_TAP_WRITER_H
#define SL_TAP_WRITER_H

#include "ring.h"
#include "statics.h"

/* The stage of this thread. Never NULL: a thread that has none yet points to
 * one that is full, so that its first event asks for a real one and no event
 * has to check. */
extern __thread struct sl_stage *writer_stage;

/* The stores in front of this are made before those behind it (ring.h, struct
 * sl_stage). The processor keeps them in order as far as a killed thread can
 * show: this is for the compiler. */
static inline void writer_in_order(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

/* Maps the ring behind file descriptor `fd` and closes that. Returns the ring,
 * or NULL if it is none. */
struct sl_ring *writer_attach(int fd);

/* Completes the current block and, if the stage is nearly full, empties it into
 * a slot: waits for sluice as long as it must. Returns the thread's stage,
 * ready for the next block. When detached, the events go nowhere. */
struct sl_stage *writer_make_room(void);

/* Empties the stage in the middle of an open block, which then goes on. */
struct sl_stage *writer_continue(void);

/* True in the child of a fork and after sluice's death: translate without
 * instrumentation. */
bool writer_detached(void);

/* Says how many implied loads a block has, in how many words: to count what a
 * lossy run drops. */
void writer_set_implied(uint32_t block, unsigned n, unsigned words);

/* Sends one record; the payload in two pieces. One thread at a time. */
void writer_record(unsigned type, const void *head, size_t n_head, const void *tail, size_t n_tail);

#endif
