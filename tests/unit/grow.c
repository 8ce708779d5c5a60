/* SPDX-License-Identifier: MIT */
/* Unit tests of growing arrays: existing elements keep their values, new elements are zero, and if
 * no memory is available, nothing changes. */
#include "grow.h"

#include <stdint.h>

#include "random.h"
#include "tap.h"

static void test_growth(void)
{
    uint64_t *array = NULL, seed = 1;
    size_t capacity = 0, n = 0;
    bool kept = true, zeroed = true, enough = true;
    for (int round = 0; round < 200; round++) {
        size_t need = n + sl_random_below(&seed, 300), before = capacity;
        enough &= SL_GROW(array, capacity, need) && capacity >= need && capacity >= before;
        for (size_t i = before; i < capacity; i++)
            zeroed &= array[i] == 0;
        for (size_t i = 0; i < n; i++)
            kept &= array[i] == i + 1;
        for (; n < need; n++)
            array[n] = n + 1;
    }
    ok(enough, "the capacity is at least what was requested and never shrinks");
    ok(zeroed, "new elements are zero");
    ok(kept, "elements keep their values when the array moves");
    free(array);
}

static void test_failure(void)
{
    uint64_t *array = NULL;
    size_t capacity = 0;
    ok(SL_GROW(array, capacity, 10), "a small array is allocated");
    uint64_t *old = array;
    size_t old_capacity = capacity;
    ok(!SL_GROW(array, capacity, SIZE_MAX / 4) && array == old && capacity == old_capacity,
       "a size that overflows is refused, and the array is unchanged");
    ok(!SL_GROW(array, capacity, SIZE_MAX) && array == old && capacity == old_capacity,
       "a number of elements that has no power of two above it is refused, too");
    free(array);
}

int main(void)
{
    test_growth();
    test_failure();
    return done_testing();
}
