/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tap's side of the ring (src/stream/ring.h): slots and stages, records for static
 * facts, and letting go when there is nobody to write for. The plugin and the engine
 * share it. */
#ifndef SL_TAP_WRITER_H
#define SL_TAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "ring.h"
#include "statics.h"

/* The stores in front of this are made before those behind it (ring.h, struct
 * sl_stage). The processor keeps them in order as far as a killed thread can
 * show: this is for the compiler. */
static inline void writer_in_order(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

/* Maps the ring behind file descriptor `fd` and closes that. Returns the ring,
 * or NULL if it is none. In the child of a fork `child` is called, when
 * writer_detached() is true and while the ring is still there; `attached`: it was not true before.
 */
struct sl_ring *writer_attach(int fd, void (*child)(bool attached));

/* From now on records are kept, for children by fork. */
void writer_keep_records(void);

/* In `child`, while writer_detached() is true: this process is none that is on its own, but has a
 * ring itself, behind `fd`, in which all records are by then. NULL if it has none. */
struct sl_ring *writer_attach_child(int fd);

/* True in the child of a fork and after sluice's death: translate without
 * instrumentation. */
bool writer_detached(void);

/* A stage for a thread that has none; NULL if there are too many threads. */
struct sl_stage *writer_take_stage(void);

/* Publishes what the stage's slot holds and gives the stage back: the thread ends. */
void writer_leave_stage(struct sl_stage *stage);

/* Whether it is one of the ring's. */
bool writer_owns(const struct sl_stage *stage);

/* Publishes the stage's slot, if there is one, and takes another: waits for sluice as long
 * as it must, or, if events may be lost, empties that slot. NULL when detached. */
struct sl_slot *writer_next_slot(struct sl_stage *stage);

/* How many of these words are blocks that begin. */
uint64_t writer_count_blocks(const uint32_t *words, uint32_t n_words);

/* Counts events that nobody will see. */
void writer_count_dropped(const uint32_t *words, uint32_t n_words, const uint32_t *data);

/* Says which loads `word` implies, with SL_IMPLIED_WIDE: a block's number, or a variant of
 * it. */
void writer_implied(uint32_t word, uint32_t block, const uint32_t *list, unsigned n);

/* Sends one record; the payload in two pieces. One thread at a time. */
void writer_record(unsigned type, const void *head, size_t n_head, const void *tail, size_t n_tail);

#endif
