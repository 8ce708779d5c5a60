/* SPDX-License-Identifier: MIT */
/* The addresses of code that a run's entries and candidates tell of, and those that hot subpaths
 * are made of; of paths, also those of the blocks along them. */
#ifndef SL_CODE_ADDRESSES_H
#define SL_CODE_ADDRESSES_H

#include "result.h"

/* Most entries are those of contexts, and of these there are many in each function: what came
 * lately is not taken again, so that there is less to sort. */
#define SL_CODE_LATELY 4096u
struct sl_code_addresses {
    uint64_t *at; /* sorted, each once; to be freed */
    size_t n, room;
    uint64_t lately[SL_CODE_LATELY];
};

/* What walking the paths again needs. False when memory ran out. */
bool sl_code_addresses_along(struct sl_code_addresses *along, const struct sl_results *results);

/* The first words of everything that was found, addresses or `events`, those along it and, if
 * `seconds`, where it leads. False when memory ran out. */
bool sl_code_addresses_collect(struct sl_code_addresses *addresses,
                               const struct sl_results *results,
                               const struct sl_code_addresses *along, bool seconds, bool events);

#endif
