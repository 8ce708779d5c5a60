/* SPDX-License-Identifier: MIT */
/* Sorts and compares lists of tuples with counts (profile_list.h). The sort is an in-place MSD
 * radix sort.
 *
 * A tuple is a key of 128 bits. Most of the bits are equal in all tuples of a program (the upper
 * bits of addresses and of small values), so each part of the list is split by the 8 bits that
 * start at the highest bit in which its tuples differ; short parts are sorted by insertion. Each
 * level removes at least 8 bits, so that there are at most 16 levels for any input.
 *
 * For millions of tuples it takes a third of the time of qsort(3), and it allocates nothing. */
#include "profile_list.h"

#include <stdlib.h>

#include "grow.h"

#define FEW 48u

typedef unsigned __int128 key;

static inline key key_of(const struct sl_counted *entry)
{
    return (key)entry->tuple.pc << 64 | entry->tuple.value;
}

static void sort_few(struct sl_counted *entry, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct sl_counted moving = entry[i];
        size_t at = i;
        for (; at > 0 && key_of(&moving) < key_of(&entry[at - 1]); at--)
            entry[at] = entry[at - 1];
        entry[at] = moving;
    }
}

/* The right shift that selects the digit; -1 if all tuples are equal. */
static int digit_of(const struct sl_counted *entry, size_t n)
{
    key differ = 0;
    for (size_t i = 1; i < n; i++)
        differ |= key_of(&entry[i]) ^ key_of(&entry[0]);
    if (!differ)
        return -1;
    uint64_t high = (uint64_t)(differ >> 64), low = (uint64_t)differ;
    int top = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);
    return top < 7 ? 0 : top - 7;
}

static void sort(struct sl_counted *entry, size_t n)
{
    if (n <= FEW) {
        sort_few(entry, n);
        return;
    }
    int shift = digit_of(entry, n);
    if (shift < 0)
        return;
    size_t next[256] = {0}, end[256];
    for (size_t i = 0; i < n; i++)
        next[(uint8_t)(key_of(&entry[i]) >> shift)]++;
    for (size_t digit = 0, sum = 0; digit < 256; digit++) {
        size_t count = next[digit];
        next[digit] = sum;
        end[digit] = sum += count;
    }
    /* Every exchange moves one tuple to its final part. */
    for (size_t digit = 0; digit < 256; digit++)
        while (next[digit] < end[digit]) {
            struct sl_counted *here = &entry[next[digit]];
            uint8_t home = (uint8_t)(key_of(here) >> shift);
            struct sl_counted *there = &entry[next[home]++], moved = *here;
            *here = *there;
            *there = moved;
        }
    for (size_t digit = 0, start = 0; digit < 256; start = end[digit++])
        sort(entry + start, end[digit] - start);
}

void sl_profile_list_sort(struct sl_profile_list *list)
{
    if (list->sorted)
        return;
    sort(list->entry, list->n);
    size_t n = 0;
    list->sum = 0;
    for (size_t i = 0; i < list->n; i++) {
        list->sum += list->entry[i].count;
        if (n && !sl_tuple_order(list->entry[n - 1].tuple, list->entry[i].tuple))
            list->entry[n - 1].count += list->entry[i].count;
        else
            list->entry[n++] = list->entry[i];
    }
    list->n = n;
    list->sorted = true;
}

bool sl_profile_list_add(void *context, const struct sl_entry *entry)
{
    struct sl_profile_list *list = context;
    if (list->out_of_memory)
        return false;
    if (!entry->count)
        return true;
    if (!SL_GROW(list->entry, list->capacity, list->n + 1)) {
        list->out_of_memory = true;
        return false;
    }
    list->entry[list->n++] = (struct sl_counted){entry->tuple, entry->count};
    list->sorted = false;
    return true;
}

bool sl_profile_pair_next(struct sl_profile_pair *p)
{
    const struct sl_counted *a = p->next_a < p->a->n ? &p->a->entry[p->next_a] : NULL;
    const struct sl_counted *b = p->next_b < p->b->n ? &p->b->entry[p->next_b] : NULL;
    if (!a && !b)
        return false;
    int order = !a ? 1 : !b ? -1 : sl_tuple_order(a->tuple, b->tuple);
    p->tuple = order <= 0 ? a->tuple : b->tuple;
    p->count_a = order <= 0 ? a->count : 0;
    p->count_b = order >= 0 ? b->count : 0;
    p->next_a += order <= 0;
    p->next_b += order >= 0;
    return true;
}

void sl_profile_list_clear(struct sl_profile_list *list)
{
    list->n = 0;
    list->out_of_memory = list->sorted = false;
}

void sl_profile_list_free(struct sl_profile_list *list)
{
    free(list->entry);
    *list = (struct sl_profile_list){0};
}
