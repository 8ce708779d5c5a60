/* SPDX-License-Identifier: MIT */
/* The kinds of data that an event stream can contain (enum sl_needs), and the parameters of load
 * sampling. This header is a part of sluice.h. It is a separate file because sluice's code inside
 * QEMU (the tap) includes it without sluice.h, so that QEMU need not be rebuilt when sluice.h
 * changes. */
#ifndef SLUICE_NEEDS_H
#define SLUICE_NEEDS_H

#include <stdint.h>

/* What a stream carries in addition to the blocks, as a set of bits. */
enum sl_needs {
    SL_NEED_VALUES = 1,    /* the value of every load */
    SL_NEED_ADDRESSES = 2, /* the address of every load */
    SL_NEED_STORES = 4,    /* the address of every store */
};

/* Load sampling: the run of each thread is divided into windows of `blocks` blocks, and loads are
 * traced in one of `of` windows. Blocks are always in the stream. The choice of windows depends
 * only on the index of a block in its thread, so that a run and the replay of its trace have the
 * same loads. `of` = 0 or 1: every load. */
struct sl_load_sampling {
    uint32_t of, blocks;
};

#endif
