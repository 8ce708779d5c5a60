/* SPDX-License-Identifier: MIT */
/* How the hash functions of the modelled tables (byte_hash.h) spread a program's tuples. */
#ifndef HASH_SPREAD_H
#define HASH_SPREAD_H

#include "profile_list.h"

#define HASH_SPREAD_TABLES 8u

struct hash_spread {
    /* Standard deviation of the tuples that fall on a counter, over their mean: the mean of
     * the tables; and what it would be if each fell anywhere with the same probability. */
    double deviation, by_chance;
    /* Share of the tuples that have the counters of another before them, in all tables: the
     * profiler cannot tell such two from each other. */
    double twins;
};

/* Of the functions 0 to tables - 1, at most HASH_SPREAD_TABLES, with an index of 1 to 16
 * bits. The list is not empty. Out of memory: false. */
bool hash_spread(const struct sl_profile_list *tuples, uint64_t seed, unsigned tables,
                 unsigned bits, struct hash_spread *spread);

#endif
