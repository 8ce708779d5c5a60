/* SPDX-License-Identifier: MIT */
/* Counting in front of a table: value_front.h says how. */
#include "value_front.h"

void sl_value_front_count(struct sl_value_front *front, const uint32_t *number,
                          const uint64_t *value, size_t n)
{
    struct sl_value_slot *gone = front->gone->slot + front->gone->n;
    for (size_t i = 0; i < n; i++) {
        struct sl_value_slot *s =
            &front->slot[sl_value_hash(number[i], value[i]) >> (64 - SL_FRONT_LOG2)];
        uint64_t its_value = s->value, packed = s->packed;
        uint64_t nothing_yet = (number[i] + UINT64_C(1)) << SL_VALUE_COUNT_BITS;
        bool other = (its_value ^ value[i]) | (packed ^ nothing_yet) >> SL_VALUE_COUNT_BITS;
        *gone = (struct sl_value_slot){its_value, packed};
        gone += other & (packed != 0);
        *s = (struct sl_value_slot){value[i], (other ? nothing_yet : packed) + 1};
    }
    front->gone->n = (size_t)(gone - front->gone->slot);
    front->events += n;
}
