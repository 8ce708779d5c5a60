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

/* ---- countmin.c, countsketch.c ---- */

/* Rows of counters that tuples share, and a shelf with the names of those that count most: what
 * countmin.c and countsketch.c have in common. A sketch can be asked for any tuple, but does not
 * know which there were; the shelf does, for the heaviest.
 *
 *     row 0   | counter | counter | ...      one counter of each row for a tuple, by a hash
 *                                            function
 *     row 1   | ...                          of its own
 *     shelf   | tuple (128) | estimate | ... in place of the papers' heap: the same, as the least
 *                                            estimate is all that is asked of it
 *
 * After each event the tuple's estimate is known. One that is on the shelf has its estimate there
 * replaced; another comes on it if there is room, or if its estimate is above the least there. */
struct sl_sketch_config {
    uint64_t rows, columns, counter, entries, seed;
    bool conservative; /* countmin's */
};

struct sl_sketch {
    struct sl_rival rival;
    struct sl_shelf shelf;
    unsigned rows;
    uint64_t columns;
    int64_t *cell; /* rows of them */
    bool conservative;
};

#define SL_SKETCH_OPTIONS(rows_, rows_max, help_)                                                  \
    SL_UNSIGNED(struct sl_sketch_config, rows, rows_, 1, rows_max, help_),                         \
        SL_UNSIGNED_FLAGS(struct sl_sketch_config, columns, "512", 2, 32768, SL_OPTION_POWER_OF_2, \
                          "counters of a row"),                                                    \
        SL_UNSIGNED(struct sl_sketch_config, counter, "32", 2, 60, "bits of a counter"),           \
        SL_UNSIGNED(struct sl_sketch_config, entries, "64", 1, 1 << 20, "tuples that it names"),   \
        SL_UNSIGNED(struct sl_sketch_config, seed, "1", 0, UINT64_MAX, "of the hash functions")

/* As sl_table_kind has them; `bits` more of each function's hash than a row needs. */
uint64_t sl_sketch_storage_bits(const void *config);
size_t sl_sketch_size(const void *config, const struct sl_table_host *host);
void sl_sketch_init(struct sl_sketch *s, const struct sl_sketch_config *config, unsigned bits,
                    const struct sl_table_host *host);

/* The tuple's estimate is this now, with an event of this weight. What came while it was on the
 * shelf is in `extra`: only the model knows that, for bounds. */
SL_RIVAL_INLINE void sl_sketch_name(struct sl_sketch *s, struct sl_tuple tuple, uint64_t weight,
                                    uint64_t estimate, uint64_t key)
{
    struct sl_shelf *shelf = &s->shelf;
    uint32_t place = sl_shelf_find(shelf, tuple, key);
    if (place == SL_SHELF_NONE) {
        if (estimate <= (shelf->n == shelf->room ? shelf->least : 0))
            return;
        place = sl_shelf_add(shelf, tuple, key);
        if (place == SL_SHELF_NONE) {
            place = sl_shelf_least(shelf);
            if (estimate <= shelf->count[place])
                return;
            sl_shelf_rename(shelf, place, tuple, key);
            shelf->extra[place] = 0;
        }
    }
    shelf->count[place] = estimate;
    shelf->extra[place] += weight;
    sl_shelf_changed(shelf, place);
}

#endif
