/* Two L1 caches above one L2, by line and by cycle.
 *
 *     | hierarchy | l1i | l1d | l2 | itlb | dtlb |      one block of memory
 *
 * An access is translated page by page, then made line by line:
 *
 *     in L1           nothing more
 *     not in L1       the line is read from L2, and by L2 from memory if it is not
 *                     there; a dirty victim is written to the level below, after that
 *     write-through   what was written goes to the level below as well
 *     no allocation   a write that misses goes to the level below instead
 *
 * L2 is neither inclusive nor exclusive: what leaves it stays in L1, what leaves L1
 * stays in it. A dirty victim of L1 that L2 no longer has is brought back into L2 (if
 * that allocates); memory is read for that only where L2's line is the longer one.
 * An absent L1 lets accesses pass as they are, an absent L2 lets lines pass.
 *
 * Cycles add up: the latency of L1, that of L2 for each line that L1 did not have, that
 * of memory for each that L2 did not have either, a walk for each page that the TLB did
 * not have. So an access to two lines that miss takes two misses. What is written to a
 * level below, victims included, waits in a buffer that is never full: no cycles.
 *
 * Not modelled: that buffer, several misses under way at once, the width of a bus, rows
 * of memory, prefetching, coherence, translation (addresses are the program's own; a
 * walk touches no cache), flushing by the program or by the system. */
#include "hierarchy.h"

#include <assert.h>

#define NO_LINE UINT64_MAX /* no line's number has that many bits */

/* ---- making ----------------------------------------------------------------- */

/* A TLB is a cache of pages that is only read. */
static struct sl_cache_config pages(const struct sl_tlb_config *tlb)
{
    return (struct sl_cache_config){.size = tlb->entries * tlb->page, .ways = tlb->ways,
                                    .line = tlb->page, .seed = tlb->seed,
                                    .replacement = tlb->replacement};
}

static size_t head_bytes(void)
{
    return (sizeof(struct sl_hierarchy) + 63) / 64 * 64;
}

size_t sl_hierarchy_bytes(const struct sl_hierarchy_config *config)
{
    struct sl_cache_config part[] = {config->l1i, config->l1d, config->l2, pages(&config->itlb),
                                     pages(&config->dtlb)};
    size_t bytes = head_bytes();
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        bytes += part[i].size ? sl_cache_bytes(&part[i]) : 0;
    return bytes;
}

/* The next cache in the block; NULL if there is none. */
static struct sl_cache *place(char **at, const struct sl_cache_config *config)
{
    if (!config->size)
        return NULL;
    struct sl_cache *c = (struct sl_cache *)*at;
    sl_cache_init(c, config);
    *at += sl_cache_bytes(config);
    return c;
}

void sl_hierarchy_init(struct sl_hierarchy *h, const struct sl_hierarchy_config *config)
{
    assert(sl_hierarchy_check(config, NULL) == 0);
    const struct sl_cache_config *l1[2] = {&config->l1i, &config->l1d};
    const struct sl_tlb_config *tlb[2] = {&config->itlb, &config->dtlb};
    char *at = (char *)h + head_bytes();
    for (int i = 0; i < 2; i++)
        h->port[i] = (struct sl_hierarchy_port){
            .l1 = place(&at, l1[i]),
            .last = NO_LINE,
            .hit_cycles = l1[i]->size ? (uint32_t)l1[i]->latency : 0,
            .walk_cycles = (uint32_t)tlb[i]->latency,
            .line_log2 = (uint32_t)__builtin_ctzll(l1[i]->size ? l1[i]->line : 64),
        };
    h->l2 = place(&at, &config->l2);
    h->l2_cycles = (uint32_t)config->l2.latency;
    h->memory_cycles = (uint32_t)config->memory.latency;
    for (int i = 0; i < 2; i++) {
        struct sl_cache_config cache = pages(tlb[i]);
        h->port[i].tlb = place(&at, &cache);
    }
}

/* ---- the levels below L1 ------------------------------------------------------ */

static void from_memory(struct sl_hierarchy *h, struct sl_access *got)
{
    h->memory_reads++;
    got->what |= SL_ACCESS_MEMORY;
    got->cycles += h->memory_cycles;
}

