#include "trace_gather.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"

struct sl_chunk_arrays *sl_gather_room(struct sl_gather *g)
{
    size_t wanted = (size_t)g->n_arrays + 1;
    if (!SL_GROW(g->arrays, g->room_arrays, wanted))
        return NULL;
    for (; g->n_made < wanted; g->n_made++) {
        /* As all arrays in them, the last has a margin. */
        size_t size = sizeof **g->arrays + SL_CHUNK_MARGIN * sizeof *g->arrays[0]->mem_addr;
        if (!(g->arrays[g->n_made] = malloc(size)))
            return NULL;
    }
    return g->arrays[g->n_arrays];
}

/* An array of a chunk, copied to its place if it is not there. */
static const void *put(void *place, const void *from, uint32_t n, size_t size)
{
    if (from && n && from != place)
        memmove(place, from, n * size); /* from the same arrays, if its front was cut off */
    return place;
}

bool sl_gather_add(struct sl_gather *g, const struct sl_chunk *chunk)
{
    if (!sl_gather_room(g) || !SL_GROW(g->chunk, g->room_chunks, (size_t)g->n_chunks + 1))
        return false;
    bool behind = g->n_arrays && chunk->n_blocks <= SL_CHUNK_BLOCKS - g->blocks_at &&
                  chunk->n_mems <= SL_CHUNK_MEMS - g->mems_at;
    if (!behind) {
        g->n_arrays++;
        g->blocks_at = g->mems_at = 0;
    }
    struct sl_chunk_arrays *a = g->arrays[g->n_arrays - 1];
    uint32_t b = g->blocks_at, m = g->mems_at;
    struct sl_chunk *to = &g->chunk[g->n_chunks++];
    *to = *chunk;
    to->block = put(a->block + b, chunk->block, chunk->n_blocks, sizeof *a->block);
    to->block_mem = put(a->block_mem + b, chunk->block_mem, chunk->n_blocks, sizeof *a->block_mem);
    to->mem_insn = put(a->mem_insn + m, chunk->mem_insn, chunk->n_mems, sizeof *a->mem_insn);
    to->mem_value = put(a->mem_value + m, chunk->mem_value, chunk->n_mems, sizeof *a->mem_value);
    to->mem_addr = put(a->mem_addr + m, chunk->mem_addr, chunk->n_mems, sizeof *a->mem_addr);
    g->blocks_at += chunk->n_blocks;
    g->mems_at += chunk->n_mems;
    g->n_blocks += chunk->n_blocks;
    g->n_mems += chunk->n_mems;
    return true;
}

void sl_gather_clear(struct sl_gather *g)
{
    g->n_chunks = g->n_blocks = g->n_mems = g->n_arrays = g->blocks_at = g->mems_at = 0;
    g->instructions = 0;
}

void sl_gather_free(struct sl_gather *g)
{
    for (size_t i = 0; i < g->n_made; i++)
        free(g->arrays[i]);
    free(g->arrays);
    free(g->chunk);
    *g = (struct sl_gather){0};
}
