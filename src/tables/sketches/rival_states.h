/* SPDX-License-Identifier: MIT */
/* What the tables of today hold, for those who have to see it from outside: their twins in
 * hardware. What it means is in each table's own file; the two sketches are in sketch.h. */
#ifndef SL_RIVAL_STATES_H
#define SL_RIVAL_STATES_H

#include "shelf.h"

/* ---- spacesaving.c, misragries.c ---- */

struct sl_shelf_config {
    uint64_t entries, counter;
};

struct sl_spacesaving {
    struct sl_rival rival;
    struct sl_shelf shelf; /* `extra` is the error */
};

struct sl_misragries {
    struct sl_rival rival;
    struct sl_shelf shelf; /* counts are `gone` more than they say */
    uint64_t gone, drops;  /* taken from all; events that left nothing */
};

/* ---- heavykeeper.c ---- */

#define SL_HEAVYKEEPER_CHANCES 1024

struct sl_heavykeeper_config {
    uint64_t rows, columns, fingerprint, counter, entries, seed;
    double base;
};

struct sl_heavykeeper_bucket {
    uint64_t count;
    uint64_t fingerprint;
};

struct sl_heavykeeper {
    struct sl_rival rival;
    struct sl_shelf shelf;
    unsigned rows;
    uint64_t columns, random;
    struct sl_heavykeeper_bucket *bucket;
    uint64_t *chance; /* by count, of 2^64 */
};

/* ---- elastic.c ---- */

struct sl_elastic_config {
    uint64_t buckets, ways, counter, lambda, light, light_counter, seed;
};

struct sl_elastic_entry {
    struct sl_tuple tuple;
    uint64_t count; /* 0: free */
    uint64_t light; /* the tuple's counter in the light part */
    bool flag;
};

struct sl_elastic {
    struct sl_rival rival;
    struct sl_elastic_config config;
    uint64_t light_most;
    struct sl_elastic_entry *entry; /* ways of them for each bucket */
    uint64_t *votes;                /* by bucket */
    uint64_t *light;
    uint64_t *marks; /* by bucket, for the search: a byte of each of the first entries, 0: free */
    uint64_t *least; /* by bucket: no entry counts less */
};

/* ---- cocosketch.c ---- */

struct sl_cocosketch_config {
    uint64_t rows, columns, counter, seed;
};

struct sl_cocosketch_bucket {
    struct sl_tuple tuple;
    uint64_t count; /* 0: free */
};

struct sl_cocosketch {
    struct sl_rival rival;
    unsigned rows;
    uint64_t columns, random;
    struct sl_cocosketch_bucket *bucket;
};

#endif
