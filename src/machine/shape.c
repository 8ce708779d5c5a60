/* SPDX-License-Identifier: MIT */
/* Block shapes (shape.h): finds the shape of an executed block by its memory accesses, and adds new
 * shapes. */
#include "shape.h"

#include <stdlib.h>

#include "grow.h"

struct sl_reference sl_reference_of(const struct sl_chunk *chunk, uint32_t at)
{
    uint32_t word = chunk->mem_insn[at];
    return (struct sl_reference){.address = chunk->mem_addr[at],
                                 .size = (uint8_t)(1u << (word >> SL_MEM_SIZE_SHIFT & 7)),
                                 .store = word & SL_MEM_STORE,
                                 .word = word};
}

/* Returns the index of the instruction's op, searched from `op` on. Most instructions have
 * consecutive numbers. */
static inline uint32_t find_op(const struct sl_block_execution *e, uint32_t op, uint32_t insn)
{
    uint32_t guess = insn - e->op[0].insn, found = op;
    if (guess >= op && guess < e->n_ops && e->op[guess].insn == insn)
        return guess;
    while (found < e->n_ops && e->op[found].insn != insn)
        found++;
    return found < e->n_ops ? found : op;
}

/* Converts the block's events to references of its ops, which are in the same order. An event of an
 * instruction outside the block (damaged trace) is assigned to the current op. */
static void find_references(const struct sl_chunk *chunk, uint32_t low, uint32_t n,
                            const struct sl_block_execution *e, struct sl_reference *to)
{
    uint32_t op = 0;
    for (uint32_t i = 0; i < n; i++) {
        op = find_op(e, op, chunk->mem_insn[low + i] & SL_MEM_INSN_MASK);
        to[i] = sl_reference_of(chunk, low + i);
        to[i].op = (uint16_t)op;
    }
}

bool sl_shapes_sync(struct sl_shapes *shapes, size_t n_blocks)
{
    shapes->n_shapes += !shapes->n_shapes;
    return SL_GROW(shapes->of_block, shapes->blocks_capacity, n_blocks) &&
           SL_GROW(shapes->shape, shapes->shapes_capacity, shapes->n_shapes);
}

/* Adds a shape to the block. Returns its id; 0 at a limit, or if out of memory. */
static uint32_t add_shape(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                          uint32_t low, uint32_t n, const struct sl_block_execution *e)
{
    uint32_t latest = shapes->of_block[block];
    uint32_t number = latest ? shapes->shape[latest].number + 1 : 1;
    size_t at = shapes->n_references;
    if (n > SL_SHAPE_REFERENCES || !e->n_ops || number > SL_SHAPES_OF_BLOCK ||
        at > UINT32_MAX - SL_SHAPE_REFERENCES || shapes->n_shapes == UINT32_MAX ||
        !SL_GROW(shapes->shape, shapes->shapes_capacity, shapes->n_shapes + 1) ||
        !SL_GROW(shapes->reference, shapes->references_capacity, at + n + 1))
        return 0;
    uint32_t new = (uint32_t)shapes->n_shapes++;
    shapes->shape[new] = (struct sl_shape){(uint32_t)at, n, latest, number};
    shapes->of_block[block] = new;
    find_references(chunk, low, n, e, shapes->reference + at);
    shapes->n_references += n;
    return new;
}

void sl_shapes_search(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                      uint32_t low, uint32_t n, struct sl_reference *unstored,
                      struct sl_block_execution *e)
{
    uint32_t at = shapes->of_block[block];
    while (at && (shapes->shape[at].n != n ||
                  sl_references_fill(shapes->reference + shapes->shape[at].references_at, chunk,
                                     low, n) < n))
        at = shapes->shape[at].next;
    e->shape = at ? at : add_shape(shapes, chunk, block, low, n, e);
    e->n_references = e->n_ops ? n : 0;
    if (e->shape) {
        e->reference = shapes->reference + shapes->shape[e->shape].references_at;
        return;
    }
    find_references(chunk, low, e->n_references, e, unstored);
    e->reference = unstored;
}

void sl_shapes_free(struct sl_shapes *shapes)
{
    free(shapes->shape);
    free(shapes->of_block);
    free(shapes->reference);
    *shapes = (struct sl_shapes){0};
}
