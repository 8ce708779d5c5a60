/* SPDX-License-Identifier: MIT */
/* Model of the memory hierarchy: two L1 caches, one L2, one L3, memory and two TLBs. It counts hits
 * and misses, and returns the latency of each access in cycles. The states of all parts are in one
 * block of memory:
 *
 *     | hierarchy | l1i | l1d | l2 | l3 | itlb | dtlb | prefetchers |
 *
 * An access is translated page by page, then made line by line:
 *
 *     L1 hit          done
 *     L1 miss         L1 reads the line from L2. If L2 misses, it reads from L3, and L3 from
 *                     memory. Then a dirty victim is written to the level below.
 *     write-through   the written bytes also go to the level below
 *     no allocation   a write miss goes to the level below instead
 *
 * Levels are neither inclusive nor exclusive: an evicted line stays in the other levels. A dirty
 * victim of L1 that L2 does not have is inserted into L2 (if that allocates); L3 or memory is read
 * for it only if L2's line is longer. The same holds between L2 and L3. An absent L1 passes
 * accesses on unchanged; an absent L2 or L3 passes lines on.
 *
 * Prefetching comes last. A demand read is a read for an access of the program. A level's
 * prefetcher runs after a demand read that missed in the level, and after the first demand read of
 * a prefetched line. The lines that it requests are inserted one by one if they are absent, and
 * their dirty victims are written. A prefetch takes no cycles, counts as no miss and triggers no
 * prefetcher.
 *
 * Latencies add up: L1; each lower level, for each line that the levels above did not have; memory,
 * for each line that no level had; a walk for each page that missed in the TLB; and the remaining
 * latency of a prefetched line that has not arrived. An access to two missing lines takes two
 * misses. Writes to lower levels, including victims, go through a buffer that is never full and
 * take no cycles.
 *
 * Not modelled: that buffer, several misses in flight, bus width, memory rows, coherence,
 * translation (addresses are virtual; a walk accesses no cache), flushes by the program or the
 * system. */
#include "hierarchy.h"

#include <assert.h>

#define NO_PAGE UINT64_MAX /* no page begins there */

/* ---- initialization ---- */

/* A TLB is a read-only cache whose lines are pages. */
static struct sl_cache_config tlb_cache(const struct sl_tlb_config *tlb)
{
    return (struct sl_cache_config){.size = tlb->entries * tlb->page,
                                    .ways = tlb->ways,
                                    .line = tlb->page,
                                    .seed = tlb->seed,
                                    .replacement = tlb->replacement};
}

size_t sl_hierarchy_bytes(const struct sl_hierarchy_config *config)
{
    struct sl_cache_config part[] = {config->l1i,
                                     config->l1d,
                                     config->l2,
                                     config->l3,
                                     tlb_cache(&config->itlb),
                                     tlb_cache(&config->dtlb)};
    size_t bytes = sizeof(struct sl_hierarchy);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].size)
            bytes += sl_cache_bytes(&part[i]) +
                     (part[i].prefetch ? sizeof(struct sl_prefetcher) : 0);
    return bytes;
}

/* Initializes the next cache in the memory block; returns NULL if it is absent. */
static struct sl_cache *make_cache(char **at, const struct sl_cache_config *config)
{
    if (!config->size)
        return NULL;
    struct sl_cache *c = (struct sl_cache *)*at;
    sl_cache_init(c, config);
    *at += sl_cache_bytes(config);
    return c;
}

static struct sl_prefetcher *make_prefetcher(char **at, const struct sl_cache_config *config)
{
    if (!config->size || !config->prefetch)
        return NULL;
    struct sl_prefetcher *p = (struct sl_prefetcher *)*at;
    sl_prefetcher_init(p, config);
    *at += sizeof *p;
    return p;
}

/* Sets the members that find the first way of a set, for an L1 whose sets are in order of use. */
static void set_first_ways(struct sl_hierarchy_port *p)
{
    if (!p->l1 || p->l1->hinted || p->l1->stamp)
        return;
    p->first_ways = p->l1->way;
    p->ways = p->l1->ways;
    p->set_mask = p->l1->set_mask;
}

