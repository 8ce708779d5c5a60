/* Exact counts of one interval, to judge an interval table by: a hash table of
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
};

/* Out of memory: false, and some of the batch is missing. */
bool sl_interval_exact_observe(struct sl_interval_exact *exact, const struct sl_batch *batch);

/* Adds what was counted to the list, in any order. Equal tuples of several numbers
 * are added up when the list is sorted. */
bool sl_interval_exact_list(const struct sl_interval_exact *exact, const struct sl_names *names,
                            struct sl_profile_list *list);

void sl_interval_exact_clear(struct sl_interval_exact *exact);
void sl_interval_exact_free(struct sl_interval_exact *exact);

#endif
