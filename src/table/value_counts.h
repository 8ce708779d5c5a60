/* Counts of tuples with values, <instruction, value>: a hash table that grows.
 *
 *     slot:  | value (64) | instruction + 1 (24) | count (40) |
 *
 * A tuple's home is its hash as a fraction of the table: with a hash h of 64 bits and n slots,
 * h * n / 2^64. From there on it is in the first slot that was empty (linear probing). So slots
 * are in the order of their hashes, but for those that had to go on a little:
 *
 *     old    | a . b c . d |
 *     larger | a . . b c . . . d . |
 *
 * and the table grows by one walk through both, without a jump in memory. What was walked
 * through is given back, so that hardly more than one table is there at any time; and a table
 * may have any size. It is made half as large again (a small one twice as large) when 3/4 of it
 * are in use, or as large as memory allows: 21 to 32 bytes a tuple.
 *
 * A count that outgrows its 40 bits is carried into a list beside the table; instructions beyond
 * 2^24 - 2 cannot be kept and are dropped.
 *
 * Looking up is bound by memory: the line of an event's home is fetched some events ahead. The
 * table is in huge pages where the system has them.
 *
 * When memory is used up, the table keeps what it has: known tuples go on being counted, new
 * ones are dropped, and counted as such. What is kept depends on the events and their order,
 * not on how they came in batches. */
#ifndef SL_VALUE_COUNTS_H
#define SL_VALUE_COUNTS_H

#include "table.h"

struct sl_value_slot {
    uint64_t value, packed;
};

struct sl_value_counts {
    uint64_t memory_bytes;
    struct sl_value_slot *slot;
    uint64_t n_slots, n_used;
    uint64_t n_most; /* tuples that it takes before it has to grow */
    struct sl_entry *carry; /* tuple.pc is the instruction's number */
    size_t n_carries, room_carries;
    bool full;
    uint64_t drops, drops_weight;
};

/* All zero but memory_bytes to begin with. */
void sl_value_counts_observe(struct sl_value_counts *c, const struct sl_batch *batch);

/* Every tuple, in no order that means something; false when `emit` had enough. */
bool sl_value_counts_drain(const struct sl_value_counts *c, const struct sl_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry),
                           void *context);

uint64_t sl_value_counts_bytes(const struct sl_value_counts *c);
void sl_value_counts_close(struct sl_value_counts *c);

#endif
