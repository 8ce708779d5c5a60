/* SPDX-License-Identifier: MIT */
/* The memory hierarchy: two L1 caches, one L2, one L3, by line and by cycle.
 *
 *     | hierarchy | l1i | l1d | l2 | l3 | itlb | dtlb | prefetchers |     one block of memory
 *
 * An access is translated page by page, then made line by line:
 *
 *     L1 hit          done
 *     L1 miss         the line is read from L2, by L2 from L3 and by L3 from memory, as far as it
 * is missing; then a dirty victim is written to the level below write-through   the written bytes
 * also go to the level below no allocation   a write miss goes to the level below instead
 *
 * Levels are neither inclusive nor exclusive: an evicted line stays in the other levels. A dirty
 * victim of L1 that L2 does not have is inserted into L2 (if that allocates); L3 or memory is read
 * for it only if L2's line is longer. The same holds between L2 and L3. An absent L1 passes
 * accesses on unchanged; an absent L2 or L3 passes lines on.
 *
 * Prefetching comes last. If a line that the program's access reads at some level was missing
 * there, or was hit for the first time after a prefetch, the level's prefetcher requests lines
 * after all else is done; those that are absent are inserted one by one, and their dirty victims
 * are written. Such a read is not an access of the program: it takes no cycles, counts as no miss
 * and triggers no prefetcher.
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

/* ---- making ---- */

/* A TLB is a read-only cache of pages. */
static struct sl_cache_config pages(const struct sl_tlb_config *tlb)
{
    return (struct sl_cache_config){.size = tlb->entries * tlb->page,
                                    .ways = tlb->ways,
                                    .line = tlb->page,
                                    .seed = tlb->seed,
                                    .replacement = tlb->replacement};
}

static size_t head_bytes(void)
{
    return (sizeof(struct sl_hierarchy) + 63) / 64 * 64;
}

static size_t prefetcher_bytes(void)
{
    return (sizeof(struct sl_prefetcher) + 63) / 64 * 64;
}

size_t sl_hierarchy_bytes(const struct sl_hierarchy_config *config)
{
    struct sl_cache_config part[] = {config->l1i, config->l1d,          config->l2,
                                     config->l3,  pages(&config->itlb), pages(&config->dtlb)};
    size_t bytes = head_bytes();
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].size)
            bytes += sl_cache_bytes(&part[i]) + (part[i].prefetch ? prefetcher_bytes() : 0);
    return bytes;
}

/* Initializes the next cache in the memory block; returns NULL if it is absent. */
static struct sl_cache *place(char **at, const struct sl_cache_config *config)
{
    if (!config->size)
        return NULL;
    struct sl_cache *c = (struct sl_cache *)*at;
    sl_cache_init(c, config);
    *at += sl_cache_bytes(config);
    return c;
}

static struct sl_prefetcher *place_prefetcher(char **at, const struct sl_cache_config *config)
{
    if (!config->size || !config->prefetch)
        return NULL;
    struct sl_prefetcher *p = (struct sl_prefetcher *)*at;
    sl_prefetcher_init(p, config);
    *at += prefetcher_bytes();
    return p;
}

