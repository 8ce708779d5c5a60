/* SPDX-License-Identifier: MIT */
/* Data of a table bank (a set of tables that process the same events in parallel on a GPU), and
 * functions that prepare the events for the tables: they assign tuple ids, and compute the hash
 * functions of the modelled hardware. */
#ifndef SL_BANK_TABLE_H
#define SL_BANK_TABLE_H

#include "bank.h"
#include "byte_hash.h"
#include "lanes.h"

#define SL_BANK_WORDS 4u /* of packed indices, with four hash functions each */

/* A table as its step uses it. */
struct sl_bank_table {
    uint32_t kind, tables, index_bits, counter_max, capacity;
    uint32_t length, threshold;
    uint32_t cells, cell_shift; /* a power of two, and 32 - its log2 */
    uint32_t conservative, reset, retain;
    uint32_t component, ways, tag_bits, tag_mask_bits, integer, first_counts;
    uint32_t most, turn, by_start, replacement;
    uint64_t rate, seed, gaps;      /* offset of the gaps of its rate */
    uint64_t found, found_capacity; /* its own part of `found`, if it has one */
    uint32_t words;                 /* of state */
    uint64_t state;                 /* offset of its state, in words */
    uint64_t report;                /* index of its first report */
    uint64_t family[SL_BANK_WORDS]; /* offsets of its packed indices */
};

/* The events in GPU memory. */
struct sl_bank_events {
    const uint32_t *tuple_id;
    const uint64_t *value, *pc, *second;
};

/* Events `from` .. `from` + n - 1: their tuple ids and packed indices. */
struct sl_bank_in {
    struct sl_bank_events events;
    const uint32_t *tuple;
    const uint64_t *packed;
    uint64_t *gaps;
    uint32_t from, n, last; /* 1: these are the last events of the stream */
};

/* Output of the tables. Tables without their own part of `found` allocate from n_found. */
struct sl_bank_out {
    struct sl_bank_report *report;
    struct sl_bank_found *found;
    uint64_t *n_found;
    const uint32_t *event_of; /* by tuple id: 1 + one of its events */
};

SL_BANK uint64_t sl_bank_second(const struct sl_bank_events *e, uint32_t i)
{
    return e->value ? e->value[i] : e->second[e->tuple_id[i]];
}

/* Returns the tuple id of an event: 1 + its slot in a hash table of 2^bits slots. A slot holds 1 +
 * the first event with its tuple and never changes, so that no lock is needed for the comparison.
 */
SL_BANK uint32_t sl_bank_identify(const struct sl_bank_events *e, uint32_t i, uint32_t *first,
                                  unsigned bits)
{
    uint64_t pc = e->pc[e->tuple_id[i]], second = sl_bank_second(e, i);
    uint64_t mixed = (pc * UINT64_C(0xd1b54a32d192ed03) ^ second) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)((mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> (64 - bits));
    for (uint32_t other; (other = sl_claim(&first[at], i + 1)) != 0;
         at = (at + 1) & ((1u << bits) - 1))
        if (e->pc[e->tuple_id[other - 1]] == pc && sl_bank_second(e, other - 1) == second)
            break;
    return at + 1;
}

/* Packed indices of an event. `hash` is an sl_packed_hash, with the half for the second field
 * first. */
SL_BANK uint64_t sl_bank_hash(const struct sl_bank_events *e, uint32_t i, const uint64_t *hash)
{
    uint64_t word[2] = {sl_bank_second(e, i), e->pc[e->tuple_id[i]]}, index = 0;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned place = 0; place < 8; place++)
            index ^= hash[(8 * half + place) * 256 + (word[half] >> 8 * place & 255)];
    return index;
}

#endif
