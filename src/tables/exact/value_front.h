/* SPDX-License-Identifier: MIT */
/* What was counted last, in front of the table of value_counts.h: a small table that stays in a
 * core's cache.
 *
 *     slot[hash]   | value | instruction + 1 | count |       one place for each hash: who comes
 *                                                            there
 *                        │ another comes                   last has it
 *                        ▼
 *     gone         | value | instruction + 1 | count | ...   in order; for the table behind
 *
 * Four of five loads of a program find their value here. The others make who was there go, with all
 * that it had. Which it is, no processor foresees: so there is no branch on it. What an event does
 * to the place is written either way, and so is who goes; but the next one is written over it if
 * nobody went. */
#ifndef SL_VALUE_FRONT_H
#define SL_VALUE_FRONT_H

#include "value_lists.h"

#define SL_FRONT_LOG2 15
#define SL_FRONT_SLOTS (UINT64_C(1) << SL_FRONT_LOG2)
#define SL_FRONT_STEP 1024u /* events at a time */
#define SL_FRONT_MOST                                                           \
    (SL_VALUE_COUNT_MAX / 2) /* events before it is emptied, so that counts fit \
                              */

struct sl_value_front {
    struct sl_value_slot slot[SL_FRONT_SLOTS];
    struct sl_value_list *gone; /* has room for SL_FRONT_STEP and one more */
    uint64_t events;            /* since it was empty */
};

/* Counts up to SL_FRONT_STEP events of weight 1. Instructions are such as have room in a slot. */
void sl_value_front_count(struct sl_value_front *front, const uint32_t *number,
                          const uint64_t *value, size_t n);

#endif