/* For an L1 whose sets are in order of use. */
static void find_first_ways(struct sl_hierarchy_port *p)
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
    char *at = (char *)h + head_bytes();
    for (int i = 0; i < 2; i++)
        h->port[i] = (struct sl_hierarchy_port){
            .l1 = place(&at, l1[i]),
            .hit_cycles = l1[i]->size ? (uint32_t)l1[i]->latency : 0,
            .walk_cycles = (uint32_t)tlb[i]->latency,
            .line_log2 = (uint32_t)__builtin_ctzll(l1[i]->size ? l1[i]->line : 64),
        };
    for (unsigned i = 0; i < SL_HIERARCHY_LEVELS; i++)
        h->below[i] = (struct sl_hierarchy_level){.cache = place(&at, below[i]),
                                                  .cycles = (uint32_t)below[i]->latency};
    h->memory_cycles = (uint32_t)config->memory.latency;
    h->ends_at_l1 = !config->l2.size && !config->l3.size;
    for (int i = 0; i < 2; i++) {
        struct sl_cache_config cache = pages(tlb[i]);
        h->port[i].tlb = place(&at, &cache);
        h->port[i].prefetcher = place_prefetcher(&at, l1[i]);
        h->port[i].page = NO_PAGE;
        h->port[i].through = !h->port[i].l1 || !h->port[i].l1->back;
        h->port[i].page_log2 = h->port[i].tlb ? h->port[i].tlb->line_log2 : 63;
        h->port[i].page_mask = -(UINT64_C(1) << h->port[i].page_log2);
        h->port[i].line_mask = -(UINT64_C(1) << h->port[i].line_log2);
        find_first_ways(&h->port[i]);
        h->below[i].prefetcher = place_prefetcher(&at, below[i]);
    }
}

/* ---- the levels below L1 ---- */

static const uint32_t missed_at[SL_HIERARCHY_LEVELS] = {SL_ACCESS_L2_MISS, SL_ACCESS_L3_MISS};
static const uint32_t written_back_at[SL_HIERARCHY_LEVELS] = {SL_ACCESS_L2_WRITEBACK,
                                                              SL_ACCESS_L3_WRITEBACK};

static void from_memory(struct sl_hierarchy *h, struct sl_access *got)
{
    h->memory_reads++;
    got->what |= SL_ACCESS_MEMORY;
    got->cycles += h->memory_cycles;
}

static void read_from(struct sl_hierarchy *h, unsigned level, uint64_t address, uint64_t size,
                      bool asked, struct sl_access *got);

/* Writes bytes of the program's access (`own`) or of a victim. */
static void write_to(struct sl_hierarchy *h, unsigned level, uint64_t address, uint64_t size,
                     bool own, struct sl_access *got)
{
    if (level == SL_HIERARCHY_LEVELS) {
        h->memory_writes++;
        return;
    }
    struct sl_cache *cache = h->below[level].cache;
    if (!cache) {
        write_to(h, level + 1, address, size, own, got);
        return;
    }
    uint64_t line_bytes = UINT64_C(1) << cache->line_log2;
    uint64_t end = address + (size - 1) < address ? UINT64_MAX : address + (size - 1);
    uint64_t last = sl_cache_last_line(address, (uint32_t)size, cache->line_log2);
    for (uint64_t line = address >> cache->line_log2; line <= last; line++) {
        uint64_t start = line << cache->line_log2;
        uint64_t low = address > start ? address : start;
        uint64_t bytes = line == last ? end - low + 1 : start + line_bytes - low;
        struct sl_cache_touched t = sl_cache_touch(cache, start, true);
        bool brought = t.miss && cache->allocate;
        struct sl_access alone = {0, 0};
        if (t.miss && own)
            got->what |= missed_at[level];
        if (brought && bytes != line_bytes)
            read_from(h, level + 1, start, line_bytes, false, &alone);
        if (t.writeback) {
            got->what |= written_back_at[level];
            write_to(h, level + 1, t.victim, line_bytes, false, got);
        }
        if (!cache->back || (t.miss && !brought))
            write_to(h, level + 1, low, bytes, own, got);
    }
}

/* Makes the prefetches that follow an access to `address`. */
static void prefetch(struct sl_hierarchy *h, struct sl_prefetcher *p, struct sl_cache *cache,
                     unsigned below, uint64_t address, bool missed, uint32_t cycles)
{
    struct sl_prefetch_read read = {h->asking, address, h->now, missed, cycles};
    uint64_t line[SL_PREFETCH_MAX], line_bytes = UINT64_C(1) << cache->line_log2;
    unsigned n = sl_prefetcher_ask(p, &read, line);
    for (unsigned i = 0; i < n; i++) {
        struct sl_cache_touched t = sl_cache_bring(cache, line[i]);
        struct sl_access alone = {0, 0};
        if (!t.miss)
            continue;
        read_from(h, below, line[i], line_bytes, false, &alone);
        if (t.writeback)
            write_to(h, below, t.victim, line_bytes, false, &alone);
        sl_prefetcher_brings(p, &read, line[i], alone.cycles);
    }
}

