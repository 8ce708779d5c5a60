/* SPDX-License-Identifier: MIT */
/* Basic-block vectors: for each interval of a run, the number of instructions executed in each
 * basic block. Intervals with similar vectors have similar performance on any CPU ("Automatically
 * Characterizing Large Scale Program Behavior", Sherwood, Perelman, Hamerly and Calder, 2002).
 *
 *     instructions   0         N         2N        3N
 *     blocks         |--|---|----|--|---|-----|---|--|
 *                              ^ an interval begins with the first block after a multiple of N
 *
 * Blocks are not divided, as in sl_source_run_range(). */
#ifndef SL_VECTORS_H
#define SL_VECTORS_H

#include "source.h"

struct sl_vectors {
    uint64_t interval; /* instructions */
    size_t n;          /* intervals; the last one may be shorter */
    uint64_t
        *begins;   /* number of instructions before each interval; the last element is the total */
    size_t *first; /* the entries of interval i are first[i] .. first[i + 1] - 1 */
    struct sl_vector_entry {
        uint32_t block;
        uint64_t instructions; /* executed in the interval */
    } * entry;                 /* sorted by block within an interval */
    size_t begins_capacity, first_capacity, entries_capacity;
};

#define SL_VECTORS_INTERVAL_MIN 10000u     /* longer than any block */
#define SL_VECTORS_MAX (UINT32_C(1) << 20) /* intervals */

/* Reads a source to its end. Returns 0, SL_ENOMEM, SL_EUSAGE if there are too many intervals, or
 * an error of the source. Call sl_vectors_free() in any case. */
int sl_vectors_read(struct sl_vectors *vectors, struct sl_source *source, uint64_t interval,
                    struct sl_failure *f);

/* Prints the vectors as SimPoint reads them: a line "T:1:120 :7:33" for each, with blocks numbered
 * from 1. */
void sl_vectors_print(const struct sl_vectors *vectors, FILE *out);

void sl_vectors_free(struct sl_vectors *vectors);

#endif
