/* SPDX-License-Identifier: MIT */
/* Finds, in a part of a run, the last access to each cache line. The contents of an LRU cache
 * depend only on the order of the last accesses to its lines. The parts of a run between slices
 * therefore need no other accesses.
 *
 * Lines have 32 bytes, the shortest of any cache; for longer lines the order is the same. Accesses
 * that touch two lines are all kept. If a line was written, its last access is kept as a store. */
#ifndef SL_LAST_ACCESSES_H
#define SL_LAST_ACCESSES_H

#include "event.h"

#include <stdbool.h>
#include <stddef.h>

struct sl_last_accesses {
    struct sl_touch {
        uint64_t line; /* address / 32 */
        uint64_t time; /* index of its last access, from 1; 0: free slot */
        bool stored;
    } * slot; /* hash table by line, at most half full */
    size_t n_slots, n_lines;
    uint64_t time,
        asked; /* accesses so far in sl_last_accesses_add() and sl_last_accesses_is_last() */
};

/* Adds the accesses of a chunk. Returns false if out of memory. */
bool sl_last_accesses_add(struct sl_last_accesses *touched, const struct sl_chunk *chunk);

/* Call it for the same accesses again, in the same order. Returns true if this one is to be kept,
 * and marks it as a store in *word if its line was written. */
bool sl_last_accesses_is_last(struct sl_last_accesses *touched, uint64_t address, uint32_t *word);

/* Removes all lines. */
void sl_last_accesses_clear(struct sl_last_accesses *touched);
void sl_last_accesses_free(struct sl_last_accesses *touched);

#endif