void sl_hierarchy_init(struct sl_hierarchy *h, const struct sl_hierarchy_config *config)
{
    assert(sl_hierarchy_check(config, NULL) == 0);
    const struct sl_cache_config *l1[2] = {&config->l1i, &config->l1d};
    const struct sl_cache_config *below[SL_HIERARCHY_LEVELS] = {&config->l2, &config->l3};
    const struct sl_tlb_config *tlb[2] = {&config->itlb, &config->dtlb};
    char *at = (char *)(h + 1);
    for (int i = 0; i < 2; i++)
        h->port[i] = (struct sl_hierarchy_port){
            .l1 = make_cache(&at, l1[i]),
            .hit_cycles = l1[i]->size ? (uint32_t)l1[i]->latency : 0,
            .walk_cycles = (uint32_t)tlb[i]->latency,
            .line_log2 = (uint32_t)__builtin_ctzll(l1[i]->size ? l1[i]->line : 64),
        };
    for (unsigned i = 0; i < SL_HIERARCHY_LEVELS; i++)
        h->below[i] = (struct sl_hierarchy_level){.cache = make_cache(&at, below[i]),
                                                  .cycles = (uint32_t)below[i]->latency};
    h->memory_cycles = (uint32_t)config->memory.latency;
    h->l1_is_last = !config->l2.size && !config->l3.size;
    for (int i = 0; i < 2; i++) {
        struct sl_cache_config cache = tlb_cache(tlb[i]);
        h->port[i].tlb = make_cache(&at, &cache);
        h->port[i].prefetcher = make_prefetcher(&at, l1[i]);
        h->port[i].page = NO_PAGE;
        h->port[i].through = !h->port[i].l1 || !h->port[i].l1->back;
        h->port[i].page_log2 = h->port[i].tlb ? h->port[i].tlb->line_log2 : 63;
        h->port[i].page_mask = -(UINT64_C(1) << h->port[i].page_log2);
        h->port[i].line_mask = -(UINT64_C(1) << h->port[i].line_log2);
        set_first_ways(&h->port[i]);
        h->below[i].prefetcher = make_prefetcher(&at, below[i]);
    }
}

/* ---- the levels below L1 ---- */

static const uint32_t missed_at[SL_HIERARCHY_LEVELS] = {SL_ACCESS_L2_MISS, SL_ACCESS_L3_MISS};

static void read_from(struct sl_hierarchy *h, unsigned level, uint64_t address, uint64_t size,
                      bool demand, struct sl_access *access);

/* Writes to level `level` and, as far as needed, below. `demand`: bytes of the program's access;
 * otherwise of a victim. */
static void write_to(struct sl_hierarchy *h, unsigned level, uint64_t address, uint64_t size,
                     bool demand, struct sl_access *access)
{
    if (level == SL_HIERARCHY_LEVELS) {
        h->memory_writes++;
        return;
    }
    struct sl_cache *cache = h->below[level].cache;
    if (!cache) {
        write_to(h, level + 1, address, size, demand, access);
        return;
    }
    uint64_t line_bytes = UINT64_C(1) << cache->line_log2;
    uint64_t end = address + (size - 1) < address ? UINT64_MAX : address + (size - 1);
    uint64_t last = sl_cache_last_line(address, (uint32_t)size, cache->line_log2);
    for (uint64_t line = address >> cache->line_log2; line <= last; line++) {
        uint64_t start = line << cache->line_log2;
        uint64_t low = address > start ? address : start;
        uint64_t bytes = line == last ? end - low + 1 : start + line_bytes - low;
        struct sl_cache_result t = sl_cache_touch(cache, start, true);
        bool allocates = t.miss && cache->allocate;
        struct sl_access separate = {0, 0};
        if (t.miss && demand)
            access->events |= missed_at[level];
        if (allocates && bytes != line_bytes)
            read_from(h, level + 1, start, line_bytes, false, &separate);
        if (t.writeback)
            write_to(h, level + 1, t.victim, line_bytes, false, access);
        if (!cache->back || (t.miss && !allocates))
            write_to(h, level + 1, low, bytes, demand, access);
    }
}

