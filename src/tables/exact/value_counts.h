/* SPDX-License-Identifier: MIT */
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
 * Values are the program's choice, and the hash is known: somebody could choose such that share
 * their home. When a tuple would be very far from it, all get new homes by a hash with a secret.
 *
 * When memory is used up, the table keeps what it has: known tuples go on being counted, new
 * ones are dropped, and counted as such. Or it is spilled: sorted, written out (value_spill.h) and
 * emptied. Where that is refused, it keeps what it has. What is kept depends on the events and
 * their order, not on how they came in batches. */
#ifndef SL_VALUE_COUNTS_H
#define SL_VALUE_COUNTS_H

#include "table.h"

#define SL_VALUE_COUNT_BITS 40
#define SL_VALUE_COUNT_MAX ((UINT64_C(1) << SL_VALUE_COUNT_BITS) - 1)
#define SL_VALUE_INSN_MAX ((UINT32_C(1) << 24) - 2)

struct sl_value_slot {
    uint64_t value, packed;
};

static inline uint32_t sl_value_insn(const struct sl_value_slot *s)
{
    return (uint32_t)(s->packed >> SL_VALUE_COUNT_BITS) - 1;
}

static inline uint64_t sl_value_count(const struct sl_value_slot *s)
{
    return s->packed & SL_VALUE_COUNT_MAX;
}

static inline void sl_value_set_count(struct sl_value_slot *s, uint64_t count)
{
    s->packed = (s->packed & ~SL_VALUE_COUNT_MAX) | count;
}

/* Every bit of the product's highest bytes, which say where a tuple's home is, depends on all of
 * the input (doubles differ in their high bits only). */
static inline uint64_t sl_value_hash(uint32_t insn, uint64_t value)
{
    return (value ^ (uint64_t)insn << 40 ^ insn) * UINT64_C(0x9e3779b97f4a7c15);
}

struct sl_spill;

struct sl_value_counts {
    uint64_t memory_bytes;
    struct sl_spill *spill; /* NULL: what does not fit is dropped */
    bool settled;           /* the slots are sorted, and no table any more */
    struct sl_value_slot *slot;
    uint64_t n_slots, n_used;
    uint64_t n_most;        /* tuples that it takes before it has to grow */
    uint64_t secret;        /* of the hash; 0: it is the known one */
    unsigned n_secrets;     /* that it has had */
    struct sl_entry *carry; /* tuple.pc is the instruction's number */
    size_t n_carries, room_carries;
    bool full;
    uint64_t drops, drops_weight;
};

/* All zero but memory_bytes and spill to begin with. */
void sl_value_counts_observe(struct sl_value_counts *c, const struct sl_batch *batch);

/* One tuple, `times` events that weigh so much together. */
void sl_value_counts_add(struct sl_value_counts *c, uint32_t insn, uint64_t value, uint64_t times,
                         uint64_t weight);

/* Whether so many more tuples are sure to find room. */
bool sl_value_counts_has_room(const struct sl_value_counts *c, uint64_t n);

/* Whether a tuple is there, and what it has; of a table that has spilled nothing. */
bool sl_value_counts_find(const struct sl_value_counts *c, uint32_t insn, uint64_t value);
uint64_t sl_value_counts_of(const struct sl_value_counts *c, uint32_t insn, uint64_t value);

/* Every tuple, in no order that means something; false when `emit` had enough. Where something was
 * spilled, slots are sorted first, which changes where they are and nothing else. */
bool sl_value_counts_drain(struct sl_value_counts *c, const struct sl_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry),
                           void *context);

/* How many it would drain. */
uint64_t sl_value_counts_distinct(struct sl_value_counts *c);

uint64_t sl_value_counts_bytes(const struct sl_value_counts *c);
void sl_value_counts_close(struct sl_value_counts *c);

#endif
