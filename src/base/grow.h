/* SPDX-License-Identifier: MIT */
/* Arrays that grow by doubling, sorting and binary search. SL_GROW() updates the pointer and the
 * capacity of an array. */
#ifndef SL_GROW_H
#define SL_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grows the array to a capacity of at least `need` elements of `size` bytes; new elements are
 * zeroed. Returns false and changes nothing if out of memory. `array_pointer` is the address of the
 * pointer. */
bool sl_grow_to(void *array_pointer, size_t *capacity, size_t need, size_t size);

#define SL_GROW(array, capacity, need) sl_grow_to(&(array), &(capacity), (need), sizeof *(array))

/* Sorts n elements, as qsort(3); the array may be NULL if n is 0. */
#define SL_SORT(array, n, compare) sl_sort((array), (n), sizeof *(array), compare)
void sl_sort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *));

/* Sorts n elements and removes each one that equals the one before it, after `merge` (NULL: none)
 * has added it to that and freed its members. Returns the number of elements that are left. */
#define SL_SORT_AND_MERGE(array, n, compare, merge) \
    sl_sort_and_merge((array), (n), sizeof *(array), compare, merge)
size_t sl_sort_and_merge(void *array, size_t n, size_t size,
                         int (*compare)(const void *, const void *),
                         void (*merge)(void *to, void *from));

/* Order of two numbers for a comparison function, and `otherwise` if they are equal. The other way
 * round for a descending order: sl_order(b->cost, a->cost, ...). */
static inline int sl_order(uint64_t a, uint64_t b, int otherwise)
{
    return a != b ? (a < b ? -1 : 1) : otherwise;
}

/* Index of the first of n elements, sorted by `member` (a uint64_t), whose member is not less than
 * `key`. */
#define SL_LOWER_BOUND(array, n, type, member, key) \
    sl_lower_bound((array), (n), sizeof(type), offsetof(type, member), key)
size_t sl_lower_bound(const void *array, size_t n, size_t size, size_t offset, uint64_t key);

#endif
