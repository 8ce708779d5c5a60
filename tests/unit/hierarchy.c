/* SPDX-License-Identifier: MIT */
/* Unit tests of the memory hierarchy model. The result of every access is compared with a plain
 * model (naive_hierarchy.h), also for hierarchies without some of the cache levels. Cycles equal
 * those computed by hand, and each level receives as many requests as the level before it sends. */
#include <string.h>

#include "../support/naive_hierarchy.h"
#include "random.h"
#include "tap.h"
#include "support/hierarchy_counts.h"

#define ACCESSES 60000u

static struct sl_hierarchy *open_hierarchy(const struct sl_hierarchy_config *config)
{
    size_t bytes = sl_hierarchy_bytes(config);
    struct sl_hierarchy *h = aligned_alloc(64, bytes);
    if (!h)
        abort();
    memset(h, 0, bytes);
    sl_hierarchy_init(h, config);
    return h;
}

/* Page 4's machine, made small; lines of L2 are the longer ones. */
static struct sl_hierarchy_config small_machine(void)
{
    struct sl_hierarchy_config c;
    hierarchy_defaults(&c);
    c.l1i.size = c.l1d.size = 512;
    c.l1i.line = c.l1d.line = 32;
    c.l1d.ways = 2;
    c.l2.size = 4096;
    c.l2.ways = 4;
    c.l2.latency = 10;
    c.itlb = (struct sl_tlb_config){.entries = 4, .ways = 4, .page = 1024, .latency = 30};
    c.dtlb = (struct sl_tlb_config){.entries = 4, .ways = 2, .page = 2048, .latency = 40};
    return c;
}

/* ---- the plain definition ---- */

/* Returns how many accesses met a line that was brought too late. */
static size_t compare(const char *name, const struct sl_hierarchy_config *config)
{
    static const uint32_t sizes[] = {1, 2, 4, 8, 8, 16, 32, 100};
    struct sl_hierarchy *h = open_hierarchy(config);
    struct hierarchy_counters counters;
    struct naive_machine naive;
    uint64_t seed = 3, at[2] = {0x400000, 0x600000};
    size_t differing = 0, late = 0;
    naive_machine_open(&naive, config);
    /* Of the accesses of data, those from the hundredth on are noted, but for the last. */
    static uint8_t met[ACCESSES];
    size_t noted = 0, noted_wrong = 0;
    memset(met, 0, sizeof met);
    h->access_events = met;
    h->access_events_from = 100;
    h->access_events_capacity = ACCESSES / 2;
    for (size_t i = 0; i < ACCESSES; i++) {
        uint64_t place = sl_hierarchy_data_accesses(h) - 100;
        enum sl_access_kind kind = (enum sl_access_kind)sl_random_below(&seed, SL_ACCESS_KINDS);
        uint64_t *address = &at[kind != SL_ACCESS_FETCH];
        uint32_t size = sizes[sl_random_below(&seed, 8)];
        /* Forward a little, or somewhere else in 16 KB; both sides share 8 of them. */
        *address = sl_random_below(&seed, 8) ? *address + sl_random_below(&seed, 12)
                                             : (kind == SL_ACCESS_FETCH ? 0x400000 : 0x402000) +
                                                   sl_random_below(&seed, 16384);
        /* Time passes, and now and then an access is made earlier than the access before it. */
        naive.now = h->now = 20 * i + sl_random_below(&seed, 100);
        naive.pc = h->pc = 0x10000 + 4 * sl_random_below(&seed, 3) +
                           0x1004 * sl_random_below(&seed, 2);
        struct sl_access got = sl_hierarchy_access(h, kind, *address, size);
        struct sl_access wanted = naive_access(&naive, kind, *address, size);
        if (kind != SL_ACCESS_FETCH && place < ACCESSES / 2) {
            noted += wanted.events != 0;
            noted_wrong += met[place] != (uint8_t)wanted.events;
        }
        late += wanted.events & SL_ACCESS_LATE ? 1 : 0;
        differing += got.events != wanted.events || got.cycles != wanted.cycles;
    }
    bool misses = config->l1d.size || config->l2.size || config->dtlb.entries;
    ok((noted > 100 || !misses) && !noted_wrong && !met[ACCESSES / 2],
       "%s: what each of some accesses met is noted (%zu)", name, noted);
    ok(!differing, "%s: every access meets and takes what the plain definition says", name);
    hierarchy_count(h, &counters);
    const struct hierarchy_counters *wanted = naive_count(&naive);
    ok(!memcmp(&counters, wanted, sizeof counters), "%s: all counters agree", name);
    naive_machine_close(&naive);
    free(h);
    return late;
}

