/* SPDX-License-Identifier: MIT */
/* The tables behind the front of values.h: tuples are counted in the compact one or in the wide
 * one, as far as there is memory. */
#ifndef SL_VALUE_BEHIND_H
#define SL_VALUE_BEHIND_H

#include "value_lists.h"
#include "values.h"

#define SL_VALUES_IN_FRONT \
    (SL_FRONT_SLOTS + SL_VALUE_LISTS * SL_VALUE_LIST_ROOM) /* tuples, at most */

/* Room for another tuple in the compact table; false if there is none any more. */
bool sl_values_make_room(struct sl_values *v);

/* Whether so many more tuples are sure to find room. */
bool sl_values_have_room(struct sl_values *v, uint64_t n);

/* Events in order, as each may be the last that finds room. */
void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch);

/* Every tuple is in one table only then. */
void sl_values_gather(struct sl_values *v);

/* Slots of the front, for all of which there is room. */
void sl_values_count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n);

#endif
