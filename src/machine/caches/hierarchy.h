/* SPDX-License-Identifier: MIT */
/* Model of the memory hierarchy of one core: split L1 caches, unified L2 and L3, memory and two
 * TLBs. Each part except memory may be absent, and each cache may prefetch.
 *
 *     fetch ──► itlb ── l1i ──────┐
 *                                 ├── l2 ── l3 ── memory
 *     load, store ► dtlb ── l1d ──┘
 *
 * A core makes one access at a time and gets its events and its latency. The core decides whether
 * it waits that long. hierarchy.c defines what each level does. */
#ifndef SL_HIERARCHY_H
#define SL_HIERARCHY_H

#include "cache.h"

/* Models of hardware prefetchers. A prefetcher predicts which lines the program will access, so
 * that a cache can fetch them in advance.
 *
 * A prefetcher belongs to one cache. It is called for each line that the program reads there and
 * that misses, or that was prefetched and is read for the first time. It returns the lines to
 * prefetch now. The caller inserts them and reports their latency; an access to a line that has not
 * arrived waits for it. prefetcher.c describes the algorithms. */

#define SL_PREFETCH_MAX 16u       /* lines per prefetch */
#define SL_PREFETCH_IN_FLIGHT 64u /* latest lines whose time of arrival is known */
#define SL_PREFETCH_STRIDES 256u  /* instructions in the stride table */
#define SL_PREFETCH_PAGE_LOG2 12  /* no prefetch leaves the page of the access */
#define SL_PREFETCH_OFFSETS 52u
#define SL_PREFETCH_RECENT 256u
#define SL_PREFETCH_NO_PC UINT64_MAX /* for instruction fetches */

/* A prefetched line in flight. */
struct sl_prefetch_in_flight {
    uint64_t line, base;         /* base: the line whose access triggered it */
    uint64_t requested, arrival; /* cycles */
    bool pending;                /* best-offset: the base is not in recent[] yet */
};

struct sl_stride {
    uint64_t pc, line;
    int64_t stride;     /* lines */
    uint8_t confidence; /* 0 to 3; the stride is used from 2 on */
};

struct sl_prefetcher {
    _Alignas(64) uint8_t kind; /* enum sl_cache_prefetch */
    uint8_t line_log2;
    uint32_t degree;
    uint64_t n_requests; /* so far */
    struct sl_prefetch_in_flight in_flight[SL_PREFETCH_IN_FLIGHT];
    struct sl_stride stride[SL_PREFETCH_STRIDES];
    struct sl_best_offset {
        uint64_t offset;       /* lines; 0: prefetching is off */
        uint32_t next, rounds; /* offset to test next; rounds of this phase */
        uint8_t score[SL_PREFETCH_OFFSETS];
        uint16_t recent[SL_PREFETCH_RECENT]; /* tag + 1; 0: empty */
    } best;
};

/* A read by the program. */
struct sl_prefetch_read {
    uint64_t pc; /* of the instruction; SL_PREFETCH_NO_PC */
    uint64_t address;
    uint64_t now;    /* cycle of the read */
    bool missed;     /* false: first read of a prefetched line */
    uint32_t cycles; /* latency of the line if it missed */
};

/* Initializes in zeroed memory. The cache's configuration is checked and has a prefetcher. */
void sl_prefetcher_init(struct sl_prefetcher *p, const struct sl_cache_config *config);

/* Stores the addresses of the lines to prefetch after a read; returns their number. */
unsigned sl_prefetcher_lines(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                             uint64_t line[SL_PREFETCH_MAX]);

/* Reports that the line of `address` was prefetched for that read and arrives after `cycles`. */
void sl_prefetcher_requested(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                             uint64_t address, uint32_t cycles);

/* Returns the wait of the first access, in cycle `now`, to a prefetched line: at most the latency
 * of the line. */
uint32_t sl_prefetcher_remaining(const struct sl_prefetcher *p, uint64_t address, uint64_t now);

struct sl_tlb_config {
    uint64_t entries; /* 0: no TLB; else ways times a power of 2 */
    uint64_t ways;
    uint64_t page;    /* bytes */
    uint64_t latency; /* cycles of a page walk on a miss; a hit takes none */
    uint64_t seed;
    unsigned replacement; /* enum sl_cache_replacement */
};