/* Makes the prefetches that follow an access to `address`. */
static void prefetch(struct sl_hierarchy *h, struct sl_prefetcher *p, struct sl_cache *cache,
                     unsigned below, uint64_t address, bool missed, uint32_t cycles)
{
    struct sl_prefetch_read read = {h->prefetch_pc, address, h->now, missed, cycles};
    uint64_t line[SL_PREFETCH_MAX], line_bytes = UINT64_C(1) << cache->line_log2;
    unsigned n = sl_prefetcher_lines(p, &read, line);
    for (unsigned i = 0; i < n; i++) {
        struct sl_cache_result t = sl_cache_prefetch_line(cache, line[i]);
        struct sl_access separate = {0, 0};
        if (!t.miss)
            continue;
        read_from(h, below, line[i], line_bytes, false, &separate);
        if (t.writeback)
            write_to(h, below, t.victim, line_bytes, false, &separate);
        sl_prefetcher_requested(p, &read, line[i], separate.cycles);
    }
}

/* First access to a prefetched line: waits until the line has arrived. */
static void wait_for_prefetch(const struct sl_hierarchy *h, const struct sl_prefetcher *p,
                              uint64_t address, struct sl_access *access)
{
    uint32_t remaining = sl_prefetcher_remaining(p, address, h->now);
    if (remaining)
        access->events |= SL_ACCESS_LATE;
    access->cycles += remaining;
}

/* Reads from level `level` and, where it misses, from those below. `demand`: for an access of the
 * program, not for a prefetch or a victim. */
static void read_from(struct sl_hierarchy *h, unsigned level, uint64_t address, uint64_t size,
                      bool demand, struct sl_access *access)
{
    if (level == SL_HIERARCHY_LEVELS) {
        h->memory_reads++;
        access->cycles += h->memory_cycles;
        return;
    }
    struct sl_hierarchy_level *l = &h->below[level];
    if (!l->cache) {
        read_from(h, level + 1, address, size, demand, access);
        return;
    }
    uint64_t line_bytes = UINT64_C(1) << l->cache->line_log2;
    uint64_t last = sl_cache_last_line(address, (uint32_t)size, l->cache->line_log2);
    for (uint64_t line = address >> l->cache->line_log2; line <= last; line++) {
        uint64_t start = line << l->cache->line_log2;
        struct sl_cache_result t = sl_cache_touch(l->cache, start, false);
        uint32_t before = access->cycles += l->cycles;
        if (t.miss) {
            access->events |= missed_at[level];
            read_from(h, level + 1, start, line_bytes, demand, access);
        }
        if (t.first_use)
            wait_for_prefetch(h, l->prefetcher, start, access);
        if (t.writeback)
            write_to(h, level + 1, t.victim, line_bytes, false, access);
        if (demand && l->prefetcher && (t.miss || t.first_use))
            prefetch(h, l->prefetcher, l->cache, level + 1, start, t.miss, access->cycles - before);
    }
}

/* ---- one access ---- */

static void translate(struct sl_hierarchy_port *p, uint64_t address, uint32_t size,
                      struct sl_access *access)
{
    unsigned misses = sl_cache_access(p->tlb, address, size, false);
    if (misses) {
        access->events |= SL_ACCESS_TLB_MISS;
        access->cycles += misses * p->walk_cycles;
    }
}

/* An access within one line of L1. */
static void access_line(struct sl_hierarchy *h, struct sl_hierarchy_port *p, bool write,
                        uint64_t address, uint32_t size, struct sl_access *access)
{
    struct sl_cache *l1 = p->l1;
    uint64_t line_bytes = UINT64_C(1) << l1->line_log2, start = address & -line_bytes;
    struct sl_cache_result t = sl_cache_touch(l1, address, write);
    bool bypasses = t.miss && write && !l1->allocate;
    uint32_t before = access->cycles;
    if (t.miss)
        access->events |= SL_ACCESS_L1_MISS;
    if (t.miss && !bypasses)
        read_from(h, 0, start, line_bytes, true, access);
    if (t.first_use)
        wait_for_prefetch(h, p->prefetcher, start, access);
    if (t.writeback)
        write_to(h, 0, t.victim, line_bytes, false, access);
    if (write && (bypasses || !l1->back))
        write_to(h, 0, address, size, true, access);
    if (p->prefetcher && !bypasses && (t.miss || t.first_use))
        prefetch(h, p->prefetcher, l1, 0, start, t.miss, access->cycles - before);
}

