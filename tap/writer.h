/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tap's side of the ring (src/stream/ring.h), for plugin and engine: attaching to the ring,
 * detaching when the reader has ended, allocating slots and stages, and sending static records. */
#ifndef SL_TAP_WRITER_H
#define SL_TAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "ring.h"
#include "statics.h"

/* Compiler barrier: stores before it are made before stores after it (ring.h, struct sl_stage). The
 * CPU needs no barrier, since a killed thread has made its stores in program order. */
static inline void writer_in_order(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

/* Maps the ring of file descriptor `fd` and closes `fd`. Returns the ring, or NULL if the file is
 * not a ring. In the child of a fork, `child` is called while writer_detached() is true and the
 * parent's ring is still mapped; `attached` is false if the parent was detached. */
struct sl_ring *writer_attach(int fd, void (*child)(bool attached));

/* From now on, stores a copy of every record that is sent, for children of fork. */
void writer_copy_records(void);

/* Attaches the child of a fork to a ring of its own and sends it all stored records. Call it only
 * in the callback `child`. Returns the ring, or NULL if the file is not a ring or the records
 * cannot be sent. */
struct sl_ring *writer_attach_child(int fd);

/* True in the child of a fork that has no ring, and after the reader has ended: blocks are then
 * translated without instrumentation. */
bool writer_detached(void);

/* Reserves a stage for a new thread; NULL if there are too many threads. */
struct sl_stage *writer_reserve_stage(void);

/* Publishes the stage's slot and frees the stage; call it when the thread ends. */
void writer_release_stage(struct sl_stage *stage);

/* True if the stage is in the ring. */
bool writer_owns(const struct sl_stage *stage);

/* Publishes the stage's slot, if it has one, and reserves another. Waits for the reader; in a lossy
 * ring it drops the slot's events instead. Returns NULL when detached. */
struct sl_slot *writer_next_slot(struct sl_stage *stage);

/* Number of block entries among the words. */
uint64_t writer_count_blocks(const uint32_t *words, uint32_t n_words);

/* Adds the events in the words to the ring's counts of dropped events. */
void writer_count_dropped(const uint32_t *words, uint32_t n_words, const uint32_t *data);

/* Sends a load layout. `word` is the id of `block`, or VARIANT | the id of a variant. `load` has
 * the ids of `n` instructions, with SL_LOAD_LAYOUT_WIDE for wide loads. */
void writer_load_layout(uint32_t word, uint32_t block, const uint32_t *load, unsigned n);

/* Sends one record, with a payload in two parts. One thread at a time. */
void writer_record(unsigned type, const void *head, size_t n_head, const void *tail, size_t n_tail);

#endif
