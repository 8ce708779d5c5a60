/* SPDX-License-Identifier: MIT */
/* Three prefetchers, from the oldest to a recent one.
 *
 * next-line    the `degree` lines after the one that was read. With its trigger, a miss or the
 * first read of a prefetched line, this is the tagged prefetch of A. Smith, "Cache memories" (ACM
 * Computing Surveys, 1982).
 *
 * stride       for each of 256 instructions the last line read and the distance from the one
 * before. A distance seen a second and a third time is trusted, and the next `degree` lines at that
 * distance are prefetched. The table of J. Baer and T. Chen, "An effective on-chip preloading
 * scheme" (1991), in lines, and updated only by triggering reads. Direct-mapped, with whole
 * addresses as tags.
 *
 *                  | pc | last line | stride | confidence, 0 to 3 |
 *
 * best-offset  one line, at the distance that would have been in time most often recently:
 *              P. Michaud, "Best-offset hardware prefetching" (2016). A table of recent requests
 * has the lines whose access triggered a prefetch that has arrived. Each read of a line X tests one
 * of 52 offsets d, the numbers up to 256 without prime factors above 5: if X - d is in the same
 * page and in the table, a prefetch at distance d would have arrived by now, and d scores. At the
 * end of a round over all offsets, when one has 31 or after 100 rounds, the best becomes the
 * offset, and all scores restart. If the best score is at most 1, prefetching is off for a phase,
 * and lines that miss are entered as their own bases.
 *
 *                  reads ──► test the next offset ──► score      recent: 256 tags of 12 bits,
 *                    │                                           index: 8 bits xor the next 8
 *                    └─────► X + offset ──► in flight ──► arrives: X is entered
 *
 * No prefetch leaves the 4 KB page of the access, since the next page may be anywhere in memory.
 *
 * Departures: the published one enters a line when the cache has written it; ours does so at the
 * next read, in the order of the requests. Of lines in flight the latest 64 are known; older ones
 * are assumed to have arrived and enter no base.
 *
 * Not modelled: bandwidth, a full request queue, and prefetches dropped in favour of demand misses.
 */
#include "prefetcher.h"

#include <assert.h>

#define SURE 2u
#define SUREST 3u
#define SCORE_MAX 31u
#define SCORE_BAD 1u
#define ROUNDS_MAX 100u
#define TAG_BITS 12u

void sl_prefetcher_init(struct sl_prefetcher *p, const struct sl_cache_config *config)
{
    assert(config->prefetch && config->prefetch_degree <= SL_PREFETCH_MAX);
    p->kind = (uint8_t)config->prefetch;
    p->line_log2 = (uint8_t)__builtin_ctzll(config->line);
    p->degree = (uint32_t)config->prefetch_degree;
    p->best.offset = 1;
}

static bool same_page(const struct sl_prefetcher *p, uint64_t line, uint64_t other)
{
    unsigned page = SL_PREFETCH_PAGE_LOG2 > p->line_log2 ? SL_PREFETCH_PAGE_LOG2 - p->line_log2 : 0;
    return line >> page == other >> page;
}

/* ---- strides ---- */

/* Returns 0 if no stride is trusted. */
static uint64_t stride_of(struct sl_prefetcher *p, uint64_t pc, uint64_t line)
{
    struct sl_stride *s = &p->stride[(pc ^ pc >> 8) % SL_PREFETCH_STRIDES];
    int64_t stride = (int64_t)(line - s->line);
    if (s->pc != pc) {
        *s = (struct sl_stride){.pc = pc, .line = line};
        return 0;
    }
    s->line = line;
    if (stride == s->stride)
        s->sure = s->sure < SUREST ? (uint8_t)(s->sure + 1) : SUREST;
    else if (s->sure)
        s->sure--;
    else
        s->stride = stride;
    return s->sure >= SURE ? (uint64_t)s->stride : 0;
}

/* ---- the best offset ---- */

static const uint16_t offsets[SL_PREFETCH_OFFSETS] = {
    1,   2,   3,   4,   5,   6,   8,   9,   10,  12,  15,  16,  18,  20,  24,  25,  27,  30,
    32,  36,  40,  45,  48,  50,  54,  60,  64,  72,  75,  80,  81,  90,  96,  100, 108, 120,
    125, 128, 135, 144, 150, 160, 162, 180, 192, 200, 216, 225, 240, 243, 250, 256,
};