struct sl_memory_config {
    uint64_t latency; /* cycles */
};

struct sl_hierarchy_config {
    struct sl_cache_config l1i, l1d, l2, l3; /* size 0: absent */
    struct sl_tlb_config itlb, dtlb;
    struct sl_memory_config memory;
};

/* The components by name, to parse and print keys such as `l1d.size`. */
struct sl_hierarchy_part {
    const char *name;
    const struct sl_option *options;
    size_t offset; /* in sl_hierarchy_config */
};

extern const struct sl_option sl_tlb_options[], sl_memory_options[];
extern const struct sl_hierarchy_part sl_hierarchy_parts[]; /* name NULL at the end */

enum sl_access_kind { SL_ACCESS_FETCH, SL_ACCESS_LOAD, SL_ACCESS_STORE, SL_ACCESS_KINDS };

/* Events of an access, in any of its lines. */
enum sl_access_event {
    SL_ACCESS_L1_MISS = 1,
    SL_ACCESS_L2_MISS = 2, /* of the access itself, not of a write-back from L1 */
    SL_ACCESS_TLB_MISS = 4,
    SL_ACCESS_L3_MISS = 8, /* as L2_MISS */
    SL_ACCESS_LATE = 256,  /* hit a prefetched line that had not arrived yet */
};

struct sl_access {
    uint32_t events; /* enum sl_access_event */
    uint32_t cycles; /* from request to data, including the latency of L1 */
};

/* Counters of one kind of access. An access that misses in two lines counts as one miss. */
struct sl_access_counters {
    uint64_t accesses, l1_misses, l2_misses, l3_misses, tlb_misses;
};

/* The instruction or the data side of the core. */
struct sl_hierarchy_port {
    struct sl_cache *l1, *tlb;        /* NULL: absent */
    struct sl_prefetcher *prefetcher; /* of L1; NULL: absent */
    uint64_t page; /* page of the last access: another access to it does not change the TLB */
    /* Ways of L1, ways per set and sets, if a used line moves to the head of its set and nothing
     * else is recorded; else NULL. */
    uint64_t *first_ways;
    uint64_t ways, set_mask;
    uint64_t page_mask, line_mask; /* without a TLB, a page is half of the address space */
    uint32_t page_log2, line_log2;
    uint32_t hit_cycles, walk_cycles;
    bool through; /* write-through */
};

/* A level below both L1 caches. */
struct sl_hierarchy_level {
    struct sl_cache *cache;           /* NULL: absent */
    struct sl_prefetcher *prefetcher; /* NULL: absent */
    uint32_t cycles;
};

#define SL_HIERARCHY_LEVELS 2u /* L2, L3 */

struct sl_hierarchy {
    _Alignas(64) struct sl_hierarchy_port port[2]; /* instructions, data */
    uint64_t hits[SL_ACCESS_KINDS]; /* hits on the fast path; `kind` has the other accesses */
    struct sl_hierarchy_level below[SL_HIERARCHY_LEVELS];
    uint32_t memory_cycles;
    bool l1_is_last; /* only memory is below L1 */
    /* Set by the caller for prefetchers: cycle and instruction of the access (the instruction is
     * not used for fetches). May be stale if no cache prefetches. */
    uint64_t now, pc;
    uint64_t prefetch_pc; /* pc of the current access; SL_PREFETCH_NO_PC for a fetch */
    struct sl_access_counters kind[SL_ACCESS_KINDS];
    uint64_t memory_reads, memory_writes;
    /* NULL, or where to store the events (enum sl_access_event) of data accesses, beginning with
     * access number access_events_from. Zero is not stored. */
    uint8_t *access_events;
    uint64_t access_events_from, access_events_capacity;
};

/* True if any cache prefetches. */
static inline bool sl_hierarchy_prefetches(const struct sl_hierarchy *h)
{
    return h->port[0].prefetcher || h->port[1].prefetcher || h->below[0].prefetcher ||
           h->below[1].prefetcher;
}

