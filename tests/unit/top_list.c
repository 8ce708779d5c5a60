/* SPDX-License-Identifier: MIT */
/* Unit tests of the top list of sketches, the list of the tuples with the highest counts. After any
 * sequence of additions, replacements and changed counts, the positions of all tuples and the
 * position of the smallest count equal those found by a linear search of a simple array. */
#include "top_list.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "random.h"
#include "tap.h"

#define CAPACITY_MAX 40u
#define STEPS 20000u

static struct sl_top_list list;
static void *memory;

static struct {
    struct sl_tuple tuple;
    uint64_t count;
} plain[CAPACITY_MAX];
static uint32_t n_plain;

/* Few keys, so that many tuples share a chain. */
static uint64_t key_of(struct sl_tuple tuple)
{
    return sl_mix((tuple.pc ^ tuple.value) % 7) << 3;
}

static void open_list(size_t capacity)
{
    struct sl_layout size = {0};
    sl_top_list_lay_out(&list, capacity, &size);
    memory = calloc(1, size.used);
    struct sl_layout layout = {(uintptr_t)memory, 0};
    list = (struct sl_top_list){0};
    sl_top_list_lay_out(&list, capacity, &layout);
    n_plain = 0;
}

static uint32_t plain_find(struct sl_tuple tuple)
{
    for (uint32_t i = 0; i < n_plain; i++)
        if (plain[i].tuple.pc == tuple.pc && plain[i].tuple.value == tuple.value)
            return i;
    return SL_TOP_LIST_NONE;
}

static uint32_t plain_least(void)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < n_plain; i++)
        if (plain[i].count < plain[least].count)
            least = i;
    return least;
}

static void set_count(uint32_t position, uint64_t count)
{
    bool smaller = count < list.count[position];
    list.count[position] = plain[position].count = count;
    if (smaller)
        sl_top_list_changed(&list, position);
}

/* Adds the tuple; in a full list it replaces the first tuple with the smallest count. Returns
 * whether both lists chose the same position. */
static bool insert(struct sl_tuple tuple, uint64_t count)
{
    uint32_t position = sl_top_list_add(&list, tuple, key_of(tuple));
    bool full = n_plain == list.capacity;
    if (full) {
        uint32_t least = sl_top_list_least(&list);
        if (position != SL_TOP_LIST_NONE || least != plain_least())
            return false;
        sl_top_list_rename(&list, least, tuple, key_of(tuple));
        plain[least].tuple = tuple;
        list.count[least] = plain[least].count += count;
        return true;
    }
    if (position != n_plain || list.count[position] || list.extra[position])
        return false;
    plain[n_plain].tuple = tuple;
    plain[n_plain++].count = 0;
    list.count[position] = plain[position].count = count;
    sl_top_list_changed(&list, position);
    return true;
}

static bool same_tuples(void)
{
    bool same = list.n == n_plain;
    for (uint32_t i = 0; i < n_plain && same; i++)
        same = list.count[i] == plain[i].count && sl_tuple_same(list.tuple[i], plain[i].tuple) &&
               sl_top_list_find(&list, plain[i].tuple, key_of(plain[i].tuple)) == i;
    return same;
}

static void test_capacity(size_t capacity, uint64_t names)
{
    uint64_t seed = capacity + names;
    bool same = true, tuples = true;
    open_list(capacity);
    for (unsigned i = 0; i < STEPS && same && tuples; i++) {
        struct sl_tuple tuple = {sl_random_below(&seed, names), sl_random_below(&seed, 2)};
        uint32_t position = plain_find(tuple);
        same = sl_top_list_find(&list, tuple, key_of(tuple)) == position;
        if (position == SL_TOP_LIST_NONE)
            same &= insert(tuple, 1);
        else if (sl_random_below(&seed, 50))
            set_count(position, plain[position].count + sl_random_below(&seed, 3));
        else
            set_count(position, plain[position].count / 2);
        if (n_plain == capacity)
            same &= sl_top_list_least(&list) == plain_least();
        tuples = same_tuples();
    }
    ok(same, "%zu entries, %llu tuples: the first position with the smallest count", capacity,
       2 * (unsigned long long)names);
    ok(tuples, "%zu entries, %llu tuples: each tuple is found at its position", capacity,
       2 * (unsigned long long)names);
    free(memory);
}

int main(void)
{
    static const size_t capacities[] = {1, 2, 7, 8, 9, 16, CAPACITY_MAX};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        test_capacity(capacities[i], 3);
        test_capacity(capacities[i], 200);
    }
    return done_testing();
}
