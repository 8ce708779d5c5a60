/* SPDX-License-Identifier: MIT */
/* Test data for function profilers: a list of functions with address ranges that the test chooses,
 * and events at addresses inside and outside of these functions. */
#ifndef SL_TESTS_FUNCTION_LIST_H
#define SL_TESTS_FUNCTION_LIST_H

#include <stdlib.h>

#include "random.h"
#include "sluice.h"

/* Functions of 16 bytes to 4 KB from `base` on, with gaps between some. Every third lies in
 * two pieces, around the one after it. To be freed. */
static inline struct sl_function_list make_list(size_t n, uint64_t base, uint64_t seed)
{
    uint64_t *start = malloc(n * sizeof *start);
    struct sl_function_piece *piece = malloc(2 * n * sizeof *piece);
    struct sl_function_list list = {.start = start, .n = n, .piece = piece};
    uint64_t at = base;
    for (size_t i = 0; i < n; i++) {
        bool split = i % 3 == 0 && i + 1 < n;
        uint64_t length = 16 * (1 + sl_random_below(&seed, 255));
        start[i] = at;
        piece[list.n_pieces++] = (struct sl_function_piece){at, at + length, i};
        at += length;
        if (split) {
            start[i + 1] = at;
            piece[list.n_pieces++] = (struct sl_function_piece){at, at + 48, i + 1};
            piece[list.n_pieces++] = (struct sl_function_piece){at + 48, at + 64, i};
            at += 64;
            i++;
        }
        at += 16 * sl_random_below(&seed, 3);
    }
    return list;
}

static inline void free_list(struct sl_function_list *list)
{
    free((uint64_t *)list->start);
    free((struct sl_function_piece *)list->piece);
}

#endif
