/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stages, the write buffers of the plugin's threads. When a stage is full, the plugin copies its
 * events to a slot of the ring buffer (src/stream/ring.h). */
#ifndef SL_TAP_STAGES_H
#define SL_TAP_STAGES_H

#include "writer.h"

/* The stage of this thread. Never NULL: a new thread points to a shared stage that is full, so that
 * its first event requests a real one and no event has to test for NULL. */
extern __thread struct sl_stage *stages_own;

/* Attaches the plugin to the ring of file descriptor `fd`, as writer_attach(). Returns the ring, or
 * NULL. */
struct sl_ring *stages_attach(int fd);

/* Completes the current block and, if the stage is nearly full, copies it to a slot; waits for
 * sluice if necessary. Returns the thread's stage, ready for the next block. When detached, events
 * are discarded. */
struct sl_stage *stages_make_space(void);

/* Copies the stage to a slot in the middle of an open block, which continues in the emptied stage.
 */
struct sl_stage *stages_continue(void);

#endif
