/* SPDX-License-Identifier: MIT */
/* Plain model of a memory hierarchy, which consists of plain models of caches, TLBs (naive_cache.h)
 * and prefetchers (naive_prefetcher.h), for comparison with src/machine/caches/hierarchy.c. Every
 * access searches the levels in turn until one of them hits, an access to several lines is divided
 * at the line boundaries of each level, and no lookup result is reused for the next access. */
#ifndef SL_TESTS_NAIVE_HIERARCHY_H
#define SL_TESTS_NAIVE_HIERARCHY_H

#include "hierarchy.h"
#include "naive_cache.h"
#include "naive_prefetcher.h"
#include "hierarchy_counts.h"

enum { NAIVE_L1I, NAIVE_L1D, NAIVE_L2, NAIVE_L3, NAIVE_ITLB, NAIVE_DTLB, NAIVE_PARTS };

struct naive_machine {
    struct sl_hierarchy_config config;
    struct naive_cache cache[NAIVE_PARTS];
    struct naive_prefetcher prefetcher[NAIVE_PARTS];
    uint64_t now, pc; /* of the access; set by the caller */
    bool data;
    struct hierarchy_counters counters;
};

static inline void naive_machine_open(struct naive_machine *n, const struct sl_hierarchy_config *c)
{
    const struct sl_tlb_config *t[2] = {&c->itlb, &c->dtlb};
    struct sl_cache_config part[NAIVE_PARTS] = {c->l1i, c->l1d, c->l2, c->l3};
    for (int i = 0; i < 2; i++)
        part[NAIVE_ITLB + i] = (struct sl_cache_config){.size = t[i]->entries * t[i]->page,
                                                        .ways = t[i]->ways,
                                                        .line = t[i]->page,
                                                        .replacement = t[i]->replacement};
    *n = (struct naive_machine){.config = *c};
    for (int i = 0; i < NAIVE_PARTS; i++)
        if (part[i].size) {
            naive_open(&n->cache[i], &part[i]);
            naive_prefetcher_open(&n->prefetcher[i], &part[i]);
        }
}

/* The next piece of an access, as it is cut by lines of `line` bytes. */
static inline uint32_t naive_piece(uint64_t address, uint32_t size, uint64_t line)
{
    uint64_t capacity = line - address % line;
    return capacity < size ? (uint32_t)capacity : size;
}

/* The source of a read or write below L1: the access itself, a victim, or what a level fills itself
 * with. */
enum naive_by { NAIVE_ACCESS, NAIVE_VICTIM, NAIVE_FILL };

static inline void naive_below(struct naive_machine *n, int level, bool write, enum naive_by by,
                               uint64_t address, uint64_t size, struct sl_access *got);

static inline int naive_next(int part)
{
    return part <= NAIVE_L1D ? NAIVE_L2 : part + 1;
}

/* The access read a line at `part`: it was missing, and took `cycles`, or was met first. */
static inline void naive_prefetch(struct naive_machine *n, int part, uint64_t address, bool missed,
                                  uint64_t cycles)
{
    struct naive_cache *c = &n->cache[part];
    struct naive_prefetcher *p = &n->prefetcher[part];
    uint64_t out[16], line = c->config.line;
    unsigned asked = c->config.prefetch
                         ? naive_ask(p, n->data, n->pc, address / line, n->now, missed, cycles, out)
                         : 0;
    for (unsigned i = 0; i < asked; i++) {
        struct sl_cache_result t = naive_bring(c, out[i] * line);
        struct sl_access alone = {0, 0};
        if (!t.miss)
            continue;
        naive_below(n, naive_next(part), false, NAIVE_FILL, out[i] * line, line, &alone);
        if (t.writeback)
            naive_below(n, naive_next(part), true, NAIVE_VICTIM, t.victim, line, &alone);
        naive_fly(p, out[i], address / line, n->now, alone.cycles);
    }
}

static inline void naive_meet(struct naive_machine *n, int part, uint64_t address,
                              struct sl_access *got)
{
    uint64_t late = naive_late(&n->prefetcher[part], address / n->cache[part].config.line, n->now);
    got->events |= late ? SL_ACCESS_LATE : 0;
    got->cycles += (uint32_t)late;
}

