/* SPDX-License-Identifier: MIT */
/* A<k>: a fully associative table of k exact counters, the second level of a
 * compressor, or a lossless one by itself. */
#ifndef SL_ASSOCIATIVE_H
#define SL_ASSOCIATIVE_H

#include "sluice.h"

struct sl_associative;

/* Bytes for k entries (1 to 65,536); the table in that much zeroed memory. */
size_t sl_associative_bytes(uint64_t entries);
void sl_associative_init(struct sl_associative *a, uint64_t entries, unsigned counter_bits);

/* Adds a message's count and samples to its tuple's entry. True if that made a
 * message leave the table, which is then in *out: the tuple's own if its counter
 * would exceed its width (its entry is freed; *out has all that was in it and the
 * new count), or that of the least recently used entry if there was no room. A
 * count that exceeds the width by itself passes through. */
bool sl_associative_add(struct sl_associative *a, const struct sl_message *message,
                        struct sl_message *out);

/* Gives what is in the table, oldest use first, as long as `each` is true; whether it was. */
bool sl_associative_each(const struct sl_associative *a,
                         bool (*each)(void *context, const struct sl_message *resident),
                         void *context);

/* Whether the tuple is in the table, and then what it has there. Uses nothing. */
bool sl_associative_find(const struct sl_associative *a, struct sl_tuple tuple,
                         struct sl_message *resident);

/* Sum of the counts in the table. */
uint64_t sl_associative_residue(const struct sl_associative *a);

#endif