static void plain_definition(void)
{
    struct sl_hierarchy_config c = small_machine();
    compare("all levels", &c);
    c.l1i.replacement = c.l1d.replacement = c.l2.replacement = c.dtlb.replacement = SL_CACHE_FIFO;
    compare("fifo", &c);
    c = small_machine();
    c.l1d.write = SL_CACHE_THROUGH;
    compare("L1 writes through", &c);
    c.l1d.allocate = false;
    compare("L1 writes through and does not allocate", &c);
    c.l2.write = SL_CACHE_THROUGH;
    compare("L2 writes through, too", &c);
    c.l1d.write = SL_CACHE_BACK;
    c.l2.allocate = false;
    compare("L1 writes back, neither allocates", &c);
    c = small_machine();
    c.l2.allocate = false;
    compare("L2 does not allocate", &c);
    c.l2.line = 32;
    compare("lines of one length", &c);
    c = small_machine();
    c.l2.size = 0;
    compare("no L2", &c);
    c.l1i.size = 0;
    compare("no L2, no L1 for instructions", &c);
    c = small_machine();
    c.l1d.size = 0;
    compare("no L1 for data", &c);
    c.itlb.entries = c.dtlb.entries = 0;
    c.l1i.size = c.l2.size = 0;
    compare("memory alone", &c);
}

/* The same with an L3 of twice L2's lines. */
static struct sl_hierarchy_config three_levels(void)
{
    struct sl_hierarchy_config c = small_machine();
    c.l2.size = 2048;
    c.l2.line = 32;
    c.l3 = (struct sl_cache_config){
        .size = 8192, .ways = 4, .line = 64, .latency = 25, .allocate = true, .prefetch_degree = 1};
    return c;
}

static void third_level(void)
{
    struct sl_hierarchy_config c = three_levels();
    compare("an L3", &c);
    c.l2.write = SL_CACHE_THROUGH;
    compare("an L3 after an L2 that writes through", &c);
    c.l2.write = SL_CACHE_BACK;
    c.l3.allocate = false;
    compare("an L3 that does not allocate", &c);
    c.l2.allocate = c.l1d.allocate = false;
    compare("three levels, none of which allocates", &c);
    c = three_levels();
    c.l2.size = 0;
    compare("an L3 without an L2", &c);
    c.l1d.size = 0;
    compare("an L3 alone for data", &c);
}

static void prefetching(void)
{
    static const char *const name[] = {"none", "next line", "stride", "best offset"};
    char what[100];
    for (unsigned kind = SL_CACHE_NEXT_LINE; kind <= SL_CACHE_BEST_OFFSET; kind++) {
        struct sl_hierarchy_config c = three_levels();
        c.l1d.prefetch = kind;
        snprintf(what, sizeof what, "L1D prefetches (%s)", name[kind]);
        compare(what, &c);
        c.l1d.prefetch = SL_CACHE_NO_PREFETCH;
        c.l2.prefetch = kind;
        c.l2.prefetch_degree = kind == SL_CACHE_BEST_OFFSET ? 1 : 3;
        snprintf(what, sizeof what, "L2 prefetches (%s)", name[kind]);
        compare(what, &c);
        c.l1i.prefetch = SL_CACHE_NEXT_LINE;
        c.l1d.prefetch = c.l3.prefetch = kind;
        snprintf(what, sizeof what, "all levels prefetch (%s)", name[kind]);
        size_t late = compare(what, &c);
        ok(late > 50, "%s: some lines come late (%zu)", what, late);
        c.l1d.write = SL_CACHE_THROUGH;
        c.l1d.replacement = c.l2.replacement = c.l3.replacement = SL_CACHE_FIFO;
        snprintf(what, sizeof what, "all levels prefetch (%s), fifo, writing through", name[kind]);
        compare(what, &c);
    }
}

