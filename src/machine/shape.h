/* SPDX-License-Identifier: MIT */
/* A shape: a block with the accesses to memory that it made, by instruction, size and
 * direction: all of an execution but their addresses and how it was come to. Most blocks have one
 * shape, so that which instruction made an access is found out once, and a core may remember what a
 * shape has done before. */
#ifndef SL_SHAPE_H
#define SL_SHAPE_H

#include <stdbool.h>

#include "core.h"
#include "event.h"

/* Shapes that are kept: of a block that makes many accesses, or as many as it likes (a string
 * move), there would be too many. (A core in order remembers a block of 255 accesses and lines at
 * most.) */
#define SL_SHAPE_REFERENCES 192u
#define SL_SHAPES_OF_BLOCK 8u

struct sl_shape {
    uint32_t references_at, n;
    uint32_t next;   /* of the same block; 0: none */
    uint32_t number; /* of the block's shapes, from 1 */
};

/* Of all blocks. A struct of zeroes has none. */
struct sl_shapes {
    struct sl_shape *shape;         /* the first stands for none */
    uint32_t *of_block;             /* by block: the shape that was made last; 0: none */
    struct sl_reference *reference; /* of all shapes; addresses are those of the last execution */
    size_t n_shapes, n_references, room_shapes, room_blocks, room_references;
};

/* Makes room for as many blocks; false when memory ran out. */
bool sl_shapes_sync(struct sl_shapes *shapes, size_t n_blocks);

/* The rest of sl_shapes_gather. */
void sl_shapes_search(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                      uint32_t low, uint32_t n, struct sl_reference *loose, struct sl_executed *e);

/* Puts the addresses of a chunk's mem events from `low` on into references, as long as these are of
 * the same words, `n` at most. Returns of how many they were. */
static inline uint32_t sl_references_fill(struct sl_reference *reference,
                                          const struct sl_chunk *chunk, uint32_t low, uint32_t n)
{
    const uint32_t *word = chunk->mem_insn + low;
    const uint64_t *address = chunk->mem_addr + low;
    uint32_t i = 0;
    for (; i < n && reference[i].word == word[i]; i++)
        reference[i].address = address[i];
    return i;
}

/* Fills in the references and the shape of an execution whose ops are known: the chunk's mem
 * events from `low` on, `n` of them. Those of a shape that is not kept are put into `loose`, which
 * has room for them. */
static inline void sl_shapes_gather(struct sl_shapes *shapes, const struct sl_chunk *chunk,
                                    uint32_t block, uint32_t low, uint32_t n,
                                    struct sl_reference *loose, struct sl_executed *e)
{
    uint32_t number = shapes->of_block[block];
    const struct sl_shape *shape = &shapes->shape[number];
    struct sl_reference *reference = shapes->reference + shape->references_at;
    if (!number || shape->n != n || sl_references_fill(reference, chunk, low, n) < n) {
        sl_shapes_search(shapes, chunk, block, low, n, loose, e);
        return;
    }
    e->shape = number;
    e->reference = reference;
    e->n_references = n;
}

/* What one mem event asks for, but for its op. */
struct sl_reference sl_reference_of(const struct sl_chunk *chunk, uint32_t at);

void sl_shapes_free(struct sl_shapes *shapes);

#endif
