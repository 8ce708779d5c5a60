/* SPDX-License-Identifier: MIT */
/* Unit tests of the index map, a hash table that assigns the indices 0, 1, 2, ... to keys, and of
 * growing arrays. Both are compared with simple lists. */
#include "index_map.h"

#include <string.h>

#include "grow.h"
#include "random.h"
#include "tap.h"

enum { KEYS = 3000 };

static uint64_t key[KEYS][2];
static size_t n_keys;

/* The definition: the position of the key in the order of first appearance. */
static uint32_t plain_find(uint64_t a, uint64_t b)
{
    for (size_t i = 0; i < n_keys; i++)
        if (key[i][0] == a && key[i][1] == b)
            return (uint32_t)i;
    return SL_NO_INDEX;
}

static void map(void)
{
    struct sl_index_map m = {0};
    uint64_t random = 1;
    bool found = true, added = true;
    ok(sl_index_find(&m, 1, 2) == SL_NO_INDEX, "an empty map finds nothing");
    while (n_keys < tap_rounds(KEYS, 300)) {
        /* Few different words, extremes among them, so that many keys come again. */
        uint64_t a = sl_random_below(&random, 70), b = sl_random_below(&random, 70);
        a = a == 69 ? UINT64_MAX : a << 58 | a;
        b = b == 69 ? UINT64_MAX : b;
        uint32_t expected = plain_find(a, b);
        found &= sl_index_find(&m, a, b) == expected;
        if (expected == SL_NO_INDEX) {
            key[n_keys][0] = a;
            key[n_keys][1] = b;
            expected = (uint32_t)n_keys++;
        }
        added &= sl_index_add(&m, a, b) == expected && m.n_keys == n_keys;
    }
    ok(found, "a key is found if, and only if, it was added");
    ok(added, "keys have the numbers 0, 1, 2, ... in the order of their first appearance");
    for (size_t i = 0; i < n_keys; i++)
        found &= sl_index_find(&m, key[i][0], key[i][1]) == i;
    ok(found, "all keys keep their numbers while the map grows");
    sl_index_free(&m);
}

static void arrays(void)
{
    uint32_t *array = NULL;
    size_t capacity = 0;
    bool kept = true, zero = true, enough = true;
    for (size_t need = 0; need < 5000; need += 1 + need / 7) {
        size_t before = capacity;
        enough &= SL_GROW(array, capacity, need) && capacity >= need && capacity >= before;
        for (size_t i = 0; i < before; i++)
            kept &= array[i] == i + 1;
        for (size_t i = before; i < capacity; i++) {
            zero &= array[i] == 0;
            array[i] = (uint32_t)i + 1;
        }
    }
    ok(enough, "an array has at least the capacity that is needed");
    ok(kept, "elements stay");
    ok(zero, "new elements are 0");
    uint32_t *same = array;
    size_t as_before = capacity;
    ok(!SL_GROW(array, capacity, SIZE_MAX / 2) && array == same && capacity == as_before,
       "a size that cannot be is refused, and the array stays");
    free(array);
}

int main(void)
{
    map();
    arrays();
    return done_testing();
}
