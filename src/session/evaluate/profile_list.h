/* SPDX-License-Identifier: MIT */
/* Profile list: the tuples of a profile with their counts, the input of all error measures.
 *
 * A list is filled in any order by draining a table and then sorted once, by pc and value. Sorting
 * adds up equal tuples (an instruction whose bytes changed has two tuple ids with one pc). Two
 * sorted lists are compared by merging them.
 *
 * A zeroed list is empty. */
#ifndef SL_PROFILE_LIST_H
#define SL_PROFILE_LIST_H

#include "sluice.h"

/* Half as large as struct sl_entry: exact profiles have millions. */
struct sl_counted {
    struct sl_tuple tuple;
    uint64_t count;
};

struct sl_profile_list {
    struct sl_counted *entry;
    size_t n, capacity;
    bool out_of_memory; /* the list is incomplete, until it is cleared */
    bool sorted;        /* by sl_profile_list_sort(), which also sets: */
    uint64_t sum;       /* of all counts */
    /* By sl_profile_list_heavy(): the entries with at least this count (0: not set), sorted. */
    uint64_t heavy_from;
    struct sl_counted *heavy;
    size_t n_heavy, heavy_capacity;
};

/* Appends an entry unless its count is 0; for sl_table_drain(). Returns false and sets
 * out_of_memory if out of memory. */
bool sl_profile_list_add(void *list, const struct sl_entry *entry);

/* Sorts the list in place and adds up equal tuples; does nothing if it is sorted. */
void sl_profile_list_sort(struct sl_profile_list *list);

/* Sorts the list and copies the entries with a count of at least `least` (at least 1) to
 * list->heavy. If an earlier call with a lower `least` filled it, that stays, so that lower counts
 * may be among them. Returns false if out of memory. */
bool sl_profile_list_heavy(struct sl_profile_list *list, uint64_t least);

/* The count of a tuple in a sorted list; 0 if it is not there. For a sequence of tuples in
 * ascending order: *from is 0 at first, and each search starts where the last one ended. */
uint64_t sl_profile_list_count(const struct sl_profile_list *list, struct sl_tuple tuple,
                               size_t *from);

/* Empties the list without freeing its memory. */
void sl_profile_list_clear(struct sl_profile_list *list);
void sl_profile_list_free(struct sl_profile_list *list);

/* Compares tuples as a sorted list orders them: < 0, 0 or > 0. */
static inline int sl_tuple_order(struct sl_tuple a, struct sl_tuple b)
{
    if (a.pc != b.pc)
        return a.pc < b.pc ? -1 : 1;
    return a.value < b.value ? -1 : a.value > b.value;
}

#endif
