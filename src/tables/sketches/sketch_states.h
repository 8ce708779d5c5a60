/* SPDX-License-Identifier: MIT */
/* Structs with the states of the sketches and counter summaries. The RTL generator uses these
 * structs, too. The comment at the top of each sketch's file explains the fields. */
#ifndef SL_SKETCH_STATES_H
#define SL_SKETCH_STATES_H

#include "top_list.h"

/* ---- spacesaving.c, misragries.c ---- */

struct sl_top_list_config {
    uint64_t entries, counter;
};

struct sl_spacesaving {
    struct sl_sketch sketch;
    struct sl_top_list list; /* `extra` is the error */
};

struct sl_misragries {
    struct sl_sketch sketch;
    struct sl_top_list list; /* a stored count is `decremented` more than the true one */
    uint64_t decremented,
        drops; /* subtracted from all counts; events without any effect on an entry */
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
    struct sl_sketch sketch;
    struct sl_top_list list;
    unsigned rows;
    uint64_t columns, random;
    struct sl_heavykeeper_bucket *bucket;
    uint64_t *chance; /* by count: 2^64 x probability of a decrement */
};

/* ---- elastic.c ---- */

struct sl_elastic_config {
    uint64_t buckets, ways, counter, lambda, light, light_counter, seed;
};

struct sl_elastic_entry {
    struct sl_tuple tuple;
    uint64_t count; /* 0: free */
    uint64_t light; /* index of the tuple's counter in the light part */
    bool flag;
};

struct sl_elastic {
    struct sl_sketch sketch;
    struct sl_elastic_config config;
    uint64_t light_most;
    struct sl_elastic_entry *entry; /* `ways` per bucket */
    uint64_t *votes;                /* by bucket */
    uint64_t *light;
    uint64_t *marks; /* by bucket, for the search: one byte per entry of the first eight; 0: free */
    uint64_t *least; /* by bucket: no count is smaller */
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
    struct sl_sketch sketch;
    unsigned rows;
    uint64_t columns, random;
    struct sl_cocosketch_bucket *bucket;
};

/* ---- countmin.c, countsketch.c ---- */

/* Rows of counters that tuples share, and a list with the names of the top tuples. A
 * sketch estimates the count of any given tuple, but does not store which tuples occurred; the list
 * does.
 *
 *     row 0   | counter | counter | ...      each row has a hash function, which selects one
 *     row 1   | ...                          counter for a tuple
 *     list    | tuple (128) | estimate | ... replaces the heap of the papers, of which only the
 *                                            smallest estimate is used
 *
 * Each event gives a new estimate for its tuple. If the tuple is in the list, the estimate there is
 * replaced. Otherwise it enters the list if a position is free or if its estimate is above the
 * smallest one, which it replaces. */
struct sl_counter_rows_config {
    uint64_t rows, columns, counter, entries, seed;
    bool conservative; /* only countmin */
};

struct sl_counter_rows {
    struct sl_sketch sketch;
    struct sl_top_list list;
    unsigned rows;
    uint64_t columns;
    int64_t *cell; /* rows of them */
    bool conservative;
};

#define SL_SKETCH_OPTIONS(rows_, rows_max, help_)                                  \
    SL_UNSIGNED(struct sl_counter_rows_config, rows, rows_, 1, rows_max, help_),   \
        SL_UNSIGNED_FLAGS(struct sl_counter_rows_config, columns, "512", 2, 32768, \
                          SL_OPTION_POWER_OF_2, "counters per row"),               \
        SL_UNSIGNED(struct sl_counter_rows_config, counter, "32", 2, 60,           \
                    "width of a counter, in bits"),                                \
        SL_UNSIGNED(struct sl_counter_rows_config, entries, "64", 1, 1 << 20,      \
                    "tuples in the top list"),                                     \
        SL_UNSIGNED(struct sl_counter_rows_config, seed, "1", 0, UINT64_MAX,       \
                    "seed of the hash functions")

/* storage_bits, and the two parts of SL_SKETCH_MAKE(). A sketch with signed counters uses one bit
 * of each hash function, and one of each counter, for the sign. */
uint64_t sl_counter_rows_storage_bits(const struct sl_counter_rows_config *config);
void sl_counter_rows_lay_out(struct sl_counter_rows *s, const struct sl_counter_rows_config *config,
                             const struct sl_table_host *host, struct sl_layout *l);
void sl_counter_rows_set_up(struct sl_counter_rows *s, const struct sl_counter_rows_config *config,
                            unsigned sign_bits);

/* Updates the list after an event of this weight that gave this estimate. `extra` is the weight
 * that arrived while the tuple was in the list: not part of the hardware, only for bounds. */
SL_SKETCH_INLINE void sl_counter_rows_name(struct sl_counter_rows *s, struct sl_tuple tuple,
                                           uint64_t weight, uint64_t estimate, uint64_t key)
{
    struct sl_top_list *list = &s->list;
    uint32_t position = sl_top_list_find(list, tuple, key);
    if (position == SL_TOP_LIST_NONE) {
        if (estimate <= (list->n == list->capacity ? list->least : 0))
            return;
        position = sl_top_list_add(list, tuple, key);
        if (position == SL_TOP_LIST_NONE) {
            position = sl_top_list_least(list);
            if (estimate <= list->count[position])
                return;
            sl_top_list_rename(list, position, tuple, key);
            list->extra[position] = 0;
        }
    }
    list->count[position] = estimate;
    list->extra[position] += weight;
    sl_top_list_changed(list, position);
}

#endif
