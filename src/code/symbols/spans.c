/* SPDX-License-Identifier: MIT */
/* Computes disjoint spans from overlapping address ranges (spans.h). A sweep visits the ranges in
 * the order of their starts; a binary heap contains the ranges at the current address, ordered by
 * priority. */
#include "spans.h"

#include <stdlib.h>

#include "grow.h"

/* Ranges that have begun, the best on top. Ranges that have ended are removed when they reach the
 * top. */
struct heap {
    const struct sl_address_range **at;
    size_t n;
};

static bool better(const struct sl_address_range *a, const struct sl_address_range *b)
{
    return a->priority != b->priority ? a->priority > b->priority : a->what < b->what;
}

static void swap(struct heap *heap, size_t a, size_t b)
{
    const struct sl_address_range *swapped = heap->at[a];
    heap->at[a] = heap->at[b];
    heap->at[b] = swapped;
}

static void push(struct heap *heap, const struct sl_address_range *interval)
{
    size_t at = heap->n++;
    heap->at[at] = interval;
    for (; at && better(heap->at[at], heap->at[(at - 1) / 2]); at = (at - 1) / 2)
        swap(heap, at, (at - 1) / 2);
}

static void pop(struct heap *heap)
{
    heap->at[0] = heap->at[--heap->n];
    for (size_t at = 0;;) {
        size_t best = at, left = 2 * at + 1;
        for (size_t child = left; child < left + 2 && child < heap->n; child++)
            if (better(heap->at[child], heap->at[best]))
                best = child;
        if (best == at)
            return;
        swap(heap, at, best);
        at = best;
    }
}

static bool append(struct sl_spans *spans, uint64_t start, uint32_t what)
{
    if (spans->n && spans->span[spans->n - 1].start == start)
        spans->n--;
    if (spans->n ? spans->span[spans->n - 1].what == what : what == SL_NO_INDEX)
        return true;
    if (!SL_GROW(spans->span, spans->capacity, spans->n + 1))
        return false;
    spans->span[spans->n++] = (struct sl_span){start, what, 0};
    return true;
}

/* Removes the ranges that end at or before `limit`. */
static bool advance(struct sl_spans *spans, struct heap *heap, uint64_t limit)
{
    while (heap->n && heap->at[0]->end <= limit) {
        uint64_t end = heap->at[0]->end;
        while (heap->n && heap->at[0]->end <= end)
            pop(heap);
        if (!append(spans, end, heap->n ? heap->at[0]->what : SL_NO_INDEX))
            return false;
    }
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct sl_address_range *x = a, *y = b;
    return sl_order(x->start, y->start, sl_order(x->what, y->what, 0));
}

bool sl_spans_build(struct sl_spans *spans, struct sl_address_range *interval, size_t n)
{
    struct heap heap = {.at = malloc((n ? n : 1) * sizeof *heap.at)};
    bool good = heap.at != NULL;
    spans->n = 0;
    SL_SORT(interval, n, by_start);
    for (size_t i = 0; good && i < n; i++) {
        if (interval[i].end <= interval[i].start)
            continue;
        good = advance(spans, &heap, interval[i].start);
        push(&heap, &interval[i]);
        good = good && append(spans, interval[i].start, heap.at[0]->what);
    }
    good = good && advance(spans, &heap, UINT64_MAX);
    free(heap.at);
    if (!good)
        spans->n = 0;
    return good;
}

uint32_t sl_spans_find(const struct sl_spans *spans, uint64_t address)
{
    size_t i = SL_LOWER_BOUND(spans->span, spans->n, struct sl_span, start, address);
    if (i < spans->n && spans->span[i].start == address)
        return spans->span[i].what;
    return i ? spans->span[i - 1].what : SL_NO_INDEX;
}

void sl_spans_free(struct sl_spans *spans)
{
    free(spans->span);
    *spans = (struct sl_spans){0};
}

/* ---- layers ---- */

bool sl_layers_extend(struct sl_layers *layers, size_t n, sl_layers_range *range,
                      const void *context)
{
    size_t first = layers->n, n_unchanged = layers->n_layers;
    while (n_unchanged && layers->layer[n_unchanged - 1].n / 2 < n - first)
        first = layers->layer[--n_unchanged].first;
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
    while (layers->n_layers > n_unchanged)
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