static void access_lines(struct sl_hierarchy *h, struct sl_hierarchy_port *p, bool write,
                         uint64_t address, uint32_t size, struct sl_access *access)
{
    uint64_t last = sl_cache_last_line(address, size, p->line_log2);
    for (uint64_t line = address >> p->line_log2; line < last; line++) {
        uint32_t part = (uint32_t)(((line + 1) << p->line_log2) - address);
        access_line(h, p, write, address, part, access);
        address += part;
        size -= part;
    }
    access_line(h, p, write, address, size, access);
}

/* Makes an access without any fast path. This function defines what an access is. */
__attribute__((noinline)) static struct sl_access
access_all_levels(struct sl_hierarchy *h, enum sl_access_kind kind, uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    struct sl_access_counters *count = &h->kind[kind];
    struct sl_access access = {0, p->hit_cycles};
    bool write = kind == SL_ACCESS_STORE;
    h->prefetch_pc = kind == SL_ACCESS_FETCH ? SL_PREFETCH_NO_PC : h->pc;
    p->page = (address + (size - 1) < address ? UINT64_MAX : address + (size - 1)) & p->page_mask;
    if (p->tlb)
        translate(p, address, size, &access);
    if (p->l1)
        access_lines(h, p, write, address, size, &access);
    else if (write)
        write_to(h, 0, address, size, true, &access);
    else
        read_from(h, 0, address, size, true, &access);
    uint64_t index = sl_hierarchy_data_accesses(h) - h->access_events_from;
    if (h->access_events && kind != SL_ACCESS_FETCH && index < h->access_events_capacity)
        h->access_events[index] = (uint8_t)access.events;
    count->accesses++;
    count->l1_misses += (access.events & SL_ACCESS_L1_MISS) != 0;
    count->l2_misses += (access.events & SL_ACCESS_L2_MISS) != 0;
    count->l3_misses += (access.events & SL_ACCESS_L3_MISS) != 0;
    count->tlb_misses += (access.events & SL_ACCESS_TLB_MISS) != 0;
    return access;
}

bool sl_hierarchy_write_through(struct sl_hierarchy *h, uint64_t line)
{
    struct sl_hierarchy_port *p = &h->port[1];
    struct sl_cache *l1 = p->l1;
    if (!l1 || !h->l1_is_last || l1->allocate || l1->ways > 1 || p->prefetcher || h->access_events)
        return false;
    bool missed = !sl_cache_find_fast(l1, line);
    l1->counters.writes++;
    l1->counters.write_misses += missed;
    if (p->tlb)
        p->tlb->counters.reads++;
    h->memory_writes++;
    h->kind[SL_ACCESS_STORE].accesses++;
    h->kind[SL_ACCESS_STORE].l1_misses += missed;
    return true;
}

/* Returns true if the TLB has the page of `address` anywhere in its set; the page becomes the page
 * of the last access. */
static bool translate_hit(struct sl_hierarchy_port *p, uint64_t address)
{
    if (sl_hierarchy_translate_fast(p, address))
        return true;
    if (p->tlb) {
        uint64_t *page = sl_cache_find(p->tlb, address);
        if (!page)
            return false;
        sl_cache_use(p->tlb, address, page);
    }
    p->page = address & p->page_mask;
    return true;
}

/* Handles hits in L1 and in the TLB at any position, which are almost all accesses; the rest go
 * through access_all_levels(). */
struct sl_access sl_hierarchy_access_slow(struct sl_hierarchy *h, enum sl_access_kind kind,
                                          uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    bool through = kind == SL_ACCESS_STORE && p->through;
    uint64_t *line;
    if (!p->l1 || (address + (size - 1)) >> p->line_log2 != address >> p->line_log2 ||
        (through && !h->l1_is_last) || !(line = sl_cache_find(p->l1, address)) ||
        ((address & p->page_mask) != p->page && !translate_hit(p, address)))
        return access_all_levels(h, kind, address, size);
    line = sl_cache_use(p->l1, address, line);
    if (through) {
        p->l1->counters.writes++;
        if (p->tlb)
            p->tlb->counters.reads++;
        h->memory_writes++;
        h->kind[kind].accesses++;
    } else {
        *line |= kind == SL_ACCESS_STORE;
        h->hits[kind]++;
    }
    return (struct sl_access){0, p->hit_cycles};
}
