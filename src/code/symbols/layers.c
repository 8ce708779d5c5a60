/* SPDX-License-Identifier: MIT */
#include "layers.h"

#include <stdlib.h>

bool sl_layers_extend(struct sl_layers *layers, size_t n, sl_layers_range *range,
                      const void *context)
{
    size_t first = layers->n, kept = layers->n_layers;
    while (kept && layers->layer[kept - 1].n / 2 < n - first)
        first = layers->layer[--kept].first;
    struct sl_layer layer = {.first = first, .n = n - first};
    struct sl_address_range *ranges = calloc(layer.n ? layer.n : 1, sizeof *ranges);
    if (!ranges)
        return false;
    for (size_t i = 0; i < layer.n; i++) {
        ranges[i] = range(context, first + i);
        ranges[i].priority = first + i;
        ranges[i].what = (uint32_t)(first + i);
    }
    bool good = sl_spans_build(&layer.spans, ranges, layer.n);
    free(ranges);
    if (!good) {
        sl_spans_free(&layer.spans);
        return false;
    }
    while (layers->n_layers > kept)
        sl_spans_free(&layers->layer[--layers->n_layers].spans);
    layers->layer[layers->n_layers++] = layer;
    layers->n = n;
    return true;
}

uint32_t sl_layers_find(const struct sl_layers *layers, uint64_t address)
{
    uint32_t number = SL_NO_INDEX;
    for (size_t i = layers->n_layers; i-- > 0 && number == SL_NO_INDEX;)
        number = sl_spans_find(&layers->layer[i].spans, address);
    return number;
}

void sl_layers_free(struct sl_layers *layers)
{
    while (layers->n_layers)
        sl_spans_free(&layers->layer[--layers->n_layers].spans);
    layers->n = 0;
}