/* A loop reads one line of 32 bytes after the other, `stride` apart, in 64 pages, one every
 * `cycles`, after an L2 that prefetches. Returns how many of the last thousand waited. */
static unsigned waits_of(unsigned kind, uint64_t stride, uint64_t cycles)
{
    struct sl_hierarchy_config c = three_levels();
    unsigned waited = 0;
    c.l2 = (struct sl_cache_config){.size = 65536,
                                    .ways = 8,
                                    .line = 32,
                                    .latency = 10,
                                    .allocate = true,
                                    .prefetch = kind,
                                    .prefetch_degree = 1};
    c.l3.size = 0;
    c.dtlb.entries = 0;
    struct sl_hierarchy *h = open_hierarchy(&c);
    for (uint64_t i = 0; i < 60000; i++) {
        h->pc = 0x1000;
        h->now = i * cycles;
        struct sl_access got = sl_hierarchy_access(h, SL_ACCESS_LOAD,
                                                   0x400000 + i * stride * 32 % (64 * 4096), 4);
        waited += i >= 59000 && got.cycles > 11;
    }
    free(h);
    return waited;
}

static void what_they_are_for(void)
{
    unsigned none = waits_of(SL_CACHE_NO_PREFETCH, 1, 200);
    ok(none == 1000, "without a prefetcher all lines are waited for (%u of 1000)", none);
    ok(waits_of(SL_CACHE_NEXT_LINE, 1, 200) < 20, "the next line is there in time: but for pages");
    ok(waits_of(SL_CACHE_NEXT_LINE, 5, 200) == 1000, "which does not help with strides");
    ok(waits_of(SL_CACHE_STRIDE, 5, 200) < 100, "the stride's prefetcher does");
    ok(waits_of(SL_CACHE_STRIDE, 1, 20) > 900, "one line ahead is too late in a short loop");
    ok(waits_of(SL_CACHE_BEST_OFFSET, 1, 20) < 200, "the best offset is one that comes in time");
    ok(waits_of(SL_CACHE_BEST_OFFSET, 5, 200) < 100, "and finds strides");
}

/* ---- by hand ---- */

static bool is(struct sl_access got, uint32_t what, uint32_t cycles)
{
    return got.events == what && got.cycles == cycles;
}

enum {
    FROM_L2 = SL_ACCESS_L1_MISS,
    FROM_MEMORY = SL_ACCESS_L1_MISS | SL_ACCESS_L2_MISS,
};

static void cycles(void)
{
    struct sl_hierarchy_config c = small_machine();
    c.itlb.entries = c.dtlb.entries = 0;
    struct sl_hierarchy *h = open_hierarchy(&c);
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1000, 8), FROM_MEMORY, 111),
       "a load from memory: 1 + 10 + 100");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1018, 8), 0, 1), "the same line again: 1");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1020, 8), FROM_L2, 11),
       "the other half of L2's line: 1 + 10");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_FETCH, 0x1000, 4), FROM_L2, 11),
       "L2 is for instructions, too: 1 + 10");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x103c, 8), FROM_MEMORY, 111),
       "an access to two lines, the second in memory: 1 + 10 + 100");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x20bc, 8), FROM_MEMORY, 221),
       "an access to two lines in memory waits for both: 1 + 2 * (10 + 100)");
    free(h);

    c = small_machine();
    h = open_hierarchy(&c);
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x17fc, 8), FROM_MEMORY | SL_ACCESS_TLB_MISS, 301),
       "two pages, two lines: 2 walks of 40, 1 + 2 * (10 + 100)");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1fe0, 8), FROM_MEMORY, 111),
       "a page that was walked is there");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_FETCH, 0x1fe0, 4), FROM_L2 | SL_ACCESS_TLB_MISS, 41),
       "instructions have a TLB of their own: 30 + 1 + 10");
    free(h);
}

