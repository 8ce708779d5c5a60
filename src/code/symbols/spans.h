/* SPDX-License-Identifier: MIT */
/* Spans: disjoint address ranges that are computed from overlapping ranges. A binary search in the
 * spans finds the range with the highest priority at an address.
 *
 * Functions are nested, compilation units claim the same range, and a later mapping hides an
 * earlier one. Each case asks which of the ranges that contain an address has the highest priority:
 *
 *     added     [ a, priority 1                 )
 *                      [ b, 2       )
 *                              [ c, 3  )
 *     spans     a      b       c       a          (none)
 *
 * Built once by a sweep with a heap (n log n), then searched by bisection. */
#ifndef SL_SPANS_H
#define SL_SPANS_H

#include <stdbool.h>

#include "index_map.h" /* SL_NO_INDEX */

struct sl_address_range {
    uint64_t start, end; /* end is the first address after it */
    uint64_t priority;   /* the higher wins; if equal, the lower `what` */
    uint32_t what;
};

struct sl_span {
    uint64_t start; /* up to the next span's start */
    uint32_t what;  /* SL_NO_INDEX: no range is here */
    uint32_t zero;  /* no padding: the reader process sends spans */
};

struct sl_spans {
    struct sl_span *span;
    size_t n, capacity;
};

/* Replaces `spans` by those of the n ranges, which are sorted in place. Empty ranges are ignored.
 * Returns false if out of memory; `spans` is empty then. */
bool sl_spans_build(struct sl_spans *spans, struct sl_address_range *interval, size_t n);

/* Returns `what` of the best range at the address, SL_NO_INDEX if there is none. */
uint32_t sl_spans_find(const struct sl_spans *spans, uint64_t address);

void sl_spans_free(struct sl_spans *spans);

#define SL_LAYERS_MAX 40 /* each is at least twice as large as the one above it */

/* Layers: ranges of which the later always hides the earlier, and to which more are added.
 *
 * Ranges have numbers 0, 1, 2, ... They are stored in layers of disjoint spans, each layer for
 * consecutive numbers, the newest on top:
 *
 *     numbers   0 .............. 7 | 8 .. 11 | 12 13 | 14
 *               layer 0              1         2       3      searched from the right
 *
 * A layer that is not twice as large as everything added after it is merged with it. So there is a
 * logarithmic number of layers, and a range is sorted a logarithmic number of times. */
struct sl_layers {
    struct sl_layer {
        size_t first, n; /* its numbers: first ... first + n - 1 */
        struct sl_spans spans;
    } layer[SL_LAYERS_MAX];
    size_t n_layers;
    size_t n; /* of all layers together */
};

/* Returns the range of a number; `priority` and `what` are ignored. */
typedef struct sl_address_range sl_layers_range(const void *context, size_t number);

/* Adds the numbers from layers->n to n - 1. Returns false if out of memory; nothing has changed
 * then. */
bool sl_layers_extend(struct sl_layers *layers, size_t n, sl_layers_range *range,
                      const void *context);

/* Returns the highest number whose range contains the address, SL_NO_INDEX if there is none. */
uint32_t sl_layers_find(const struct sl_layers *layers, uint64_t address);

void sl_layers_free(struct sl_layers *layers);

#endif
