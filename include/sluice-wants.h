/* SPDX-License-Identifier: MIT */
/* What a stream carries besides the blocks, which it always does. Apart from sluice.h, which
 * includes it, since it is all that the taps know of that: QEMU with a tap inside need not be
 * built again when the rest changes. */
#ifndef SLUICE_WANTS_H
#define SLUICE_WANTS_H

#include <stdint.h>

enum sl_needs {
    SL_NEED_VALUES = 1,    /* the value of every load */
    SL_NEED_ADDRESSES = 2, /* the address of every load */
    SL_NEED_STORES = 4,    /* the address of every store */
};

/* Where loads are watched: in one of `of` stretches of `blocks` blocks each, of every thread;
 * blocks are in the stream everywhere. Which stretches these are follows from the blocks' numbers
 * alone, so that a run and the replay of its trace have the same loads. All zero, or of 1:
 * everywhere. */
struct sl_load_sampling {
    uint32_t of, blocks;
};

#endif
