/* SPDX-License-Identifier: MIT */
/* Top list of a sketch: a fixed number of tuples with their counts (top_list.h). The smallest count
 * is searched eight entries at a time, in loops without branches that compilers turn into vector
 * code. */
#include "top_list.h"

/* Places that are compared together, without a branch for each, which would be mispredicted. */
#define LANE 8u

void sl_top_list_lay_out(struct sl_top_list *shelf, size_t capacity, struct sl_layout *l)
{
    unsigned bits = 4;
    while ((UINT64_C(1) << bits) < 16 * capacity)
        bits++;
    shelf->capacity = (uint32_t)capacity;
    shelf->shift = 64 - bits;
    shelf->tuple = sl_layout_take(l, capacity, sizeof *shelf->tuple);
    shelf->count = sl_layout_take(l, capacity + LANE, sizeof *shelf->count);
    shelf->extra = sl_layout_take(l, capacity, sizeof *shelf->extra);
    shelf->home = sl_layout_take(l, capacity, sizeof *shelf->home);
    shelf->next = sl_layout_take(l, capacity, sizeof *shelf->next);
    shelf->slot = sl_layout_take(l, (size_t)1 << bits, sizeof *shelf->slot);
}

uint32_t sl_top_list_add(struct sl_top_list *shelf, struct sl_tuple tuple, uint64_t key)
{
    if (shelf->n == shelf->capacity)
        return SL_SHELF_NONE;
    uint32_t place = shelf->n++;
    shelf->count[place] = shelf->extra[place] = 0;
    sl_top_list_put(shelf, place, tuple, key);
    return place;
}

static uint64_t smallest(const uint64_t *count, uint32_t n)
{
    uint64_t least[LANE];
    for (unsigned k = 0; k < LANE; k++)
        least[k] = UINT64_MAX;
    uint32_t at = 0;
    for (; at + LANE <= n; at += LANE)
        for (unsigned k = 0; k < LANE; k++)
            least[k] = count[at + k] < least[k] ? count[at + k] : least[k];
    for (; at < n; at++)
        least[0] = count[at] < least[0] ? count[at] : least[0];
    for (unsigned k = 1; k < LANE; k++)
        least[0] = least[k] < least[0] ? least[k] : least[0];
    return least[0];
}

/* The first place from `at` on with this count, or a number >= n if there is none. May read up to
 * LANE - 1 counts after the last place, and ignores them. */
static uint32_t first_with(const uint64_t *count, uint32_t at, uint32_t n, uint64_t wanted)
{
    for (; at < n; at += LANE) {
        unsigned hits = 0;
        for (unsigned k = 0; k < LANE; k++)
            hits |= (unsigned)(count[at + k] == wanted) << k;
        if (hits)
            return at + (uint32_t)__builtin_ctz(hits);
    }
    return at;
}

uint32_t sl_top_list_search_least(struct sl_top_list *shelf)
{
    for (;;) {
        shelf->cursor = first_with(shelf->count, shelf->cursor, shelf->n, shelf->least);
        if (shelf->cursor < shelf->n)
            return shelf->cursor;
        shelf->least = smallest(shelf->count, shelf->n);
        shelf->cursor = 0;
    }
}
