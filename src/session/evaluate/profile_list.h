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
};

/* Appends an entry unless its count is 0; for sl_table_drain(). Returns false and sets
 * out_of_memory if out of memory. */
bool sl_profile_list_add(void *list, const struct sl_entry *entry);

/* Sorts the list in place and adds up equal tuples; does nothing if it is sorted. */
void sl_profile_list_sort(struct sl_profile_list *list);

/* The tuples of two sorted lists, in ascending order; zeroed, except for the lists, at first. */
struct sl_profile_pair {
    const struct sl_profile_list *a, *b;
    size_t next_a, next_b;
    struct sl_tuple tuple;     /* the current one */
    uint64_t count_a, count_b; /* its counts in the lists; 0 if it is not there */
};

/* Advances to the next tuple. Returns false at the end of both lists. */
bool sl_profile_pair_next(struct sl_profile_pair *pair);

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
