/* A memory hierarchy by its plain definition, of naive caches, to hold
 * src/machine/hierarchy.c to: every access goes all the way, byte ranges are cut at the
 * lines of each level, nothing is remembered from one access to the next. */
#ifndef SL_TESTS_NAIVE_HIERARCHY_H
#define SL_TESTS_NAIVE_HIERARCHY_H

#include "hierarchy.h"
#include "naive_cache.h"
#include "hierarchy_counts.h"

enum { NAIVE_L1I, NAIVE_L1D, NAIVE_L2, NAIVE_ITLB, NAIVE_DTLB, NAIVE_PARTS };

struct naive_machine {
    struct sl_hierarchy_config config;
    struct naive_cache cache[NAIVE_PARTS];
    struct hierarchy_counters counters;
};

static inline void naive_machine_open(struct naive_machine *n, const struct sl_hierarchy_config *c)
{
    const struct sl_tlb_config *t[2] = {&c->itlb, &c->dtlb};
    struct sl_cache_config part[NAIVE_PARTS] = {c->l1i, c->l1d, c->l2};
    for (int i = 0; i < 2; i++)
        part[NAIVE_ITLB + i] = (struct sl_cache_config){
            .size = t[i]->entries * t[i]->page, .ways = t[i]->ways, .line = t[i]->page,
            .replacement = t[i]->replacement};
    *n = (struct naive_machine){.config = *c};
    for (int i = 0; i < NAIVE_PARTS; i++)
        if (part[i].size)
            naive_open(&n->cache[i], &part[i]);
}

/* The next piece of an access, as it is cut by lines of `line` bytes. */
static inline uint32_t naive_piece(uint64_t address, uint32_t size, uint64_t line)
{
    uint64_t room = line - address % line;
    return room < size ? (uint32_t)room : size;
}

/* Reads or writes bytes below L1; of a victim of L1, or of the access itself. */
static inline void naive_below(struct naive_machine *n, bool write, bool victim, uint64_t address,
                               uint32_t size, struct sl_access *got)
{
    struct naive_cache *l2 = &n->cache[NAIVE_L2];
    if (!l2->line) {
        *(write ? &n->counters.memory_writes : &n->counters.memory_reads) += 1;
        got->what |= write ? 0 : SL_ACCESS_MEMORY;
        got->cycles += write ? 0 : (uint32_t)n->config.memory.latency;
        return;
    }
    for (uint32_t part; size; size -= part, address += part) {
        part = naive_piece(address, size, l2->config.line);
        struct sl_cache_touched t = naive_touch(l2, address, write);
        bool fills = t.miss && (!write || l2->config.allocate);
        bool waits = fills && !write;
        got->what |= (t.miss && !victim ? SL_ACCESS_L2_MISS : 0) |
                     (t.writeback ? SL_ACCESS_L2_WRITEBACK : 0) | (waits ? SL_ACCESS_MEMORY : 0);
        got->cycles += write ? 0 : (uint32_t)n->config.l2.latency;
        got->cycles += waits ? (uint32_t)n->config.memory.latency : 0;
        n->counters.memory_reads += fills && !(write && part == l2->config.line);
        n->counters.memory_writes += t.writeback;
        bool passes = l2->config.write == SL_CACHE_THROUGH || (t.miss && !fills);
        n->counters.memory_writes += write && passes;
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
    uint32_t hit_cycles = got.cycles, left = size, part;
    for (uint64_t at = address; tlb->line && left; left -= part, at += part) {
        part = naive_piece(at, left, walks->page);
        if (!naive_touch(tlb, at, false).miss)
            continue;
        got.what |= SL_ACCESS_TLB_MISS;
        got.cycles += (uint32_t)walks->latency;
    }
    if (!l1->line)
        naive_below(n, write, false, address, size, &got);
    left = size;
    for (uint64_t at = address; l1->line && left; left -= part, at += part) {
        uint32_t line = (uint32_t)l1->config.line;
        part = naive_piece(at, left, line);
        struct sl_cache_touched t = naive_touch(l1, at, write);
        bool fills = t.miss && (!write || l1->config.allocate);
        got.what |= (t.miss ? SL_ACCESS_L1_MISS : 0) | (t.writeback ? SL_ACCESS_L1_WRITEBACK : 0);
        if (fills)
            naive_below(n, false, false, at - at % line, line, &got);
        if (t.writeback)
            naive_below(n, true, true, t.victim, line, &got);
        if (write && (l1->config.write == SL_CACHE_THROUGH || (t.miss && !fills)))
            naive_below(n, true, false, at, part, &got);
    }
    struct sl_access_counters *k = &n->counters.kind[kind];
    k->accesses++;
    k->l1_misses += got.what & SL_ACCESS_L1_MISS ? 1 : 0;
    k->l2_misses += got.what & SL_ACCESS_L2_MISS ? 1 : 0;
    k->tlb_misses += got.what & SL_ACCESS_TLB_MISS ? 1 : 0;
    k->stall_cycles += got.cycles - hit_cycles;
    return got;
}

static inline const struct hierarchy_counters *naive_count(struct naive_machine *n)
{
    n->counters.l1i = n->cache[NAIVE_L1I].counters;
    n->counters.l1d = n->cache[NAIVE_L1D].counters;
    n->counters.l2 = n->cache[NAIVE_L2].counters;
    n->counters.itlb = n->cache[NAIVE_ITLB].counters;
    n->counters.dtlb = n->cache[NAIVE_DTLB].counters;
    return &n->counters;
}

static inline void naive_machine_close(struct naive_machine *n)
{
    for (int i = 0; i < NAIVE_PARTS; i++)
        naive_close(&n->cache[i]);
}

#endif
