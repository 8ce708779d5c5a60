/* SPDX-License-Identifier: MIT */
/* Top list of a sketch: a fixed number of tuples with their counts. top_list.h describes the list.
 * The search for the smallest count compares eight entries at once, in loops without branches that
 * compilers turn into vector code. */
#include "top_list.h"

/* Places that are compared together, without a branch for each, which would be mispredicted. */
#define LANE 8u

void sl_top_list_lay_out(struct sl_top_list *list, size_t capacity, struct sl_layout *l)
{
    unsigned bits = sl_log2_up(16 * capacity);
    list->capacity = (uint32_t)capacity;
    list->shift = 64 - bits;
    list->tuple = sl_layout_array(l, capacity, sizeof *list->tuple);
    list->count = sl_layout_array(l, capacity + LANE, sizeof *list->count);
    list->extra = sl_layout_array(l, capacity, sizeof *list->extra);
    list->home = sl_layout_array(l, capacity, sizeof *list->home);
    list->next = sl_layout_array(l, capacity, sizeof *list->next);
    list->slot = sl_layout_array(l, (size_t)1 << bits, sizeof *list->slot);
}

uint32_t sl_top_list_add(struct sl_top_list *list, struct sl_tuple tuple, uint64_t key)
{
    if (list->n == list->capacity)
        return SL_TOP_LIST_NONE;
    uint32_t position = list->n++;
    list->count[position] = list->extra[position] = 0;
    sl_top_list_put(list, position, tuple, key);
    return position;
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

/* The first position from `at` on with this count, or a number >= n if there is none. May read up
 * to LANE - 1 counts after the last position, and ignores them. */
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

uint32_t sl_top_list_search_least(struct sl_top_list *list)
{
    for (;;) {
        list->cursor = first_with(list->count, list->cursor, list->n, list->least);
        if (list->cursor < list->n)
            return list->cursor;
        list->least = smallest(list->count, list->n);
        list->cursor = 0;
    }
}
