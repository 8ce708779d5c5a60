/* SPDX-License-Identifier: MIT */
/* What detectors of loads share: their instructions, and the loads of a slice one by one.
 *
 * A load is an instruction's, however many accesses it made: what it loaded and where is that of
 * the first. It counts once; or, where misses count (sl_slice.access), as often as its accesses
 * missed, and not at all if none did. */
#ifndef SL_LOAD_WALK_H
#define SL_LOAD_WALK_H

#include "detector.h"

struct sl_loads {
    const struct sl_watch *watch;
    uint64_t *pc; /* by instruction number */
    size_t n_pcs, room_pcs;
};

struct sl_load {
    uint32_t insn;
    uint32_t mem; /* its place in the chunk */
    uint64_t weight;
};

/* A way through a slice; from sl_loads_begin on. */
struct sl_loads_walk {
    const struct sl_slice *slice;
    const struct sl_selection *selection;
    const uint8_t *met; /* of each access, where misses count; NULL: loads do */
    uint32_t at, flags;
};

int sl_loads_sync(struct sl_loads *loads, struct sl_failure *f);

/* Also writes the places of all loads of the slice, chosen or not, if `out` has them. */
struct sl_loads_walk sl_loads_begin(const struct sl_loads *loads, const struct sl_slice *slice,
                                    struct sl_events *out);

/* The next that was chosen and counts; false at the end. */
bool sl_loads_next(struct sl_loads_walk *walk, struct sl_load *load);

/* One that is to be told, with the second word of its tuple. */
static inline void sl_loads_tell(const struct sl_loads_walk *walk, const struct sl_load *load,
                                 uint64_t value, struct sl_events *out)
{
    out->number[out->n] = load->insn;
    out->value[out->n] = value;
    if (walk->met)
        out->weight[out->n] = load->weight;
    if (out->place)
        out->place[out->n] = out->place[load->mem - walk->slice->mem_low];
    out->n++;
}

static inline void sl_loads_names(const struct sl_loads *loads, struct sl_names *names)
{
    *names = (struct sl_names){loads->pc, NULL, loads->n_pcs};
}

#endif
