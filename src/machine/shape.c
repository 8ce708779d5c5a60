#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"

struct sl_shape {
    uint32_t words_at; /* and references */
    uint32_t n;
    uint32_t next;   /* of the same block; 0: none */
    uint32_t number; /* of the block's shapes, from 1 */
};

struct sl_reference sl_reference_of(const struct sl_chunk *chunk, uint32_t at)
{
    uint32_t word = chunk->mem_insn[at];
    return (struct sl_reference){.address = chunk->mem_addr[at],
                                 .size = (uint8_t)(1u << (word >> SL_MEM_SIZE_SHIFT & 7)),
                                 .store = word & SL_MEM_STORE};
}

/* Where the instruction is, from `op` on. Most are numbered as they follow one another. */
static inline uint32_t find_op(const struct sl_executed *e, uint32_t op, uint32_t insn)
{
    uint32_t guess = insn - e->op[0].insn, found = op;
    if (guess >= op && guess < e->n_ops && e->op[guess].insn == insn)
        return guess;
    while (found < e->n_ops && e->op[found].insn != insn)
        found++;
    return found < e->n_ops ? found : op;
}

/* The block's events as references of its ops, which come in the same order. One of an
 * instruction that is not there (a damaged file) is taken for the present one's. */
static void find_references(const struct sl_chunk *chunk, uint32_t low, uint32_t n,
                            const struct sl_executed *e, struct sl_reference *to)
{
    uint32_t op = 0;
    for (uint32_t i = 0; i < n; i++) {
        op = find_op(e, op, chunk->mem_insn[low + i] & SL_MEM_INSN_MASK);
        to[i] = sl_reference_of(chunk, low + i);
        to[i].op = op;
    }
}

/* Room for a shape of that many words; false if there is none. */
static bool make_room(struct sl_shapes *shapes, uint32_t block, uint32_t n)
{
    shapes->n_shapes += !shapes->n_shapes;
    return shapes->n_shapes < UINT32_MAX && shapes->n_words < UINT32_MAX - SL_SHAPE_REFERENCES &&
           SL_GROW(shapes->shape, shapes->room_shapes, shapes->n_shapes + 1) &&
           SL_GROW(shapes->of_block, shapes->room_blocks, (size_t)block + 1) &&
           SL_GROW(shapes->word, shapes->room_words, shapes->n_words + n + 1) &&
           SL_GROW(shapes->reference, shapes->room_references, shapes->n_words + n + 1);
}

/* A new shape of the block; 0 if it is not to be kept. */
static uint32_t make(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                     uint32_t low, uint32_t n, const struct sl_executed *e)
{
    if (n > SL_SHAPE_REFERENCES || !e->n_ops || !make_room(shapes, block, n))
        return 0;
    uint32_t latest = shapes->of_block[block];
    uint32_t number = latest ? shapes->shape[latest].number + 1 : 1;
    if (number > SL_SHAPES_OF_BLOCK)
        return 0;
    uint32_t made = (uint32_t)shapes->n_shapes++;
    shapes->shape[made] = (struct sl_shape){(uint32_t)shapes->n_words, n, latest, number};
    shapes->of_block[block] = made;
    memcpy(shapes->word + shapes->n_words, chunk->mem_insn + low, n * sizeof *shapes->word);
    find_references(chunk, low, n, e, shapes->reference + shapes->n_words);
    shapes->n_words += n;
    return made;
}

static inline bool same_words(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < n; i++)
        differ |= a[i] ^ b[i];
    return !differ;
}

/* The shape of the block with these words; 0: it is none that is kept. */
static inline uint32_t find(const struct sl_shapes *shapes, uint32_t block, const uint32_t *word,
                            uint32_t n)
{
    uint32_t at = block < shapes->room_blocks ? shapes->of_block[block] : 0;
    while (at && (shapes->shape[at].n != n ||
                  !same_words(shapes->word + shapes->shape[at].words_at, word, n)))
        at = shapes->shape[at].next;
    return at;
}

void sl_shapes_gather(struct sl_shapes *shapes, const struct sl_chunk *chunk, uint32_t block,
                      uint32_t low, uint32_t n, struct sl_reference *loose, struct sl_executed *e)
{
    e->shape = find(shapes, block, chunk->mem_insn + low, n);
    if (!e->shape)
        e->shape = make(shapes, chunk, block, low, n, e);
    e->reference = loose;
    e->n_references = e->n_ops ? n : 0;
    if (!e->shape) {
        find_references(chunk, low, e->n_references, e, loose);
        return;
    }
    struct sl_reference *reference = shapes->reference + shapes->shape[e->shape].words_at;
    for (uint32_t i = 0; i < n; i++)
        reference[i].address = chunk->mem_addr[low + i];
    e->reference = reference;
}

void sl_shapes_free(struct sl_shapes *shapes)
{
    free(shapes->shape);
    free(shapes->of_block);
    free(shapes->word);
    free(shapes->reference);
    *shapes = (struct sl_shapes){0};
}
