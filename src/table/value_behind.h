/* The tables behind the front of values.h: tuples are counted in the compact one or in the wide one, as
 * far as there is memory. */
#ifndef SL_VALUE_BEHIND_H
#define SL_VALUE_BEHIND_H

#include "values.h"

/* Room for another tuple in the compact table; false if there is none any more. */
bool sl_values_make_room(struct sl_values *v);

/* Whether so many more tuples are sure to find room. */
bool sl_values_have_room(struct sl_values *v, uint64_t n);

/* Events in order, as each may be the last that finds room. */
void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch);

/* Slots of the front, for all of which there is room. */
void sl_values_count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n);

#endif
