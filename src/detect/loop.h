/* SPDX-License-Identifier: MIT */
/* State of the detector `loop`, which counts iterations of loops. loop.c computes it from every
 * block; loop_exits.c is faster and reads only the transfers that may leave a loop or a
 * function. */
#ifndef SL_LOOP_H
#define SL_LOOP_H

#include "activation.h"

struct sl_loop_config {
    bool tail, inclusive;
    bool entries; /* `count` counts entries, not iterations */
    uint64_t span, depth;
};

/* The addresses of a unit: those of its loop, all addresses for a function. */
struct sl_loop_region {
    uint64_t head, length; /* from the head to the tail */
    uint32_t loop;         /* SL_NO_INDEX: none */
};

/* A memoized transfer within a function: from a unit to a block, by a short backward branch of
 * `loop` if it is one. It depends on nothing else. */
#define SL_LOOP_RECENT_LOG2 12
struct sl_loop_turn {
    uint32_t unit, block, loop;
    uint32_t to; /* a unit */
    bool enters;
};

struct sl_loop {
    struct sl_activations activations; /* first: see the members of detectors in activation.h */
    struct sl_loop_config config;
    struct sl_dictionary loops;   /* <head, tail>; ids are part of the meanings of transfers */
    struct sl_index_map unit_ids; /* units: (enclosing unit, loop), (SL_NO_INDEX, function) */
    struct sl_loop_region *region;
    uint64_t *pc; /* by block */
    size_t n_blocks, regions_capacity, pcs_capacity;
    struct sl_loop_turn recent[1 << SL_LOOP_RECENT_LOG2]; /* by hash */
    struct sl_loop_exit_memo *exit_memo;                  /* by pair (loop_exits.c) */
    size_t exit_memos_capacity;
};

/* True for a short backward branch: SL_TRANSFER_OWN + its loop. */
static inline bool sl_loop_is_back(uint32_t transfer)
{
    return transfer >= SL_TRANSFER_OWN && transfer < SL_FLOW_UNKNOWN;
}

static inline bool sl_loop_contains(const struct sl_loop_region *region, uint64_t pc)
{
    return pc - region->head <= region->length;
}

/* The effect of a transfer from that unit to the block, by a short backward branch of `loop`;
 * SL_NO_INDEX: any other transfer. */
struct sl_loop_turn sl_loop_turn(struct sl_loop *s, uint32_t from, uint32_t block, uint32_t loop);

/* Follows any transfer to block i of the chunk, without adding its weight. */
void sl_loop_step(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                  uint32_t i, struct sl_events *out);

/* `feed` by slice->exits. */
void sl_loop_feed_exits(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                        struct sl_events *out);

#endif