static void victims(void)
{
    struct sl_hierarchy_config c = small_machine();
    struct hierarchy_counters n;
    c.l1d.ways = 1; /* 16 lines of 32 bytes: 512 bytes on is the same set */
    c.itlb.entries = c.dtlb.entries = 0;
    struct sl_hierarchy *h = open_hierarchy(&c);
    sl_hierarchy_access(h, SL_ACCESS_STORE, 0x1000, 8);
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1200, 8), FROM_MEMORY, 111),
       "a dirty victim costs no cycles");
    hierarchy_count(h, &n);
    ok(n.l2.writes == 1 && !n.l2.write_misses && !n.memory_writes, "it is written to L2");
    /* 1 KB on is the same set of L2: five lines push the dirty one out of its four ways. */
    for (uint64_t i = 1; i <= 4; i++)
        sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1000 + 1024 * i, 8);
    hierarchy_count(h, &n);
    ok(n.l2.writebacks == 1 && n.memory_writes == 1, "and by L2 to memory when it leaves that");
    free(h);

    h = open_hierarchy(&c);
    sl_hierarchy_access(h, SL_ACCESS_STORE, 0x1000, 8);
    for (uint64_t i = 0; i < 4; i++)
        sl_hierarchy_access(h, SL_ACCESS_FETCH, 0x2000 + 1024 * i, 4);
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1008, 8), 0, 1), "what leaves L2 stays in L1");
    sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1200, 8);
    hierarchy_count(h, &n);
    ok(n.l2.writes == 1 && n.l2.write_misses == 1 && n.memory_reads == 7,
       "a dirty victim that L2 no longer has comes back into it; the rest of its line is read");
    ok(n.kind[SL_ACCESS_LOAD].l2_misses == 1, "which is not a miss of the load");
    free(h);
}

static void stores(void)
{
    struct sl_hierarchy_config c = small_machine();
    struct hierarchy_counters n;
    c.l1d.write = SL_CACHE_THROUGH;
    c.l1d.allocate = false;
    c.itlb.entries = c.dtlb.entries = c.l2.size = 0;
    struct sl_hierarchy *h = open_hierarchy(&c);
    ok(is(sl_hierarchy_access(h, SL_ACCESS_STORE, 0x1000, 4), SL_ACCESS_L1_MISS, 1),
       "a store that is only passed on waits for nothing");
    ok(is(sl_hierarchy_access(h, SL_ACCESS_LOAD, 0x1000, 4), SL_ACCESS_L1_MISS, 101),
       "and has not brought its line in");
    for (int i = 0; i < 10; i++)
        sl_hierarchy_access(h, SL_ACCESS_STORE, 0x1004, 4);
    hierarchy_count(h, &n);
    ok(n.memory_writes == 11 && n.memory_reads == 1, "every store goes through");
    ok(n.l1d.writes == 11 && n.l1d.write_misses == 1 && n.kind[SL_ACCESS_STORE].accesses == 11,
       "and is counted");
    free(h);
}

/* ---- conservation ---- */

