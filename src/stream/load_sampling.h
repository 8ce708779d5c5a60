/* SPDX-License-Identifier: MIT */
/* Load sampling: divides the blocks that a thread executes into windows, and selects the windows in
 * which loads are traced.
 *
 * Inside a traced window the stream has blocks and loads. Elsewhere it has only blocks.
 *
 *     blocks of a thread   0      blocks    2 blocks ...
 *     sampling windows     |======|-----|-----|-----|-----|-----|=====|-----|...   = traced
 *     groups               |  0: `of` windows       |  1: one traced        |...
 *
 * In each group of `of` consecutive windows, one is traced. A hash of the group's index selects it,
 * so that a program with periodic behaviour is not always sampled in the same part of its period.
 * In the first group it is the first window, so that even the shortest program is sampled. The
 * selection depends only on the index of a block in its thread: the tap, the ring's reader and a
 * replay select the same windows.
 *
 * A group is at most 2^52 blocks long, and no thread executes 2^63 blocks. */
#ifndef SL_LOAD_SAMPLING_H
#define SL_LOAD_SAMPLING_H

#include "hash.h"
#include "sluice-needs.h"

/* The first block of a group's traced window. */
static inline uint64_t sl_load_sampling_of_group(const struct sl_load_sampling *s, uint64_t group)
{
    uint64_t window = group ? sl_mix(group) % s->of : 0;
    return (group * s->of + window) * s->blocks;
}

/* The first block, from this one on, that is in a traced window. */
static inline uint64_t sl_load_sampling_next(const struct sl_load_sampling *s, uint64_t block)
{
    uint64_t group = block / s->blocks / s->of, first = sl_load_sampling_of_group(s, group);
    if (block < first + s->blocks)
        return block > first ? block : first;
    return sl_load_sampling_of_group(s, group + 1);
}

/* The first block after the window that contains `block`. */
static inline uint64_t sl_load_sampling_end(const struct sl_load_sampling *s, uint64_t block)
{
    return (block / s->blocks + 1) * s->blocks;
}

#endif