static void read_below(struct sl_hierarchy *h, uint64_t address, uint32_t size,
                       struct sl_access *got)
{
    struct sl_cache *l2 = h->l2;
    if (!l2) {
        from_memory(h, got);
        return;
    }
    uint64_t last = sl_cache_last_line(address, size, l2->line_log2);
    for (uint64_t line = address >> l2->line_log2; line <= last; line++) {
        struct sl_cache_touched t = sl_cache_touch(l2, line << l2->line_log2, false);
        got->cycles += h->l2_cycles;
        if (t.miss) {
            got->what |= SL_ACCESS_L2_MISS;
            from_memory(h, got);
        }
        if (t.writeback) {
            got->what |= SL_ACCESS_L2_WRITEBACK;
            h->memory_writes++;
        }
    }
}

/* What SL_ACCESS_L2_MISS would say of it is returned. */
static uint32_t write_below(struct sl_hierarchy *h, uint64_t address, uint32_t size,
                            struct sl_access *got)
{
    struct sl_cache *l2 = h->l2;
    uint32_t missed = 0;
    if (!l2) {
        h->memory_writes++;
        return 0;
    }
    uint64_t last = sl_cache_last_line(address, size, l2->line_log2);
    for (uint64_t line = address >> l2->line_log2; line <= last; line++) {
        uint64_t start = line << l2->line_log2, line_bytes = UINT64_C(1) << l2->line_log2;
        struct sl_cache_touched t = sl_cache_touch(l2, start, true);
        bool brought = t.miss && l2->allocate;
        bool whole = address <= start && address + (size - 1) - start >= line_bytes - 1;
        if (t.miss)
            missed = SL_ACCESS_L2_MISS;
        if (t.writeback)
            got->what |= SL_ACCESS_L2_WRITEBACK;
        h->memory_reads += brought && !whole;
        h->memory_writes += t.writeback + (uint64_t)(!l2->back || (t.miss && !brought));
    }
    return missed;
}

/* ---- one access --------------------------------------------------------------- */

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
    uint32_t line_bytes = UINT32_C(1) << l1->line_log2;
    struct sl_cache_touched t = sl_cache_touch(l1, address, write);
    bool stays_out = t.miss && write && !l1->allocate;
    uint64_t dirty = write && l1->back;
    if (t.miss)
        got->what |= SL_ACCESS_L1_MISS;
    if (t.miss && !stays_out)
        read_below(h, address & -(uint64_t)line_bytes, line_bytes, got);
    if (t.writeback) {
        got->what |= SL_ACCESS_L1_WRITEBACK;
        write_below(h, t.victim, line_bytes, got);
    }
    if (write && (stays_out || !l1->back))
        got->what |= write_below(h, address, size, got);
    p->last = stays_out ? NO_LINE : address >> l1->line_log2 << 1 | dirty;
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

/* The definition: an access as it goes when nothing is known of it. */
__attribute__((noinline)) static struct sl_access whole_way(struct sl_hierarchy *h,
                                                            enum sl_access_kind kind,
                                                            uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    struct sl_access_counters *count = &h->kind[kind];
    struct sl_access got = {0, p->hit_cycles};
    bool write = kind == SL_ACCESS_STORE;
    if (p->tlb)
        translate(p, address, size, &got);
    if (p->l1)
        access_lines(h, p, write, address, size, &got);
    else if (write)
        got.what |= write_below(h, address, size, &got);
    else
        read_below(h, address, size, &got);
    uint64_t place = sl_hierarchy_data_accesses(h) - h->met_from;
    if (h->met && kind != SL_ACCESS_FETCH && place < h->met_room)
        h->met[place] = (uint8_t)got.what;
    count->accesses++;
    count->l1_misses += (got.what & SL_ACCESS_L1_MISS) != 0;
    count->l2_misses += (got.what & SL_ACCESS_L2_MISS) != 0;
    count->tlb_misses += (got.what & SL_ACCESS_TLB_MISS) != 0;
    count->stall_cycles += got.cycles - p->hit_cycles;
    return got;
}

/* Another line than the last one is often the newest of its set, and its page of its
 * own. The way down is not inlined here, so that this way needs no registers saved. */
struct sl_access sl_hierarchy_search(struct sl_hierarchy *h, enum sl_access_kind kind,
                                     uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    uint64_t line = address >> p->line_log2, write = kind == SL_ACCESS_STORE;
    if (!p->l1 || (address + (size - 1)) >> p->line_log2 != line || (write && !p->l1->back))
        return whole_way(h, kind, address, size);
    uint64_t *front = sl_cache_front(p->l1, address);
    if (!front || (p->tlb && !sl_cache_front(p->tlb, address)))
        return whole_way(h, kind, address, size);
    *front |= write;
    p->last = line << 1 | write;
    h->hits[kind]++;
    return (struct sl_access){0, p->hit_cycles};
}
