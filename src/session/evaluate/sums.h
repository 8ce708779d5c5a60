/* SPDX-License-Identifier: MIT */
/* A batch with the events of each tuple put together: one with the sum of their weights, for
 * tables to which that is the same (sl_table_kind.sums_up_to). Many of these, repetitions of
 * one another, then share the work of going through the events. */
#ifndef SL_SUMS_H
#define SL_SUMS_H

#include "table.h"

/* All zero before its first use. */
struct sl_sums {
    struct sl_batch batch; /* what came out; gone with the next */
    uint32_t *number;
    uint64_t *weight;
    size_t room_numbers, room_weights;
    uint64_t *sum; /* by number, of what is not in the batch yet */
    size_t room_sums;
    uint32_t *open; /* the numbers that have one, in the order in which they came */
    size_t n_open, room_open;
};

/* No sum is above `most`, and an event that is stays by itself, where it was. False, and
 * there is no batch, when memory ran out. */
bool sl_sums_make(struct sl_sums *sums, const struct sl_batch *batch, uint64_t most);

void sl_sums_free(struct sl_sums *sums);

#endif
