/* SPDX-License-Identifier: MIT */
/* Plain model of a cache, for comparison with src/machine/caches/cache.c. Every line stores the
 * times when it was filled and last used, and a linear search of the set finds the line to evict.
 * The model supports LRU and FIFO replacement only, because the result of random replacement
 * depends on the implementation. */
#ifndef SL_TESTS_NAIVE_CACHE_H
#define SL_TESTS_NAIVE_CACHE_H

#include <stdlib.h>

#include "cache.h"

struct naive_line {
    bool valid, dirty, brought; /* brought: by a prefetcher, and not met yet */
    uint64_t number, came, used;
};

struct naive_cache {
    struct sl_cache_config config;
    struct naive_line *line; /* set by set */
    uint64_t sets, clock;
    struct sl_cache_counters counters;
};

static inline void naive_open(struct naive_cache *n, const struct sl_cache_config *config)
{
    *n = (struct naive_cache){.config = *config};
    n->line = calloc(config->size / config->line, sizeof *n->line);
    n->sets = config->size / config->line / config->ways;
}

static inline void naive_close(struct naive_cache *n)
{
    free(n->line);
}

/* An empty place, or the line that leaves. */
static inline struct naive_line *naive_victim(const struct naive_cache *n, struct naive_line *set)
{
    struct naive_line *victim = set;
    for (uint64_t i = 0; i < n->config.ways; i++) {
        if (!set[i].valid)
            return &set[i];
        bool older = n->config.replacement == SL_CACHE_LRU ? set[i].used < victim->used
                                                           : set[i].came < victim->came;
        if (older)
            victim = &set[i];
    }
    return victim;
}

/* `number` comes, and another line leaves. */
static inline void naive_replace(struct naive_cache *n, struct naive_line *set, uint64_t number,
                                 bool dirty, bool brought, struct sl_cache_result *touched)
{
    struct naive_line *victim = naive_victim(n, set);
    if (victim->valid && victim->dirty) {
        touched->writeback = true;
        touched->victim = victim->number * n->config.line;
        n->counters.writebacks++;
    }
    *victim = (struct naive_line){true, dirty, brought, number, n->clock, n->clock};
}

static inline struct sl_cache_result naive_touch(struct naive_cache *n, uint64_t address,
                                                 bool write)
{
    uint64_t number = address / n->config.line;
    struct naive_line *set = n->line + number % n->sets * n->config.ways;
    bool dirty = write && n->config.write == SL_CACHE_BACK;
    struct sl_cache_result touched = {.miss = true};
    n->clock++;
    *(write ? &n->counters.writes : &n->counters.reads) += 1;
    for (uint64_t i = 0; i < n->config.ways; i++)
        if (set[i].valid && set[i].number == number) {
            set[i].used = n->clock;
            set[i].dirty |= dirty;
            touched = (struct sl_cache_result){.first_use = set[i].brought};
            n->counters.prefetch_hits += set[i].brought;
            set[i].brought = false;
            return touched;
        }
    *(write ? &n->counters.write_misses : &n->counters.read_misses) += 1;
    if (write && !n->config.allocate)
        return touched;
    naive_replace(n, set, number, dirty, false, &touched);
    return touched;
}

/* A prefetcher brings a line; .miss: it was not there. */
static inline struct sl_cache_result naive_bring(struct naive_cache *n, uint64_t address)
{
    uint64_t number = address / n->config.line;
    struct naive_line *set = n->line + number % n->sets * n->config.ways;
    struct sl_cache_result touched = {.miss = true};
    for (uint64_t i = 0; i < n->config.ways; i++)
        if (set[i].valid && set[i].number == number)
            return (struct sl_cache_result){.miss = false};
    n->clock++;
    n->counters.prefetches++;
    naive_replace(n, set, number, false, true, &touched);
    return touched;
}

#endif
