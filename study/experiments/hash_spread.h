/* SPDX-License-Identifier: MIT */
/* Quality of the hash functions of the modelled tables (byte_hash.h): how evenly they distribute
 * the tuples of a program over the counters. */
#ifndef HASH_SPREAD_H
#define HASH_SPREAD_H

#include "profile_list.h"

#define HASH_SPREAD_TABLES 8u

struct hash_spread {
    /* Standard deviation of the number of tuples per counter, divided by its mean, averaged over
     * the tables; and the value that a uniform random function would give. */
    double deviation, by_chance;
    /* Fraction of the tuples that have the same counters in all tables as an earlier tuple: the
     * profiler cannot tell the two apart. */
    double aliased;
};

/* Measures the hash functions 0 to tables - 1 (at most HASH_SPREAD_TABLES) with an index of 1 to 16
 * bits. The list must not be empty. Returns false if out of memory. */
bool hash_spread(const struct sl_profile_list *tuples, uint64_t seed, unsigned tables,
                 unsigned bits, struct hash_spread *spread);

#endif
