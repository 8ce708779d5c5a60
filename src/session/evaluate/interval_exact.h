/* SPDX-License-Identifier: MIT */
/* Exact counts of one interval, to judge interval tables by: a hash table of
 * (number, value) that is emptied in one step, by a new epoch. */
#ifndef SL_INTERVAL_EXACT_H
#define SL_INTERVAL_EXACT_H

#include "profile_list.h"
#include "sluice.h"

struct sl_interval_exact {
    struct sl_interval_slot *slot;
    size_t n_slots; /* a power of two, or 0 */
    uint32_t *used; /* slots of this interval */
    size_t n_used, room_used;
    uint32_t epoch;
    struct sl_profile_list list;
    bool listed;
};

/* Out of memory: false, and some of the batch is missing. */
bool sl_interval_exact_observe(struct sl_interval_exact *exact, const struct sl_batch *batch);

/* What was counted, the same list until it is cleared: who sorts it, sorts it for all. Equal
 * tuples of several numbers are added up then. Out of memory: the list says so. */
struct sl_profile_list *sl_interval_exact_list(struct sl_interval_exact *exact,
                                               const struct sl_names *names);

void sl_interval_exact_clear(struct sl_interval_exact *exact);
void sl_interval_exact_free(struct sl_interval_exact *exact);

#endif
