/* SPDX-License-Identifier: MIT */
#include "load_walk.h"

#include "failure.h"
#include "grow.h"
#include "machine.h"

int sl_loads_sync(struct sl_loads *l, struct sl_failure *f)
{
    const struct sl_statics *statics = l->watch->statics;
    if (!SL_GROW(l->pc, l->room_pcs, statics->n_insns))
        return sl_out_of_memory(f);
    for (; l->n_pcs < statics->n_insns; l->n_pcs++)
        l->pc[l->n_pcs] = statics->insn[l->n_pcs].pc;
    return 0;
}

static void place_loads(const struct sl_slice *slice, uint32_t *place)
{
    const uint32_t *block_mem = slice->chunk->block_mem;
    uint32_t block = slice->block_low;
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        while (block < slice->block_high && block_mem[block] <= i)
            block++;
        place[i - slice->mem_low] = block;
    }
}

struct sl_loads_walk sl_loads_begin(const struct sl_loads *l, const struct sl_slice *slice,
                                    struct sl_events *out)
{
    if (out->place)
        place_loads(slice, out->place);
    return (struct sl_loads_walk){
        .slice = slice,
        .selection = l->watch->selection,
        .met = slice->access ? sl_machine_of_accesses(l->watch->machine) : NULL,
        .at = slice->mem_low,
        .flags = slice->chunk->mem_addr ? ~SL_MEM_INSN_MASK : 0,
    };
}

/* Misses of the load at `mem` and of what else its instruction accessed. */
static uint64_t count_misses(struct sl_loads_walk *w, uint32_t mem)
{
    const uint32_t *word = w->slice->chunk->mem_insn;
    uint64_t n = (w->met[mem] & w->slice->access) != 0;
    for (; w->at < w->slice->mem_high && word[w->at] & SL_MEM_MORE; w->at++)
        n += !(word[w->at] & SL_MEM_STORE) && w->met[w->at] & w->slice->access;
    return n;
}

bool sl_loads_next(struct sl_loads_walk *w, struct sl_load *load)
{
    while (w->at < w->slice->mem_high) {
        uint32_t mem = w->at++, word = w->slice->chunk->mem_insn[mem];
        if (word & w->flags & (SL_MEM_STORE | SL_MEM_MORE))
            continue;
        *load = (struct sl_load){word & ~w->flags, mem, w->met ? count_misses(w, mem) : 1};
        if (load->weight && w->selection->chosen[load->insn])
            return true;
    }
    return false;
}
