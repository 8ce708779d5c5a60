/* SPDX-License-Identifier: MIT */
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
#ifndef SL_SKETCH_H
#define SL_SKETCH_H

#include "shelf.h"

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
