/* SPDX-License-Identifier: MIT */
/* Test helpers for models of memory hierarchies (caches, TLBs and memory): a default configuration,
 * and a structure that contains the counters of all levels. */
#ifndef SL_TESTS_HIERARCHY_COUNTS_H
#define SL_TESTS_HIERARCHY_COUNTS_H

#include "hierarchy.h"
#include "options.h"

/* Everything absent, memory at its default. */
static inline void hierarchy_defaults(struct sl_hierarchy_config *config)
{
    for (const struct sl_hierarchy_part *p = sl_hierarchy_parts; p->name; p++)
        sl_options_defaults(p->options, (char *)config + p->offset);
}

/* Everything there is to count. The caches count lines, the TLBs pages; those of an
 * absent part are 0. */
struct hierarchy_counters {
    struct sl_access_counters kind[SL_ACCESS_KINDS];
    struct sl_cache_counters l1i, l1d, l2, l3, itlb, dtlb;
    uint64_t memory_reads, memory_writes; /* lines, or what an absent cache let pass */
};

static inline struct sl_cache_counters counters_of(const struct sl_cache *c, uint64_t reads,
                                                   uint64_t writes)
{
    if (!c)
        return (struct sl_cache_counters){0};
    struct sl_cache_counters counters = c->counters;
    counters.reads += reads;
    counters.writes += writes;
    return counters;
}

static inline void hierarchy_count(const struct sl_hierarchy *h,
                                   struct hierarchy_counters *counters)
{
    const struct sl_hierarchy_port *i = &h->port[0], *d = &h->port[1];
    uint64_t fetches = h->hits[SL_ACCESS_FETCH], loads = h->hits[SL_ACCESS_LOAD];
    uint64_t stores = h->hits[SL_ACCESS_STORE];
    *counters = (struct hierarchy_counters){
        .l1i = counters_of(i->l1, fetches, 0),
        .l1d = counters_of(d->l1, loads, stores),
        .l2 = counters_of(h->below[0].cache, 0, 0),
        .l3 = counters_of(h->below[1].cache, 0, 0),
        .itlb = counters_of(i->tlb, fetches, 0),
        .dtlb = counters_of(d->tlb, loads + stores, 0),
        .memory_reads = h->memory_reads,
        .memory_writes = h->memory_writes,
    };
    for (int k = 0; k < SL_ACCESS_KINDS; k++) {
        counters->kind[k] = h->kind[k];
        counters->kind[k].accesses += h->hits[k];
    }
}

#endif
