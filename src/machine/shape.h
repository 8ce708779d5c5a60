/* SPDX-License-Identifier: MIT */
/* Block shapes. A shape is a block together with the list of its memory accesses in one execution:
 * instruction, size and direction of each access, without the address.
 *
 * Most blocks have one shape. So the instruction of each access is looked up once, and a core can
 * memoize the timing of a shape. */
#ifndef SL_SHAPE_H
#define SL_SHAPE_H

#include <stdbool.h>

#include "core.h"
#include "event.h"

/* Limits: blocks with many accesses, or with a variable number of them (string moves), would have
 * too many shapes. (The in-order core memoizes blocks with at most 255 accesses and lines.) */
#define SL_SHAPE_REFERENCES 192u
#define SL_SHAPES_OF_BLOCK 8u

struct sl_shape {
    uint32_t references_at, n;
    uint32_t next;   /* next shape of the same block; 0: none */
    uint32_t number; /* index among the block's shapes, from 1 */
};

/* The shapes of all blocks. Zeroed: none. */
struct sl_shapes {
    struct sl_shape *shape;         /* shape[0] is unused */
    uint32_t *of_block;             /* by block: its latest shape; 0: none */
    struct sl_reference *reference; /* of all shapes; with the addresses of the last execution */
    size_t n_shapes, n_references, shapes_capacity, blocks_capacity, references_capacity;
};

/* Prepares for n_blocks blocks. Returns false if out of memory. */
bool sl_shapes_sync(struct sl_shapes *shapes, size_t n_blocks);

/* The slow path of sl_shapes_gather(): searches the block's other shapes, and may add one. */
void sl_shapes_search(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                      uint32_t low, uint32_t n, struct sl_reference *unstored,
                      struct sl_block_execution *e);

/* Copies the addresses of the chunk's memory events from `low` on to references, at most n, while
 * their words match. Returns how many matched. */
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

/* Sets references and shape of an execution: the n memory events of the chunk from `low` on. If the
 * shape is not stored, the references go to `unstored`, which has n elements or more. */
static inline void sl_shapes_gather(struct sl_shapes *shapes, const struct sl_chunk *chunk,
                                    uint32_t block, uint32_t low, uint32_t n,
                                    struct sl_reference *unstored, struct sl_block_execution *e)
{
    uint32_t number = shapes->of_block[block];
    const struct sl_shape *shape = &shapes->shape[number];
    struct sl_reference *reference = shapes->reference + shape->references_at;
    if (!number || shape->n != n || sl_references_fill(reference, chunk, low, n) < n) {
        sl_shapes_search(shapes, chunk, block, low, n, unstored, e);
        return;
    }
    e->shape = number;
    e->reference = reference;
    e->n_references = n;
}

/* Returns the reference of one memory event, without its op. */
struct sl_reference sl_reference_of(const struct sl_chunk *chunk, uint32_t at);

void sl_shapes_free(struct sl_shapes *shapes);

#endif
