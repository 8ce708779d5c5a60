/* SPDX-License-Identifier: MIT */
/* Dense numbers for tuples whose two words are static, and back. */
#ifndef SL_DICTIONARY_H
#define SL_DICTIONARY_H

#include "index_map.h"
#include "sluice.h"

struct sl_dictionary {
    struct sl_index_map map;
    uint64_t *pc, *value;
    size_t room_pc, room_value;
};

/* The number of (pc, value), a new one if need be; SL_NO_INDEX without memory. */
uint32_t sl_dictionary_number(struct sl_dictionary *dictionary, uint64_t pc, uint64_t value);

void sl_dictionary_names(const struct sl_dictionary *dictionary, struct sl_names *names);
void sl_dictionary_free(struct sl_dictionary *dictionary);

#endif