/* The first access to a line that was prefetched. */
static void meet(const struct sl_hierarchy *h, const struct sl_prefetcher *p, uint64_t address,
                 struct sl_access *got)
{
    uint32_t late = sl_prefetcher_late(p, address, h->now);
    if (late)
        got->what |= SL_ACCESS_LATE;
    got->cycles += late;
}

/* `asked`: for an access of the program, not for a prefetch or a victim. */
static void read_from(struct sl_hierarchy *h, unsigned level, uint64_t address, uint64_t size,
                      bool asked, struct sl_access *got)
{
    if (level == SL_HIERARCHY_LEVELS) {
        from_memory(h, got);
        return;
    }
    struct sl_hierarchy_level *l = &h->below[level];
    if (!l->cache) {
        read_from(h, level + 1, address, size, asked, got);
        return;
    }
    uint64_t line_bytes = UINT64_C(1) << l->cache->line_log2;
    uint64_t last = sl_cache_last_line(address, (uint32_t)size, l->cache->line_log2);
    for (uint64_t line = address >> l->cache->line_log2; line <= last; line++) {
        uint64_t start = line << l->cache->line_log2;
        struct sl_cache_touched t = sl_cache_touch(l->cache, start, false);
        uint32_t before = got->cycles += l->cycles;
        if (t.miss) {
            got->what |= missed_at[level];
            read_from(h, level + 1, start, line_bytes, asked, got);
        }
        if (t.met)
            meet(h, l->prefetcher, start, got);
        if (t.writeback) {
            got->what |= written_back_at[level];
            write_to(h, level + 1, t.victim, line_bytes, false, got);
        }
        if (asked && l->prefetcher && (t.miss || t.met))
            prefetch(h, l->prefetcher, l->cache, level + 1, start, t.miss, got->cycles - before);
    }
}

/* ---- one access ---- */

static void translate(struct sl_hierarchy_port *p, uint64_t address, uint32_t size,
                      struct sl_access *got)
{
    unsigned misses = sl_cache_access(p->tlb, address, size, false);
    if (misses) {
        got->what |= SL_ACCESS_TLB_MISS;
        got->cycles += misses * p->walk_cycles;
    }
}

/* An access within one line of L1. */
static void access_line(struct sl_hierarchy *h, struct sl_hierarchy_port *p, bool write,
                        uint64_t address, uint32_t size, struct sl_access *got)
{
    struct sl_cache *l1 = p->l1;
    uint64_t line_bytes = UINT64_C(1) << l1->line_log2, start = address & -line_bytes;
    struct sl_cache_touched t = sl_cache_touch(l1, address, write);
    bool stays_out = t.miss && write && !l1->allocate;
    uint32_t before = got->cycles;
    if (t.miss)
        got->what |= SL_ACCESS_L1_MISS;
    if (t.miss && !stays_out)
        read_from(h, 0, start, line_bytes, true, got);
    if (t.met)
        meet(h, p->prefetcher, start, got);
    if (t.writeback) {
        got->what |= SL_ACCESS_L1_WRITEBACK;
        write_to(h, 0, t.victim, line_bytes, false, got);
    }
    if (write && (stays_out || !l1->back))
        write_to(h, 0, address, size, true, got);
    if (p->prefetcher && !stays_out && (t.miss || t.met))
        prefetch(h, p->prefetcher, l1, 0, start, t.miss, got->cycles - before);
}

