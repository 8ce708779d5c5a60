/* SPDX-License-Identifier: MIT */
/* The state of the detector of loops, and its parts: what loops are, and the stream block by block
 * (loop.c); the stream from one step away to the next (loop_exits.c). */
#ifndef SL_LOOP_H
#define SL_LOOP_H

#include "activation.h"

struct sl_loop_config {
    bool tail, inclusive;
    bool trips; /* entries of loops are counted, not iterations */
    uint64_t span, depth;
};

/* Where a unit is: the addresses of its loop. All of them if it is none. */
struct sl_loop_region {
    uint64_t head, length; /* from the head to the tail */
    uint32_t loop;         /* SL_NO_INDEX: none */
};

/* What a step within a function came to: from a unit to a block, by a short backward branch of that
 * loop if it is one. The same step from the same unit always comes to the same. */
#define SL_LOOP_RECENT_LOG2 12
struct sl_loop_turn {
    uint32_t unit, block, loop;
    uint32_t to; /* a unit */
    bool enters;
};

struct sl_loop {
    struct sl_activations activations;
    struct sl_loop_config config;
    struct sl_dictionary tuples;
    struct sl_dictionary loops;  /* <head, tail>; its numbers are in transfers' meanings */
    struct sl_index_map numbers; /* of units: (unit around it, loop), (SL_NO_INDEX, function) */
    struct sl_unit *unit;
    struct sl_loop_region *region;
    uint64_t *pc; /* of blocks */
    size_t n_blocks, room_units, room_regions, room_pcs;
    struct sl_loop_turn recent[1 << SL_LOOP_RECENT_LOG2]; /* by a hash */
    struct sl_loop_passage *passage;                      /* by pair (loop_exits.c) */
    size_t room_passages;
};

/* Whether a transfer is a short backward branch; from SL_TRANSFER_OWN on it is its loop's number.
 */
static inline bool sl_loop_is_back(uint32_t transfer)
{
    return transfer >= SL_TRANSFER_OWN && transfer < SL_FLOW_LOOK;
}

static inline bool sl_loop_contains(const struct sl_loop_region *region, uint64_t pc)
{
    return pc - region->head <= region->length;
}

/* Where a step from that unit leads that comes to the block, by a short backward branch of that
 * loop if it is one. */
struct sl_loop_turn sl_loop_turn(struct sl_loop *s, uint32_t from, uint32_t block, uint32_t loop);

/* A step of any kind, to the slice's i-th block; what that weighs is not added. */
void sl_loop_step(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                  uint32_t i, struct sl_events *out);

/* The slice by slice->exits. */
void sl_loop_feed_exits(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                        struct sl_events *out);

#endif
