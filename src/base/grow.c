/* SPDX-License-Identifier: MIT */
/* Grows an array by doubling its capacity (grow.h). */
#include "grow.h"

#include <stdlib.h>
#include <string.h>

bool sl_grow_to(void *array_pointer, size_t *capacity, size_t need, size_t size)
{
    void *array;
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity ? *capacity : 16;
    while (wanted < need) {
        if (wanted > SIZE_MAX / 2)
            return false;
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / size)
        return false;
    memcpy(&array, array_pointer, sizeof array);
    void *grown = realloc(array, wanted * size);
    if (!grown)
        return false;
    memset((char *)grown + *capacity * size, 0, (wanted - *capacity) * size);
    memcpy(array_pointer, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

void sl_sort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    if (n)
        qsort(array, n, size, compare);
}

size_t sl_sort_and_merge(void *array, size_t n, size_t size,
                         int (*compare)(const void *, const void *),
                         void (*merge)(void *to, void *from))
{
    size_t kept = 0;
    sl_sort(array, n, size, compare);
    for (size_t i = 0; i < n; i++) {
        char *last = (char *)array + (kept ? kept - 1 : 0) * size, *next = (char *)array + i * size;
        if (!kept || compare(last, next))
            memmove((char *)array + kept++ * size, next, size);
        else if (merge)
            merge(last, next);
    }
    return kept;
}

size_t sl_lower_bound(const void *array, size_t n, size_t size, size_t offset, uint64_t key)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const void *member = (const char *)array + middle * size + offset;
        if (*(const uint64_t *)member < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
