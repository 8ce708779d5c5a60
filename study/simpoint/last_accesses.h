/* SPDX-License-Identifier: MIT */
/* Which accesses of a part of a run are the last to their line. These alone leave caches that
 * replace the least recently used as all would have left them: such a cache is its lines in the
 * order of their last accesses. So what lies between slices needs no others.
 *
 * Lines are 32 bytes, as the shortest that caches have; caches with longer ones get the same order.
 * Accesses to two lines are all kept. A line that was written is kept as a store. */
#ifndef SL_LAST_ACCESSES_H
#define SL_LAST_ACCESSES_H

#include "event.h"

#include <stdbool.h>
#include <stddef.h>

struct sl_last_accesses {
    struct sl_touch {
        uint64_t line; /* number */
        uint64_t time; /* of its last access: that which it was of all, from 1; 0: free */
        bool stored;
    } * slot; /* by a hash of the line, at most half full */
    size_t n_slots, n_lines;
    uint64_t time, asked; /* accesses of sl_last_accesses_take, of sl_last_accesses_last */
};

/* Takes the accesses of a chunk. False when memory ran out. */
bool sl_last_accesses_take(struct sl_last_accesses *touched, const struct sl_chunk *chunk);

/* Goes through the same accesses again, one at a time: is this one kept? If so, its word is. */
bool sl_last_accesses_last(struct sl_last_accesses *touched, uint64_t address, uint32_t *word);

/* Forgets all lines. */
void sl_last_accesses_clear(struct sl_last_accesses *touched);
void sl_last_accesses_free(struct sl_last_accesses *touched);

#endif
