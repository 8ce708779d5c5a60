/* SPDX-License-Identifier: MIT */
/* Overlapping intervals made disjoint: who is best at an address.
 *
 * Functions lie inside each other, compilation units claim the same range, and
 * a later mapping hides an earlier one. Each becomes the same question: of the
 * intervals that contain an address, which has the highest priority?
 *
 *     added     [ a, priority 1                 )
 *                      [ b, 2       )
 *                              [ c, 3  )
 *     spans     a      b       c       a          (nothing)
 *
 * Built once by a sweep with a heap (n log n), then asked by binary search. */
#ifndef SL_SPANS_H
#define SL_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index_map.h" /* SL_NO_INDEX */

struct sl_address_range {
    uint64_t start, end; /* end is the first address behind it */
    uint64_t priority;   /* the higher wins; of equal ones the lower `what` */
    uint32_t what;
};

struct sl_span {
    uint64_t start; /* up to the next span's start */
    uint32_t what;  /* SL_NO_INDEX: nobody */
};

struct sl_spans {
    struct sl_span *span;
    size_t n, room;
};

/* Replaces `spans` by those of the n intervals, which are sorted in place.
 * Empty intervals count for nothing. False when memory ran out: `spans` is
 * then empty. */
bool sl_spans_build(struct sl_spans *spans, struct sl_address_range *interval, size_t n);

/* The number of the span that contains the address, SL_NO_INDEX if nobody is
 * there. */
uint32_t sl_spans_find(const struct sl_spans *spans, uint64_t address);

void sl_spans_free(struct sl_spans *spans);

#endif
