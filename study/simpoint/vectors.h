/* SPDX-License-Identifier: MIT */
/* Basic-block vectors: how often each block was executed in each interval of a run, times its
 * instructions. What an interval executed says how fast it was: intervals with like vectors take
 * like times on any machine ("Automatically Characterizing Large Scale Program Behavior",
 * Sherwood, Perelman, Hamerly and Calder, 2002).
 *
 *     instructions   0         N         2N        3N
 *     blocks         |--|---|----|--|---|-----|---|--|
 *                              ^ an interval begins with the first block behind its N-th multiple,
 *                                as sl_source_run_range has it: blocks are not cut */
#ifndef SL_VECTORS_H
#define SL_VECTORS_H

#include "source.h"

struct sl_vectors {
    uint64_t interval; /* instructions */
    size_t n;          /* intervals; the last one may be shorter */
    uint64_t *begins;  /* instructions in front of each, and of the end */
    size_t *first;     /* its entries: from first[i] to first[i + 1] */
    struct sl_vector_entry {
        uint32_t block;
        uint64_t instructions; /* executed in it */
    } * entry;                 /* by block, ascending, in each interval */
    size_t begins_capacity, first_capacity, entries_capacity;
};

#define SL_VECTORS_INTERVAL_MIN 10000u     /* longer than any block */
#define SL_VECTORS_MAX (UINT32_C(1) << 20) /* intervals */

/* Reads a source to its end. SL_EUSAGE if there are too many intervals in it. */
int sl_vectors_read(struct sl_vectors *vectors, struct sl_source *source, uint64_t interval,
                    struct sl_failure *f);

/* As SimPoint reads them: a line "T:1:120 :7:33" for each, blocks counted from 1. */
void sl_vectors_print(const struct sl_vectors *vectors, FILE *out);

void sl_vectors_free(struct sl_vectors *vectors);

#endif
