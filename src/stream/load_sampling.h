/* SPDX-License-Identifier: MIT */
/* Stretches of a run, of which some are watched: there, loads are in the stream; elsewhere blocks
 * alone are.
 *
 *     blocks of a thread   0      blocks    2 blocks ...
 *     stretches            |======|-----|-----|-----|-----|-----|=====|-----|...
 *     groups               |  0: of of them         |  1: one, somewhere    |...
 *
 * Of `of` stretches in a row one is watched. Which one is mixed from the group's number, so that
 * what a program does in turns is not seen always at the same turn; of the first group it is the
 * first, so that something is seen of the shortest program. All follows from the blocks' numbers in
 * their thread: who counts these, whether a tap, a reader or a replay, finds the same.
 *
 * A group of stretches is at most 2^52 blocks long, and no thread executes 2^63. */
#ifndef SL_LOAD_SAMPLING_H
#define SL_LOAD_SAMPLING_H

#include "hash.h"
#include "sluice-wants.h"

/* The first block that is watched of a group. */
static inline uint64_t sl_load_sampling_of_group(const struct sl_load_sampling *s, uint64_t group)
{
    uint64_t place = group ? sl_mix(group) % s->of : 0;
    return (group * s->of + place) * s->blocks;
}

/* The first block that is watched, from this one on. */
static inline uint64_t sl_load_sampling_next(const struct sl_load_sampling *s, uint64_t block)
{
    uint64_t group = block / s->blocks / s->of, first = sl_load_sampling_of_group(s, group);
    if (block < first + s->blocks)
        return block > first ? block : first;
    return sl_load_sampling_of_group(s, group + 1);
}

/* The first one behind the stretch of a block. */
static inline uint64_t sl_load_sampling_end(const struct sl_load_sampling *s, uint64_t block)
{
    return (block / s->blocks + 1) * s->blocks;
}

#endif
