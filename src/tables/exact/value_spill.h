/* SPDX-License-Identifier: MIT */
/* Where counts of tuples go that memory has no room for: sorted runs in a file without a name,
 * which are merged when somebody wants to know.
 *
 *     file:  | run 0: slots | run 1: slots | ... |      each in ascending order, no tuple twice
 *
 * A tuple may be in several runs; merging adds it up. When there are SL_SPILL_RUNS of them, they
 * become one, in a new file. The file is nobody's but ours: it has no name, or loses it at once, so
 * that nothing is left behind however the process ends.
 *
 * What cannot be written (the disk is full) is refused, and all that was written before stays. */
#ifndef SL_VALUE_SPILL_H
#define SL_VALUE_SPILL_H

#include "value_counts.h"

#define SL_SPILL_RUNS 64u

struct sl_spill_run {
    uint64_t first, n; /* slots, from the file's beginning */
};

struct sl_spill {
    const char *directory; /* NULL: nothing may be spilled */
    int file;              /* if there are runs */
    struct sl_spill_run run[SL_SPILL_RUNS];
    size_t n_runs;
    uint64_t n_slots; /* in all runs */
    int error;        /* what the system said when it refused; 0: it has not */
};

/* A tuple, and what it adds up to; false: that is enough. */
typedef bool sl_spill_take(void *context, const struct sl_value_slot *tuple, uint64_t count);

/* Sorts slots in place. */
void sl_spill_sort(struct sl_value_slot *slot, uint64_t n);

/* Adds a run of n sorted slots; false with `error` set if that cannot be. */
bool sl_spill_add(struct sl_spill *spill, const struct sl_value_slot *slot, uint64_t n);

/* Makes one run of all if there is no room for another; false as above. `buffer` has at least
 * 2 * SL_SPILL_RUNS slots. Counts that outgrow a slot go to `carry`. */
bool sl_spill_make_room(struct sl_spill *spill, struct sl_value_slot *buffer, uint64_t n_buffer,
                        sl_spill_take *carry, void *context);

/* Gives every tuple of all runs and of n sorted slots once. False when `take` had enough, or when a
 * run could not be read, which sets `error`. */
bool sl_spill_merge(struct sl_spill *spill, const struct sl_value_slot *slot, uint64_t n,
                    struct sl_value_slot *buffer, uint64_t n_buffer, sl_spill_take *take,
                    void *context);

void sl_spill_close(struct sl_spill *spill);

/* Whether files can be made in the directory: 0, or what the system says. */
int sl_spill_try(const char *directory);

#endif
