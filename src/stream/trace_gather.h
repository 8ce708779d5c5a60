/* Chunks of a frame to be, gathered in memory of its own.
 *
 * A source may put a chunk right into arrays that wait for it here (sl_gather_room); it then stays
 * where it is. What comes from elsewhere is copied, and so is a small chunk, behind the one
 * before, if it fits there: so two arrays in a row hold more than one of them could.
 *
 * Memory: at most 257 arrays (event.h) of 224 KiB for a frame's 2^20 events, of which chunks as most
 * are use 80 to 130 and touch two thirds. */
#ifndef SL_TRACE_GATHER_H
#define SL_TRACE_GATHER_H

#include "event.h"
#include "sluice.h"

struct sl_gather {
    struct sl_chunk *chunk; /* what was gathered; all its arrays are there, also those that it had not */
    uint32_t n_chunks, n_blocks, n_mems;
    uint64_t instructions; /* of its blocks; whoever adds chunks adds them */
    struct sl_chunk_arrays **arrays;
    uint32_t n_arrays;          /* in use */
    uint32_t blocks_at, mems_at; /* what the last of these holds */
    size_t room_chunks, room_arrays, n_made;
};

/* Arrays for the next chunk; NULL without memory. */
struct sl_chunk_arrays *sl_gather_room(struct sl_gather *gather);

/* False without memory. */
bool sl_gather_add(struct sl_gather *gather, const struct sl_chunk *chunk);

void sl_gather_clear(struct sl_gather *gather); /* keeps the memory */
void sl_gather_free(struct sl_gather *gather);

#endif
