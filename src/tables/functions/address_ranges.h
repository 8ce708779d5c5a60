/* SPDX-License-Identifier: MIT */
/* Ranges of addresses as they are written: [0x401000-0x401200,0x405000-0x405800], hexadecimal, the
 * first address of each and the one behind its last. */
#ifndef SL_ADDRESS_RANGES_H
#define SL_ADDRESS_RANGES_H

#include "sluice.h"

#define SL_ADDRESS_RANGES_MAX 64u

struct sl_address_ranges {
    uint64_t start[SL_ADDRESS_RANGES_MAX];
    struct sl_function_piece piece[SL_ADDRESS_RANGES_MAX]; /* each of a function of its own */
    size_t n;
};

/* In ascending order, whatever their order was. SL_EUSAGE if it is not written so, if one is
 * empty, or if two overlap. */
int sl_address_ranges_parse(struct sl_address_ranges *ranges, const char *text,
                            struct sl_failure *f);

#endif
