/* SPDX-License-Identifier: MIT */
#include "dictionary.h"

#include <stdlib.h>

#include "grow.h"

uint32_t sl_dictionary_number(struct sl_dictionary *d, uint64_t pc, uint64_t value)
{
    size_t before = d->map.n_keys;
    if (!SL_GROW(d->pc, d->room_pc, before + 1) || !SL_GROW(d->value, d->room_value, before + 1))
        return SL_NO_INDEX;
    uint32_t number = sl_index_intern(&d->map, pc, value);
    if (d->map.n_keys > before) {
        d->pc[number] = pc;
        d->value[number] = value;
    }
    return number;
}

void sl_dictionary_names(const struct sl_dictionary *d, struct sl_names *names)
{
    *names = (struct sl_names){d->pc, d->value, d->map.n_keys};
}

void sl_dictionary_free(struct sl_dictionary *d)
{
    sl_index_free(&d->map);
    free(d->pc);
    free(d->value);
}
