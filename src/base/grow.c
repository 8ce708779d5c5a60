/* SPDX-License-Identifier: MIT */
/* Grows an array by doubling its capacity (grow.h). */
#include "grow.h"

#include <stdint.h>
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
