/* SPDX-License-Identifier: MIT */
/* Component A<k> of a stream compressor: a fully associative table of k exact counters. A
 * compressor can consist of this component alone, or have it after another component. associative.c
 * describes the algorithm. */
#ifndef SL_ASSOCIATIVE_H
#define SL_ASSOCIATIVE_H

#include "sluice.h"

struct sl_associative;

/* Bytes for k entries (1 to 65,536); initializes a table in zeroed memory of that size. */
size_t sl_associative_bytes(uint64_t entries);
void sl_associative_init(struct sl_associative *a, uint64_t entries, unsigned counter_bits);

/* Adds a message's count and samples to the entry of its tuple. Returns true if a message left the
 * table, which is then in *out: the tuple's own if its counter would exceed its width (the entry is
 * freed, and *out has its contents plus the new count), or the least recently used entry if the
 * table was full. A count that alone exceeds the width passes through. */
bool sl_associative_add(struct sl_associative *a, const struct sl_message *message,
                        struct sl_message *out);

/* Calls `each` for all entries, least recently used first, until it returns false. Returns the last
 * result, true for an empty table. */
bool sl_associative_each(const struct sl_associative *a,
                         bool (*each)(void *context, const struct sl_message *resident),
                         void *context);

/* Whether the tuple has an entry, which is copied to *resident. Does not count as a use. */
bool sl_associative_find(const struct sl_associative *a, struct sl_tuple tuple,
                         struct sl_message *resident);

/* Sum of the counts in the table. */
uint64_t sl_associative_residue(const struct sl_associative *a);

#endif
