/* SPDX-License-Identifier: MIT */
/* Who is at an address, when the later always hides the earlier, and more keep coming.
 *
 * Ranges have numbers 0, 1, 2, ...; each hides all that were there before it. They are kept
 * in layers of disjoint spans, each layer for a run of numbers, the newest on top:
 *
 *     numbers   0 .............. 7 | 8 .. 11 | 12 13 | 14
 *               layer 0              1         2       3      asked from the right
 *
 * A layer that is not twice as large as what has come after it is put together with it. So a
 * number is sorted a logarithmic number of times, and there are as few layers: adding one
 * and asking after each takes time that grows hardly faster than what was added. */
#ifndef SL_LAYERS_H
#define SL_LAYERS_H

#include "spans.h"

#define SL_LAYERS_MAX 40 /* sizes at least double from one to the one below */

struct sl_layers {
    struct sl_layer {
        size_t first, n; /* numbers in it */
        struct sl_spans spans;
    } layer[SL_LAYERS_MAX];
    size_t n_layers;
    size_t n; /* numbers in all */
};

/* The range of a number; priority and `what` need not be filled. */
typedef struct sl_address_range sl_layers_range(const void *context, size_t number);

/* Takes in the numbers from layers->n up to `n`. False when memory ran out: nothing changed. */
bool sl_layers_extend(struct sl_layers *layers, size_t n, sl_layers_range *range,
                      const void *context);

/* The newest number whose range contains the address; SL_NO_INDEX. */
uint32_t sl_layers_find(const struct sl_layers *layers, uint64_t address);

void sl_layers_free(struct sl_layers *layers);

#endif
