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
 * move), there would be too many. */
#define SL_SHAPE_REFERENCES 32u
#define SL_SHAPES_OF_BLOCK 8u

struct sl_shape;

/* Of all blocks. A struct of zeroes has none. */
struct sl_shapes {
    struct sl_shape *shape; /* the first stands for none */
    uint32_t *of_block;     /* by block: the shape that was made last; 0: none */
    uint32_t *word;         /* of all shapes, one behind the other: mem_insn of each access */
    struct sl_reference *reference; /* likewise; addresses are those of the last execution */
    size_t n_shapes, n_words, room_shapes, room_blocks, room_words, room_references;
};

/* Fills in the references and the shape of an execution whose ops are known: the chunk's mem
 * events from `low` on, `n` of them. Those of a shape that is not kept are put into `loose`, which
 * has room for them. */
void sl_shapes_gather(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                      uint32_t low, uint32_t n, struct sl_reference *loose, struct sl_executed *e);

/* What one mem event asks for, but for its op. */
struct sl_reference sl_reference_of(const struct sl_chunk *chunk, uint32_t at);

void sl_shapes_free(struct sl_shapes *shapes);

#endif