/* Number of loads and stores so far. */
static inline uint64_t sl_hierarchy_data_accesses(const struct sl_hierarchy *h)
{
    return h->kind[SL_ACCESS_LOAD].accesses + h->hits[SL_ACCESS_LOAD] +
           h->kind[SL_ACCESS_STORE].accesses + h->hits[SL_ACCESS_STORE];
}

/* Returns 0, or SL_EUSAGE for an impossible hierarchy, with a message that begins with the option
 * to change. */
int sl_hierarchy_check(const struct sl_hierarchy_config *config, struct sl_failure *f);

/* Size of a hierarchy with a checked configuration, and its initialization in zeroed memory of that
 * size, aligned to 64 bytes. It allocates nothing else and needs no free. */
size_t sl_hierarchy_bytes(const struct sl_hierarchy_config *config);
void sl_hierarchy_init(struct sl_hierarchy *h, const struct sl_hierarchy_config *config);

/* The slow path of sl_hierarchy_access(). */
struct sl_access sl_hierarchy_access_slow(struct sl_hierarchy *h, enum sl_access_kind kind,
                                          uint64_t address, uint32_t size);

/* Makes a store to a write-through L1 if memory is the only level below and L1 does not change;
 * returns false, without any effect, otherwise. */
bool sl_hierarchy_write_through(struct sl_hierarchy *h, uint64_t line);

/* Returns true if the TLB has the page at its usual position; the page becomes the page of the last
 * access. */
static inline bool sl_hierarchy_translate_fast(struct sl_hierarchy_port *p, uint64_t address)
{
    uint64_t *word = p->tlb ? sl_cache_find_fast(p->tlb, address >> p->page_log2) : NULL;
    if (!word)
        return false;
    sl_cache_mark_used(p->tlb, word);
    p->page = address & p->page_mask;
    return true;
}

/* True if an access is within one line and its page hits on the fast path. */
static inline bool sl_hierarchy_one_line(struct sl_hierarchy_port *p, uint64_t address,
                                         uint32_t size)
{
    return !((address ^ (address + (size - 1))) & p->line_mask) &&
           ((address & p->page_mask) == p->page || sl_hierarchy_translate_fast(p, address));
}

/* Counts an access within one line if the line hits on the fast path; returns false otherwise. Does
 * not write through. */
static inline bool sl_hierarchy_hit_fast(struct sl_hierarchy *h, enum sl_access_kind kind,
                                         uint64_t address)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    uint64_t line = address >> p->line_log2, *word;
    if (p->first_ways) {
        word = p->first_ways + (line & p->set_mask) * p->ways;
        if (__builtin_expect((*word ^ (line + 1) << 1) > 1, 0))
            return false;
    } else {
        if (!p->l1 || !(word = sl_cache_find_fast(p->l1, line)))
            return false;
        sl_cache_mark_used(p->l1, word);
    }
    if (kind == SL_ACCESS_STORE)
        *word |= 1;
    h->hits[kind]++;
    return true;
}

/* The fast path, for almost all accesses. Returns false, without any effect, if the access needs
 * sl_hierarchy_access_slow(). */
static inline bool sl_hierarchy_access_fast(struct sl_hierarchy *h, enum sl_access_kind kind,
                                            uint64_t address, uint32_t size)
{
    struct sl_hierarchy_port *p = &h->port[kind != SL_ACCESS_FETCH];
    if (!sl_hierarchy_one_line(p, address, size))
        return false;
    if (kind == SL_ACCESS_STORE && p->through)
        return sl_hierarchy_write_through(h, address >> p->line_log2);
    return sl_hierarchy_hit_fast(h, kind, address);
}

/* Makes one access to `size` bytes, at least 1. */
static inline struct sl_access sl_hierarchy_access(struct sl_hierarchy *h, enum sl_access_kind kind,
                                                   uint64_t address, uint32_t size)
{
    if (__builtin_expect(!sl_hierarchy_access_fast(h, kind, address, size), 0))
        return sl_hierarchy_access_slow(h, kind, address, size);
    return (struct sl_access){0, h->port[kind != SL_ACCESS_FETCH].hit_cycles};
}

#endif