static void conservation(void)
{
    struct sl_hierarchy_config c = small_machine();
    struct hierarchy_counters n;
    struct sl_hierarchy *h;
    uint64_t seed = 11, cycles = 0;
    c.l2.line = 32;
    c.l1i.replacement = c.l1d.replacement = c.l2.replacement = c.itlb.replacement = SL_CACHE_RANDOM;
    h = open_hierarchy(&c);
    for (size_t i = 0; i < ACCESSES; i++) {
        enum sl_access_kind kind = (enum sl_access_kind)(i % SL_ACCESS_KINDS);
        uint64_t address = 0x1000 + sl_random_below(&seed, 32) * sl_random_below(&seed, 512);
        cycles += sl_hierarchy_access(h, kind, address, 8).cycles;
    }
    hierarchy_count(h, &n);
    ok(n.l1i.read_misses + n.l1d.read_misses + n.l1d.write_misses == n.l2.reads,
       "random replacement: every line that an L1 did not have is read from L2");
    ok(n.l1d.writebacks == n.l2.writes && n.l1d.writebacks > 1000,
       "every dirty line that left L1 is written to L2");
    ok(n.l2.read_misses == n.memory_reads && n.l2.writebacks == n.memory_writes,
       "and so between L2 and memory, lines being of one length");
    bool add_up = true;
    for (int k = 0; k < SL_ACCESS_KINDS; k++)
        add_up &= n.kind[k].accesses == ACCESSES / SL_ACCESS_KINDS;
    ok(add_up, "every access is counted");
    ok(cycles == ACCESSES / SL_ACCESS_KINDS * SL_ACCESS_KINDS + 10 * n.l2.reads +
                     100 * n.memory_reads + 30 * n.itlb.read_misses + 40 * n.dtlb.read_misses,
       "cycles are the latency of L1, and latencies times what was waited for");
    free(h);
}

/* ---- configurations ---- */

static void refused(const struct sl_hierarchy_config *c, const char *says)
{
    struct sl_failure f = {0};
    ok(sl_hierarchy_check(c, &f) == SL_EUSAGE && !strncmp(f.text, says, strlen(says)),
       "refused: \"%s ...\"", says);
}

static void configurations(void)
{
    struct sl_hierarchy_config c = {.memory = {0}};
    hierarchy_defaults(&c);
    ok(sl_hierarchy_check(&c, NULL) == 0 && !c.l1i.size && !c.l2.size && !c.itlb.entries &&
           c.memory.latency == 100,
       "by default there is memory alone");
    size_t parts = 0;
    for (const struct sl_hierarchy_part *p = sl_hierarchy_parts; p->name; p++)
        parts += p->offset < sizeof c && p->options->name;
    ok(parts == 7, "the parts are l1i, l1d, l2, l3, itlb, dtlb and memory");
    c = small_machine();
    ok(sl_hierarchy_check(&c, NULL) == 0, "the small machine can be");
    c.l1i.size = 500;
    refused(&c, "l1i.size=500");
    c = small_machine();
    c.l2.ways = 3;
    refused(&c, "l2.size=4096");
    c = small_machine();
    c.l2.line = 16;
    refused(&c, "l2.line=16 is shorter than the lines of l1i (32");
    c = three_levels();
    c.l3.line = 16;
    refused(&c, "l3.line=16 is shorter than the lines of l2 (32");
    c.l2.size = 0;
    refused(&c, "l3.line=16 is shorter than the lines of l1i (32");
    c = three_levels();
    c.l1i.prefetch = SL_CACHE_STRIDE;
    refused(&c, "l1i.prefetch=stride is not possible");
    c = three_levels();
    c.l2.prefetch = SL_CACHE_BEST_OFFSET;
    c.l2.prefetch_degree = 2;
    refused(&c, "l2.prefetch_degree=2 is not possible");
    c = small_machine();
    c.l1d.line = 4;
    c.l1d.prefetch = SL_CACHE_NEXT_LINE;
    refused(&c, "l1d.line=4 is too short for prefetching");
    c = small_machine();
    c.dtlb.entries = 6;
    c.dtlb.ways = 4;
    refused(&c, "dtlb.entries=6 is not dtlb.ways=4");
    c.dtlb.entries = 12;
    refused(&c, "dtlb.entries=12");
    c = small_machine();
    c.l1d = (struct sl_cache_config){.size = 8192, .ways = 1, .line = 4096};
    c.l2.size = 0;
    refused(&c, "dtlb.page=2048 is shorter than a line of l1d (4096");
}

int main(void)
{
    plain_definition();
    third_level();
    prefetching();
    what_they_are_for();
    cycles();
    victims();
    stores();
    conservation();
    configurations();
    return done_testing();
}