static void access_lines(struct sl_hierarchy *h, struct sl_hierarchy_port *p, bool write,
                         uint64_t address, uint32_t size, struct sl_access *got)
{
    uint64_t last = sl_cache_last_line(address, size, p->line_log2);
    for (uint64_t line = address >> p->line_log2; line < last; line++) {
        uint32_t part = (uint32_t)(((line + 1) << p->line_log2) - address);
        access_line(h, p, write, address, part, got);
        address += part;
        size -= part;
    }
    access_line(h, p, write, address, size, got);
}

/* The definition: an access without any shortcut. */
__attribute__((noinline)) static struct sl_access
whole_way(struct sl_hierarchy *h, enum sl_access_kind kind, uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    struct sl_access_counters *count = &h->kind[kind];
    struct sl_access got = {0, p->hit_cycles};
    bool write = kind == SL_ACCESS_STORE;
    h->asking = kind == SL_ACCESS_FETCH ? SL_PREFETCH_NO_PC : h->pc;
    p->page = (address + (size - 1) < address ? UINT64_MAX : address + (size - 1)) & p->page_mask;
    if (p->tlb)
        translate(p, address, size, &got);
    if (p->l1)
        access_lines(h, p, write, address, size, &got);
    else if (write)
        write_to(h, 0, address, size, true, &got);
    else
        read_from(h, 0, address, size, true, &got);
    uint64_t place = sl_hierarchy_data_accesses(h) - h->met_from;
    if (h->met && kind != SL_ACCESS_FETCH && place < h->met_room)
        h->met[place] = (uint8_t)got.what;
    count->accesses++;
    count->l1_misses += (got.what & SL_ACCESS_L1_MISS) != 0;
    count->l2_misses += (got.what & SL_ACCESS_L2_MISS) != 0;
    count->l3_misses += (got.what & SL_ACCESS_L3_MISS) != 0;
    count->tlb_misses += (got.what & SL_ACCESS_TLB_MISS) != 0;
    count->stall_cycles += got.cycles - p->hit_cycles;
    return got;
}

bool sl_hierarchy_written_through(struct sl_hierarchy *h, uint64_t line)
{
    struct sl_hierarchy_port *p = &h->port[1];
    struct sl_cache *l1 = p->l1;
    if (!l1 || !h->ends_at_l1 || l1->allocate || l1->ways > 1 || p->prefetcher || h->met)
        return false;
    bool missed = !sl_cache_usual(l1, line);
    l1->counters.writes++;
    l1->counters.write_misses += missed;
    if (p->tlb)
        p->tlb->counters.reads++;
    h->memory_writes++;
    h->kind[SL_ACCESS_STORE].accesses++;
    h->kind[SL_ACCESS_STORE].l1_misses += missed;
    return true;
}

/* Returns true if the TLB has the page of `address`; it becomes the page of the last access. */
static bool turn_page(struct sl_hierarchy_port *p, uint64_t address)
{
    if (sl_hierarchy_turns(p, address))
        return true;
    if (p->tlb) {
        uint64_t *page = sl_cache_held(p->tlb, address);
        if (!page)
            return false;
        sl_cache_hit(p->tlb, address, page);
    }
    p->page = address & p->page_mask;
    return true;
}

/* Almost all accesses hit in L1 and in the TLB; only a write may have to go to the level below. */
struct sl_access sl_hierarchy_search(struct sl_hierarchy *h, enum sl_access_kind kind,
                                     uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    bool through = kind == SL_ACCESS_STORE && p->through;
    uint64_t *line;
    if (!p->l1 || (address + (size - 1)) >> p->line_log2 != address >> p->line_log2 ||
        (through && !h->ends_at_l1) || !(line = sl_cache_held(p->l1, address)) ||
        ((address & p->page_mask) != p->page && !turn_page(p, address)))
        return whole_way(h, kind, address, size);
    line = sl_cache_hit(p->l1, address, line);
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