static inline void naive_below(struct naive_machine *n, int level, bool write, enum naive_by by,
                               uint64_t address, uint64_t size, struct sl_access *got)
{
    struct naive_cache *c = &n->cache[level];
    if (level == NAIVE_ITLB) {
        *(write ? &n->counters.memory_writes : &n->counters.memory_reads) += 1;
        got->cycles += write ? 0 : (uint32_t)n->config.memory.latency;
        return;
    }
    if (!c->line) {
        naive_below(n, level + 1, write, by, address, size, got);
        return;
    }
    uint64_t line = c->config.line;
    for (uint32_t part; size; size -= part, address += part) {
        part = naive_piece(address, (uint32_t)size, line);
        uint64_t first = address - address % line;
        struct sl_cache_result t = naive_touch(c, address, write);
        bool fills = t.miss && (!write || c->config.allocate);
        struct sl_access unseen = {0, 0}, *seen = write ? &unseen : got;
        if (t.miss && (!write || by == NAIVE_ACCESS))
            got->events |= level == NAIVE_L2 ? SL_ACCESS_L2_MISS : SL_ACCESS_L3_MISS;
        got->cycles += write ? 0 : (uint32_t)c->config.latency;
        uint32_t before = got->cycles;
        if (fills && !(write && part == line))
            naive_below(n, level + 1, false, write ? NAIVE_FILL : by, first, line, seen);
        if (t.first_use && !write)
            naive_meet(n, level, first, got);
        if (t.writeback)
            naive_below(n, level + 1, true, NAIVE_VICTIM, t.victim, line, got);
        if (write && (c->config.write == SL_CACHE_THROUGH || (t.miss && !fills)))
            naive_below(n, level + 1, true, by, address, part, got);
        if (!write && by == NAIVE_ACCESS && (t.miss || t.first_use))
            naive_prefetch(n, level, first, t.miss, got->cycles - before);
    }
}

static inline struct sl_access naive_access(struct naive_machine *n, enum sl_access_kind kind,
                                            uint64_t address, uint32_t size)
{
    int side = kind != SL_ACCESS_FETCH;
    struct naive_cache *l1 = &n->cache[side], *tlb = &n->cache[NAIVE_ITLB + side];
    const struct sl_tlb_config *walks = side ? &n->config.dtlb : &n->config.itlb;
    bool write = kind == SL_ACCESS_STORE;
    struct sl_access got = {0, l1->line ? (uint32_t)l1->config.latency : 0};
    uint32_t left = size, part;
    for (uint64_t at = address; tlb->line && left; left -= part, at += part) {
        part = naive_piece(at, left, walks->page);
        if (!naive_touch(tlb, at, false).miss)
            continue;
        got.events |= SL_ACCESS_TLB_MISS;
        got.cycles += (uint32_t)walks->latency;
    }
    n->data = side;
    if (!l1->line)
        naive_below(n, NAIVE_L2, write, NAIVE_ACCESS, address, size, &got);
    left = size;
    for (uint64_t at = address; l1->line && left; left -= part, at += part) {
        uint32_t line = (uint32_t)l1->config.line;
        part = naive_piece(at, left, line);
        struct sl_cache_result t = naive_touch(l1, at, write);
        bool fills = t.miss && (!write || l1->config.allocate);
        got.events |= t.miss ? SL_ACCESS_L1_MISS : 0;
        uint32_t before = got.cycles;
        if (fills)
            naive_below(n, NAIVE_L2, false, NAIVE_ACCESS, at - at % line, line, &got);
        if (t.first_use)
            naive_meet(n, side, at, &got);
        if (t.writeback)
            naive_below(n, NAIVE_L2, true, NAIVE_VICTIM, t.victim, line, &got);
        if (write && (l1->config.write == SL_CACHE_THROUGH || (t.miss && !fills)))
            naive_below(n, NAIVE_L2, true, NAIVE_ACCESS, at, part, &got);
        if (fills || t.first_use)
            naive_prefetch(n, side, at - at % line, t.miss, got.cycles - before);
    }
    struct sl_access_counters *k = &n->counters.kind[kind];
    k->accesses++;
    k->l1_misses += got.events & SL_ACCESS_L1_MISS ? 1 : 0;
    k->l2_misses += got.events & SL_ACCESS_L2_MISS ? 1 : 0;
    k->l3_misses += got.events & SL_ACCESS_L3_MISS ? 1 : 0;
    k->tlb_misses += got.events & SL_ACCESS_TLB_MISS ? 1 : 0;
    return got;
}

static inline const struct hierarchy_counters *naive_count(struct naive_machine *n)
{
    n->counters.l1i = n->cache[NAIVE_L1I].counters;
    n->counters.l1d = n->cache[NAIVE_L1D].counters;
    n->counters.l2 = n->cache[NAIVE_L2].counters;
    n->counters.l3 = n->cache[NAIVE_L3].counters;
    n->counters.itlb = n->cache[NAIVE_ITLB].counters;
    n->counters.dtlb = n->cache[NAIVE_DTLB].counters;
    return &n->counters;
}

static inline void naive_machine_close(struct naive_machine *n)
{
    for (int i = 0; i < NAIVE_PARTS; i++) {
        naive_close(&n->cache[i]);
        free(n->prefetcher[i].flight);
    }
}

#endif
