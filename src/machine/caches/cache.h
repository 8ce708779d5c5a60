/* SPDX-License-Identifier: MIT */
/* Cache model: records which lines are present and which of them are dirty, and selects the line to
 * evict.
 *
 * L1, L2 and L3 caches and TLBs (whose lines are pages) all use it. It stores no data and no time.
 * One transition, sl_cache_touch(), is an access to one line. It returns whether the access hit,
 * and the line that has to be written back. The caller handles the levels below.
 *
 * Lines that a prefetcher inserts (sl_cache_prefetch_line) are marked until their first access.
 *
 * The fast path, a hit at the line's usual position, is inline. The slow path and the layout are in
 * cache.c. */
#ifndef SL_CACHE_H
#define SL_CACHE_H

#include "options.h"

enum sl_cache_replacement {
    SL_CACHE_LRU,    /* evicts the least recently used line */
    SL_CACHE_RANDOM, /* evicts a random line of the set, from the seed */
    SL_CACHE_FIFO,   /* evicts the oldest line */
};

enum sl_cache_write {
    SL_CACHE_BACK,    /* write-back: a written line is dirty until it is evicted */
    SL_CACHE_THROUGH, /* write-through: no line is dirty; the caller passes each write on */
};

enum sl_cache_prefetch {
    SL_CACHE_NO_PREFETCH, /* the others are in hierarchy.h */
    SL_CACHE_NEXT_LINE,
    SL_CACHE_STRIDE,
    SL_CACHE_BEST_OFFSET,
};

struct sl_cache_config {
    uint64_t size;    /* bytes in all: ways * line * a power of 2 */
    uint64_t ways;    /* 1: direct-mapped; size / line: fully associative */
    uint64_t line;    /* bytes */
    uint64_t latency; /* cycles; for the caller */
    uint64_t seed;
    unsigned replacement;     /* enum sl_cache_replacement */
    unsigned write;           /* enum sl_cache_write */
    bool allocate;            /* a write miss allocates the line */
    unsigned prefetch;        /* enum sl_cache_prefetch; for the caller */
    uint64_t prefetch_degree; /* lines per prefetch; for the caller */
};

extern const struct sl_option sl_cache_options[];
extern const char *const sl_cache_replacements[]; /* their names */

/* Accesses, misses and write-backs, per line: an access to two lines counts twice. Hits are
 * accesses minus misses. */
struct sl_cache_counters {
    uint64_t reads, writes;
    uint64_t read_misses, write_misses;
    uint64_t writebacks;
    uint64_t prefetches, prefetch_hits; /* prefetched lines, and those that an access hit later */
};

#define SL_CACHE_HINTS 256u

struct sl_cache {
    uint64_t set_mask;
    uint64_t random;
    uint64_t mark; /* bit of a prefetched line; 0: the cache does not prefetch */
    uint32_t ways;
    uint8_t line_log2;
    uint8_t replacement;
    bool back, allocate;
    bool hinted;     /* uses hint[], because lines may be anywhere in their set */
    uint64_t *stamp; /* by way: time of last use; NULL: the order of the ways encodes it */
    uint64_t clock;
    uint32_t hint[SL_CACHE_HINTS]; /* by line number modulo SL_CACHE_HINTS: its last known way */
    struct sl_cache_counters counters;
    _Alignas(64) uint64_t way[]; /* see cache.c */
};

/* Result of an access to one line. A miss has inserted it, except a write without allocation. */
struct sl_cache_result {
    uint64_t victim; /* address of the line to write back, if any */
    bool miss, writeback;
    bool first_use; /* the first access to a prefetched line */
};

/* Checks options that each have an allowed value against each other. Returns 0, or SL_EUSAGE for an
 * impossible cache, with a message that begins with `name`. */
int sl_cache_check(const struct sl_cache_config *config, const char *name, struct sl_failure *f);

/* Size of a cache with a checked configuration, and its initialization in zeroed memory of that
 * size, aligned to 64 bytes. It allocates nothing else and needs no free. */
size_t sl_cache_bytes(const struct sl_cache_config *config);
void sl_cache_init(struct sl_cache *c, const struct sl_cache_config *config);

/* The slow path of sl_cache_touch(). */
struct sl_cache_result sl_cache_search(struct sl_cache *c, uint64_t address, bool write);

/* Inserts the line of `address`, marked, as a read miss would. If the line is present already,
 * changes nothing and returns .miss = false. Only for caches configured to prefetch. */
struct sl_cache_result sl_cache_prefetch_line(struct sl_cache *c, uint64_t address);

/* Returns the way with that line number if it is at its usual position (the first of its set, or
 * the hinted one), else NULL. Does not find marked lines. */
static inline uint64_t *sl_cache_find_fast(struct sl_cache *c, uint64_t line)
{
    uint64_t *word = c->way +
                     (c->hinted ? c->hint[line % SL_CACHE_HINTS] : (line & c->set_mask) * c->ways);
    return __builtin_expect((*word ^ (line + 1) << 1) <= 1, 1) ? word : NULL;
}

/* Marks a way found by the fast path as used. */
static inline void sl_cache_mark_used(struct sl_cache *c, const uint64_t *word)
{
    if (c->stamp)
        c->stamp[word - c->way] = ++c->clock;
}

/* Returns the way of the line of `address`, anywhere in its set; NULL if absent or marked. Changes
 * nothing. */
uint64_t *sl_cache_find(struct sl_cache *c, uint64_t address);

/* Marks a present line as used, without counting the access. Returns its way. */
uint64_t *sl_cache_use(struct sl_cache *c, uint64_t address, uint64_t *word);

/* Accesses the line of `address`. */
static inline struct sl_cache_result sl_cache_touch(struct sl_cache *c, uint64_t address,
                                                    bool write)
{
    uint64_t *word = sl_cache_find_fast(c, address >> c->line_log2);
    if (write)
        c->counters.writes++;
    else
        c->counters.reads++;
    if (!word)
        return sl_cache_search(c, address, write);
    sl_cache_mark_used(c, word);
    if (write)
        *word |= c->back;
    return (struct sl_cache_result){0};
}

/* Accesses all lines of `size` bytes at `address`, in ascending order. Returns the number of
 * misses. For callers that ignore victims. */
unsigned sl_cache_access(struct sl_cache *c, uint64_t address, uint32_t size, bool write);

/* Returns the number of the last line of an access, cut at the end of the address space. `size` is
 * not 0. */
static inline uint64_t sl_cache_last_line(uint64_t address, uint32_t size, unsigned line_log2)
{
    uint64_t last = address + (size - 1);
    return (last < address ? UINT64_MAX : last) >> line_log2;
}

#endif
