/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin's stages: where a thread's events go first (src/stream/ring.h). */
#ifndef SL_TAP_STAGES_H
#define SL_TAP_STAGES_H

#include "writer.h"

/* The stage of this thread. Never NULL: a thread that has none yet points to
 * one that is full, so that its first event asks for a real one and no event
 * has to check. */
extern __thread struct sl_stage *stages_own;

/* As writer_attach. */
struct sl_ring *stages_attach(int fd);

/* Completes the current block and, if the stage is nearly full, empties it into
 * a slot: waits for sluice as long as it must. Returns the thread's stage,
 * ready for the next block. When detached, the events go nowhere. */
struct sl_stage *stages_make_room(void);

/* Empties the stage in the middle of an open block, which then goes on. */
struct sl_stage *stages_continue(void);

#endif
