/* SPDX-License-Identifier: MIT */
/* Arrays that grow by doubling. SL_GROW() updates the pointer and the capacity of an array. */
#ifndef SL_GROW_H
#define SL_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Grows the array to a capacity of at least `need` elements of `size` bytes; new elements are
 * zeroed. Returns false and changes nothing if out of memory. `array_pointer` is the address of the
 * pointer. */
bool sl_grow_to(void *array_pointer, size_t *capacity, size_t need, size_t size);

#define SL_GROW(array, capacity, need) sl_grow_to(&(array), &(capacity), (need), sizeof *(array))

#endif
