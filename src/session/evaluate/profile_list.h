/* SPDX-License-Identifier: MIT */
/* A profile as a list: every tuple with its count, as a drain gives them. What the
 * measures compare.
 *
 * A list is filled in any order, then sorted by pc, then value, once: equal tuples
 * (an instruction whose bytes changed comes under two numbers with one pc) become
 * one, and two sorted lists are compared by walking along both.
 *
 * A list that is all zero is empty and ready. */
#ifndef SL_PROFILE_LIST_H
#define SL_PROFILE_LIST_H

#include "sluice.h"

/* Half of a struct sl_entry: exact profiles have millions. */
struct sl_counted {
    struct sl_tuple tuple;
    uint64_t count;
};

struct sl_profile_list {
    struct sl_counted *entry;
    size_t n, room;
    bool out_of_memory; /* some of the profile is missing; until cleared */
    bool sorted;        /* as sl_profile_list_sort leaves it, */
    uint64_t sum;       /* and then of all counts */
    /* Made by sl_profile_list_heavy: those that count so much (0: not made), in the same order. */
    uint64_t heavy_from;
    struct sl_counted *heavy;
    size_t n_heavy, room_heavy;
};

/* As the `emit` of a drain. Entries that count nothing are left out. Out of memory:
 * false, and the list says so from then on. */
bool sl_profile_list_add(void *list, const struct sl_entry *entry);

/* Sorts and adds up what is equal; nothing for a list that is sorted. In place. */
void sl_profile_list_sort(struct sl_profile_list *list);

/* Sorts it and picks those out that count `least` or more, at least 1, into list->heavy; lighter
 * ones may be among them. They are few, and many ask for the same. False without memory. */
bool sl_profile_list_heavy(struct sl_profile_list *list, uint64_t least);

/* What a sorted list has for the tuple; 0: nothing. Tuples are asked for in order, with a place
 * that is 0 at first: near the last one is searched first. */
uint64_t sl_profile_list_count(const struct sl_profile_list *list, struct sl_tuple tuple,
                               size_t *from);

/* Empties it; memory stays. */
void sl_profile_list_clear(struct sl_profile_list *list);
void sl_profile_list_free(struct sl_profile_list *list);

/* < 0, 0 or > 0: the order of a sorted list. */
static inline int sl_tuple_order(struct sl_tuple a, struct sl_tuple b)
{
    if (a.pc != b.pc)
        return a.pc < b.pc ? -1 : 1;
    return a.value < b.value ? -1 : a.value > b.value;
}

#endif
