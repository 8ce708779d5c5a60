#include "watched.h"

#include <stdlib.h>

#include "stretches.h"
#include "thread_places.h"

struct sl_watched_state {
    struct sl_thread_places threads;
    uint64_t blocks[SL_THREAD_PLACES]; /* by thread: those that came before */
    struct sl_chunk_arrays out;
};

/* How many blocks of its thread came before the chunk. */
static uint64_t count(struct sl_watched_state *s, const struct sl_chunk *chunk)
{
    struct sl_chunk its = *chunk; /* everybody else wants the thread's number as it is */
    sl_thread_places_take(&s->threads, &its);
    uint64_t *blocks = &s->blocks[its.thread], before = its.flags & SL_CHUNK_START ? 0 : *blocks;
    *blocks = before + chunk->n_blocks;
    if (its.flags & SL_CHUNK_END)
        sl_thread_places_leave(&s->threads, &its);
    return before;
}

static void keep(struct sl_chunk_arrays *out, uint32_t to, const struct sl_chunk *chunk, uint32_t from)
{
    out->mem_insn[to] = chunk->mem_insn[from];
    if (chunk->mem_value)
        out->mem_value[to] = chunk->mem_value[from];
    if (chunk->mem_addr)
        out->mem_addr[to] = chunk->mem_addr[from];
}

/* Load by load; `before` is the number of the chunk's first block. Those in front of it are the last
 * block's. */
static void cut(const struct sl_stretches *s, struct sl_chunk_arrays *out, struct sl_chunk *chunk,
                uint64_t before)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i <= chunk->n_blocks; i++) {
        uint32_t mem = i ? chunk->block_mem[i - 1] : 0;
        uint32_t high = i < chunk->n_blocks ? chunk->block_mem[i] : chunk->n_mems;
        uint64_t block = before + i ? before + i - 1 : 0;
        if (i)
            out->block_mem[i - 1] = kept;
        if (sl_stretches_next(s, block) == block)
            for (; mem < high; mem++)
                keep(out, kept++, chunk, mem);
    }
    chunk->n_mems = kept;
    chunk->block_mem = out->block_mem;
    chunk->mem_insn = out->mem_insn;
    chunk->mem_value = chunk->mem_value ? out->mem_value : NULL;
    chunk->mem_addr = chunk->mem_addr ? out->mem_addr : NULL;
}

bool sl_watched_cut(struct sl_watched *w, struct sl_chunk *chunk)
{
    static const uint32_t none[SL_CHUNK_BLOCKS];
    const struct sl_stretches *s = &w->stretches;
    if (s->of <= 1 || !chunk->block_mem)
        return true;
    if (!w->state && !(w->state = calloc(1, sizeof *w->state)))
        return false;
    uint64_t before = count(w->state, chunk), end = before + chunk->n_blocks;
    uint64_t last = before ? before - 1 : 0, next = sl_stretches_next(s, last);
    if (!chunk->n_mems || (next == last && sl_stretches_end(s, last) >= end))
        return true;
    if (next < end) {
        cut(s, &w->state->out, chunk, before);
    } else {
        chunk->n_mems = 0;
        chunk->block_mem = none;
    }
    return true;
}

void sl_watched_free(struct sl_watched *w)
{
    free(w->state);
}
