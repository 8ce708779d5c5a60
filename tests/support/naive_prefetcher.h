/* SPDX-License-Identifier: MIT */
/* Plain models of the prefetchers, for comparison with src/machine/caches/prefetcher.c. The models
 * never forget a prefetched line, search tables linearly, and compute the offsets of the
 * best-offset prefetcher by trial division. */
#ifndef SL_TESTS_NAIVE_PREFETCHER_H
#define SL_TESTS_NAIVE_PREFETCHER_H

#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"

struct naive_flight {
    uint64_t line, base, asked, comes;
    bool entered;
};

struct naive_prefetcher {
    struct sl_cache_config config;
    struct naive_flight *flight;
    size_t n_flights, flights_capacity;
    struct {
        bool used;
        uint64_t pc, line, stride;
        int sure;
    } stride[256];
    struct {
        bool used;
        uint64_t tag;
    } recent[256];
    uint64_t offset[256];
    int score[256], n_offsets, turn, rounds;
    uint64_t best;
};

static inline void naive_prefetcher_open(struct naive_prefetcher *p,
                                         const struct sl_cache_config *config)
{
    *p = (struct naive_prefetcher){.config = *config, .best = 1};
    for (uint64_t d = 1; d <= 256; d++) {
        uint64_t left = d;
        for (uint64_t prime = 2; prime <= 5; prime++)
            while (left % prime == 0)
                left /= prime;
        if (left == 1)
            p->offset[p->n_offsets++] = d;
    }
}

static inline void naive_fly(struct naive_prefetcher *p, uint64_t line, uint64_t base, uint64_t now,
                             uint64_t cycles)
{
    if (p->n_flights == p->flights_capacity) {
        p->flights_capacity = 2 * p->flights_capacity + 64;
        p->flight = realloc(p->flight, p->flights_capacity * sizeof *p->flight);
        if (!p->flight)
            abort();
    }
    p->flight[p->n_flights++] = (struct naive_flight){line, base, now, now + cycles, false};
}

/* How many of the flights are still known. */
static inline size_t naive_first_flight(const struct naive_prefetcher *p)
{
    return p->n_flights > 64 ? p->n_flights - 64 : 0;
}

static inline uint64_t naive_late(const struct naive_prefetcher *p, uint64_t line, uint64_t now)
{
    for (size_t i = p->n_flights; i-- > naive_first_flight(p);)
        if (p->flight[i].line == line) {
            const struct naive_flight *f = &p->flight[i];
            uint64_t left = f->comes > now ? f->comes - now : 0, whole = f->comes - f->asked;
            return left < whole ? left : whole;
        }
    return 0;
}

static inline uint64_t naive_stride(struct naive_prefetcher *p, uint64_t pc, uint64_t line)
{
    unsigned at = (unsigned)((pc & 255) ^ (pc / 256 & 255));
    if (!p->stride[at].used || p->stride[at].pc != pc) {
        p->stride[at].used = true;
        p->stride[at].pc = pc;
        p->stride[at].line = line;
        p->stride[at].stride = 0;
        p->stride[at].sure = 0;
        return 0;
    }
    uint64_t distance = line - p->stride[at].line;
    p->stride[at].line = line;
    if (distance == p->stride[at].stride && p->stride[at].sure < 3)
        p->stride[at].sure++;
    else if (distance != p->stride[at].stride && p->stride[at].sure)
        p->stride[at].sure--;
    else if (distance != p->stride[at].stride)
        p->stride[at].stride = distance;
    return p->stride[at].sure >= 2 ? p->stride[at].stride : 0;
}

/* Lines of a page. */
static inline uint64_t naive_page(const struct naive_prefetcher *p)
{
    return 4096 / p->config.line ? 4096 / p->config.line : 1;
}

static inline void naive_learn(struct naive_prefetcher *p, uint64_t line, uint64_t now)
{
    for (size_t i = naive_first_flight(p); i < p->n_flights; i++) {
        struct naive_flight *f = &p->flight[i];
        if (f->entered || f->comes > now)
            continue;
        unsigned at = (unsigned)((f->base & 255) ^ (f->base / 256 & 255));
        f->entered = p->recent[at].used = true;
        p->recent[at].tag = f->base / 256 % 4096;
    }
    uint64_t asker = line - p->offset[p->turn];
    unsigned at = (unsigned)((asker & 255) ^ (asker / 256 & 255));
    if (asker / naive_page(p) == line / naive_page(p) && p->recent[at].used &&
        p->recent[at].tag == asker / 256 % 4096 && p->score[p->turn] < 31)
        p->score[p->turn]++;
    if (++p->turn < p->n_offsets)
        return;
    int most = 0, first = 0;
    p->turn = 0;
    p->rounds++;
    for (int i = 0; i < p->n_offsets; i++)
        if (p->score[i] > most) {
            most = p->score[i];
            first = i;
        }
    if (most < 31 && p->rounds < 100)
        return;
    p->best = most > 1 ? p->offset[first] : 0;
    p->rounds = 0;
    memset(p->score, 0, sizeof p->score);
}

/* Lines to bring, by number; `cycles` those that a line that was missing takes. */
static inline unsigned naive_ask(struct naive_prefetcher *p, bool data, uint64_t pc, uint64_t line,
                                 uint64_t now, bool missed, uint64_t cycles, uint64_t *out)
{
    uint64_t step = 1, page = naive_page(p);
    unsigned n = 0;
    if (p->config.prefetch == SL_CACHE_STRIDE)
        step = data ? naive_stride(p, pc, line) : 0;
    if (p->config.prefetch == SL_CACHE_BEST_OFFSET) {
        naive_learn(p, line, now);
        step = p->best;
        if (!step && missed)
            naive_fly(p, line, line, now, cycles);
    }
    for (uint64_t i = 1; step && i <= p->config.prefetch_degree; i++)
        if ((line + i * step) / page == line / page)
            out[n++] = line + i * step;
    return n;
}

#endif