static uint16_t *recent_of(struct sl_best_offset *b, uint64_t line)
{
    return &b->recent[(line ^ line >> 8) % SL_PREFETCH_RECENT];
}

static uint16_t tag_of(uint64_t line)
{
    return (uint16_t)((line >> 8 & ((1u << TAG_BITS) - 1)) + 1);
}

/* Enters the lines that have arrived since the last read. */
static void enter_recent(struct sl_prefetcher *p, uint64_t now)
{
    uint64_t first = p->n_flights > SL_PREFETCH_FLIGHTS ? p->n_flights - SL_PREFETCH_FLIGHTS : 0;
    for (uint64_t i = first; i < p->n_flights; i++) {
        struct sl_flight *flight = &p->flight[i % SL_PREFETCH_FLIGHTS];
        if (!flight->waits || flight->comes > now)
            continue;
        flight->waits = false;
        *recent_of(&p->best, flight->base) = tag_of(flight->base);
    }
}

static void end_round(struct sl_best_offset *b)
{
    unsigned best = 0;
    for (unsigned i = 1; i < SL_PREFETCH_OFFSETS; i++)
        if (b->score[i] > b->score[best])
            best = i;
    b->next = 0;
    if (b->score[best] < SCORE_MAX && ++b->rounds < ROUNDS_MAX)
        return;
    b->offset = b->score[best] > SCORE_BAD ? offsets[best] : 0;
    b->rounds = 0;
    for (unsigned i = 0; i < SL_PREFETCH_OFFSETS; i++)
        b->score[i] = 0;
}

static void learn(struct sl_prefetcher *p, uint64_t line)
{
    struct sl_best_offset *b = &p->best;
    uint64_t base = line - offsets[b->next];
    if (same_page(p, base, line) && *recent_of(b, base) == tag_of(base))
        b->score[b->next] = (uint8_t)(b->score[b->next] + (b->score[b->next] < SCORE_MAX));
    if (++b->next == SL_PREFETCH_OFFSETS)
        end_round(b);
}

/* ---- all of them ---- */

static void fly(struct sl_prefetcher *p, uint64_t line, uint64_t base, uint64_t now,
                uint32_t cycles)
{
    p->flight[p->n_flights++ % SL_PREFETCH_FLIGHTS] = (struct sl_flight){
        .line = line,
        .base = base,
        .asked = now,
        .comes = now + cycles,
        .waits = p->kind == SL_CACHE_BEST_OFFSET};
}

unsigned sl_prefetcher_ask(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                           uint64_t out[SL_PREFETCH_MAX])
{
    uint64_t line = read->address >> p->line_log2, step = 1;
    if (p->kind == SL_CACHE_STRIDE)
        step = read->pc == SL_PREFETCH_NO_PC ? 0 : stride_of(p, read->pc, line);
    if (p->kind == SL_CACHE_BEST_OFFSET) {
        enter_recent(p, read->now);
        learn(p, line);
        step = p->best.offset;
        if (!step && read->missed)
            fly(p, line, line, read->now, read->cycles);
    }
    unsigned n = 0;
    for (uint32_t i = 1; step && i <= p->degree; i++)
        if (same_page(p, line, line + i * step)) /* may wrap around */
            out[n++] = (line + i * step) << p->line_log2;
    return n;
}

void sl_prefetcher_brings(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                          uint64_t address, uint32_t cycles)
{
    fly(p, address >> p->line_log2, read->address >> p->line_log2, read->now, cycles);
}

uint32_t sl_prefetcher_late(const struct sl_prefetcher *p, uint64_t address, uint64_t now)
{
    uint64_t line = address >> p->line_log2;
    uint64_t n = p->n_flights < SL_PREFETCH_FLIGHTS ? p->n_flights : SL_PREFETCH_FLIGHTS;
    for (uint64_t i = 1; i <= n; i++) {
        const struct sl_flight *flight = &p->flight[(p->n_flights - i) % SL_PREFETCH_FLIGHTS];
        if (flight->line != line)
            continue;
        uint64_t from = now > flight->asked ? now : flight->asked;
        return flight->comes > from ? (uint32_t)(flight->comes - from) : 0;
    }
    return 0;
}
