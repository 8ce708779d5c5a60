/* SPDX-License-Identifier: MIT */
/* A cache: which lines are there, which of them were written to, which leaves.
 *
 * The model knows nothing of who drives it: an L1, an L2, a TLB (whose lines are
 * pages) and a test are all the same to it. It keeps no data and no time. One
 * transition, sl_cache_touch, is an access to one line; it says what happened and
 * what has to be written back, and the driver does what is to be done about it.
 *
 * Lines that a prefetcher brings (sl_cache_bring) are marked until an access meets them.
 *
 * It is inline for the case that nearly always holds, a line that is where it is usually found;
 * everything else is in cache.c, which also explains the layout. */
#ifndef SL_CACHE_H
#define SL_CACHE_H

#include "options.h"

enum sl_cache_replacement {
    SL_CACHE_LRU,    /* the line used longest ago leaves */
    SL_CACHE_RANDOM, /* any of the set, with equal chance, as the seed has it */
    SL_CACHE_FIFO,   /* the line that came first leaves */
};

enum sl_cache_write {
    SL_CACHE_BACK,    /* a line that was written to is dirty until it leaves */
    SL_CACHE_THROUGH, /* no line is ever dirty: the driver passes every write on */
};

enum sl_cache_prefetch {
    SL_CACHE_NO_PREFETCH, /* those are in prefetcher.h */
    SL_CACHE_NEXT_LINE,
    SL_CACHE_STRIDE,
    SL_CACHE_BEST_OFFSET,
};

struct sl_cache_config {
    uint64_t size;    /* bytes in all: ways * line * a power of 2 */
    uint64_t ways;    /* 1: direct-mapped; size / line: fully associative */
    uint64_t line;    /* bytes */
    uint64_t latency; /* cycles; for the driver */
    uint64_t seed;
    unsigned replacement;     /* enum sl_cache_replacement */
    unsigned write;           /* enum sl_cache_write */
    bool allocate;            /* a write that misses brings the line in */
    unsigned prefetch;        /* enum sl_cache_prefetch; for the driver */
    uint64_t prefetch_degree; /* lines that it asks for at once; for the driver */
};

extern const struct sl_option sl_cache_options[];
extern const char *const sl_cache_replacements[]; /* their names */

/* Lines touched, of those that were not there, and dirty ones that left. What hit
 * is what did not miss. An access to two lines counts twice. */
struct sl_cache_counters {
    uint64_t reads, writes;
    uint64_t read_misses, write_misses;
    uint64_t writebacks;
    uint64_t prefetches, prefetches_met; /* lines brought, and of those that an access met */
};

#define SL_CACHE_HINTS 256u

struct sl_cache {
    uint64_t set_mask;
    uint64_t random;
    uint64_t mark; /* the bit of a line that was brought; 0: there are none */
    uint32_t ways;
    uint8_t line_log2;
    uint8_t replacement;
    bool back, allocate;
    bool hinted;     /* where lines are is hinted at, as they may be anywhere in their set */
    uint64_t *stamp; /* by word: when it was last used; NULL: order says that */
    uint64_t clock;
    uint32_t hint[SL_CACHE_HINTS]; /* by line, modulo: its word, unless it has left that */
    struct sl_cache_counters counters;
    _Alignas(64) uint64_t way[]; /* see cache.c */
};

/* What became of one line. A miss has brought the line in, unless it was a write
 * and the cache does not allocate. */
struct sl_cache_touched {
    uint64_t victim; /* where the line to be written back begins, if there is one */
    bool miss, writeback;
    bool met; /* the line was brought, and this is the first access to it */
};

/* SL_EUSAGE if there can be no such cache, in a sentence that begins with `name`. */
int sl_cache_check(const struct sl_cache_config *config, const char *name, struct sl_failure *f);

/* Bytes for a cache that was checked; the cache, empty, in that much zeroed memory,
 * aligned to 64 bytes. Nothing else is ever allocated, and nothing is to be freed. */
size_t sl_cache_bytes(const struct sl_cache_config *config);
void sl_cache_init(struct sl_cache *c, const struct sl_cache_config *config);

/* The rest of sl_cache_touch. */
struct sl_cache_touched sl_cache_search(struct sl_cache *c, uint64_t address, bool write);

/* A prefetcher brings the line that `address` is in, marked, as a read that misses would;
 * .miss is false if it was there: then nothing has changed. For caches that were configured
 * to prefetch. */
struct sl_cache_touched sl_cache_bring(struct sl_cache *c, uint64_t address);

/* The word that has the line with that number, if it is where it is usually found; else NULL: the
 * first of its set, or the word that the hint says. One that is marked is not found here. */
static inline uint64_t *sl_cache_usual(struct sl_cache *c, uint64_t line)
{
    uint64_t *word = c->way +
                     (c->hinted ? c->hint[line % SL_CACHE_HINTS] : (line & c->set_mask) * c->ways);
    return __builtin_expect((*word ^ (line + 1) << 1) <= 1, 1) ? word : NULL;
}

/* A word that is found where it is usually found has been used. */
static inline void sl_cache_used(struct sl_cache *c, const uint64_t *word)
{
    if (c->stamp)
        c->stamp[word - c->way] = ++c->clock;
}

/* The word of the line of `address`, wherever it is in its set; NULL if it is not there or marked.
 * Nothing has changed. */
uint64_t *sl_cache_held(struct sl_cache *c, uint64_t address);

/* An access to a line that is held there, uncounted. Returns where it is now. */
uint64_t *sl_cache_hit(struct sl_cache *c, uint64_t address, uint64_t *word);

/* One access to one line, the one that `address` is in. */
static inline struct sl_cache_touched sl_cache_touch(struct sl_cache *c, uint64_t address,
                                                     bool write)
{
    uint64_t *word = sl_cache_usual(c, address >> c->line_log2);
    if (write)
        c->counters.writes++;
    else
        c->counters.reads++;
    if (!word)
        return sl_cache_search(c, address, write);
    sl_cache_used(c, word);
    if (write)
        *word |= c->back;
    return (struct sl_cache_touched){0};
}

/* One access to all lines that its bytes are in, in the order of their addresses.
 * Returns how many were not there. For drivers that need no victims. */
unsigned sl_cache_access(struct sl_cache *c, uint64_t address, uint32_t size, bool write);

/* The number of the last line of an access; those at the end of the address space
 * end there. `size` is not 0. */
static inline uint64_t sl_cache_last_line(uint64_t address, uint32_t size, unsigned line_log2)
{
    uint64_t last = address + (size - 1);
    return (last < address ? UINT64_MAX : last) >> line_log2;
}

#endif
