/* SPDX-License-Identifier: MIT */
/* The software that a compressor sends to: what the messages of each tuple add up to.
 * Grows up to the memory given; then messages of new tuples are dropped, and counted. */
#ifndef SL_SOFTWARE_H
#define SL_SOFTWARE_H

#include "sluice.h"

struct sl_software {
    struct sl_message *slot; /* open addressing; empty: samples == 0 */
    uint64_t n_slots, n_used;
    uint64_t memory_bytes;
    uint64_t drops, drops_weight; /* messages, and what they counted */
    bool full;
};

/* As sl_table_host.deliver, `software` being the context. */
void sl_software_add(void *software, const struct sl_message *message, size_t n);

/* The sum of the tuple's messages; NULL if none came. */
const struct sl_message *sl_software_find(const struct sl_software *software,
                                          struct sl_tuple tuple);

void sl_software_free(struct sl_software *software);

#endif
