/* SPDX-License-Identifier: MIT */
/* Removes the loads outside of sampling windows from the chunks of a stream, but no blocks
 * (--sample-loads). A thread's number of executed blocks determines where its windows begin and
 * end. If the tap, the part of sluice in QEMU, has already omitted these loads, the result is the
 * same. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

#include "load_sampling.h"

struct sl_load_sampler_state {
    struct sl_thread_slots threads;
    uint64_t blocks[SL_THREAD_SLOTS]; /* by thread: blocks so far */
    struct sl_chunk_arrays out;
};

/* Returns the number of blocks of the thread before the chunk, and adds those of the chunk. */
static uint64_t count(struct sl_load_sampler_state *s, const struct sl_chunk *chunk)
{
    struct sl_chunk of_slot = *chunk; /* `chunk` keeps its thread id */
    sl_thread_slots_assign(&s->threads, &of_slot);
    uint64_t *blocks = &s->blocks[of_slot.thread],
             before = of_slot.flags & SL_CHUNK_START ? 0 : *blocks;
    *blocks = before + chunk->n_blocks;
    if (of_slot.flags & SL_CHUNK_END)
        sl_thread_slots_release(&s->threads, &of_slot);
    return before;
}

/* Appends the chunk's loads from `low` to before `high` to the `n_copied` loads of `out`. Returns
 * the new number of loads. */
static uint32_t copy_loads(struct sl_chunk_arrays *out, uint32_t n_copied,
                           const struct sl_chunk *chunk, uint32_t low, uint32_t high)
{
    size_t n = high - low;
    memcpy(out->mem_insn + n_copied, chunk->mem_insn + low, n * sizeof *out->mem_insn);
    if (chunk->mem_value)
        memcpy(out->mem_value + n_copied, chunk->mem_value + low, n * sizeof *out->mem_value);
    if (chunk->mem_addr)
        memcpy(out->mem_addr + n_copied, chunk->mem_addr + low, n * sizeof *out->mem_addr);
    return n_copied + high - low;
}

/* Copies the sampled loads, window by window. `before` is the number of blocks that the thread has
 * executed before the chunk. Loads before the first block belong to the thread's last block. */
static void cut(const struct sl_load_sampling *s, struct sl_chunk_arrays *out,
                struct sl_chunk *chunk, uint64_t before)
{
    uint64_t end = before + chunk->n_blocks, last = before ? before - 1 : 0;
    uint32_t n_copied = 0;
    if (sl_load_sampling_next(s, last) == last)
        n_copied = copy_loads(out, 0, chunk, 0, sl_chunk_mem(chunk, 0));
    for (uint64_t at = before; at < end;) {
        uint64_t next = sl_load_sampling_next(s, at),
                 stop = next == at ? sl_load_sampling_end(s, at) : next;
        uint32_t low = (uint32_t)(at - before),
                 high = (uint32_t)((stop < end ? stop : end) - before);
        uint32_t first = chunk->block_mem[low];
        for (uint32_t i = low; i < high; i++)
            out->block_mem[i] = n_copied + (next == at ? chunk->block_mem[i] - first : 0);
        if (next == at)
            n_copied = copy_loads(out, n_copied, chunk, first, sl_chunk_mem(chunk, high));
        at = before + high;
    }
    chunk->n_mems = n_copied;
    chunk->block_mem = out->block_mem;
    chunk->mem_insn = out->mem_insn;
    chunk->mem_value = chunk->mem_value ? out->mem_value : NULL;
    chunk->mem_addr = chunk->mem_addr ? out->mem_addr : NULL;
}

bool sl_load_sampler_cut(struct sl_load_sampler *w, struct sl_chunk *chunk)
{
    const struct sl_load_sampling *s = &w->sampling;
    if (s->of <= 1 || !chunk->block_mem)
        return true;
    if (!w->state && !(w->state = calloc(1, sizeof *w->state)))
        return false;
    uint64_t before = count(w->state, chunk), end = before + chunk->n_blocks;
    uint64_t last = before ? before - 1 : 0;
    bool all = sl_load_sampling_next(s, last) == last && sl_load_sampling_end(s, last) >= end;
    if (chunk->n_mems && !all)
        cut(s, &w->state->out, chunk, before);
    return true;
}

void sl_load_sampler_free(struct sl_load_sampler *w)
{
    free(w->state);
}
