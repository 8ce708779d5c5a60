/* SPDX-License-Identifier: MIT */
/* Models of three hardware prefetchers: next-line, stride and best-offset.
 *
 * Next-line prefetches the `degree` lines after the one that was read. A miss or the first read of
 * a prefetched line triggers it, so that it is the tagged prefetch of A. Smith, "Cache memories"
 * (ACM Computing Surveys, 1982).
 *
 * Stride has a table with an entry for each of 256 instructions. If an instruction reads lines at
 * the same distance three times, the next `degree` lines at that distance are prefetched. This is
 * the table of J. Baer and T. Chen, "An effective on-chip preloading scheme" (1991), with distances
 * in lines, and updated only by triggering reads. It is direct-mapped, with whole addresses as
 * tags:
 *
 *     | pc | last line | stride | confidence, 0 to 3 |
 *
 * Best-offset prefetches one line, at the distance that recently would have been in time most
 * often: P. Michaud, "Best-offset hardware prefetching" (2016). A table of recent requests contains
 * the lines whose access triggered a prefetch that has arrived. Each read of a line X tests one of
 * 52 offsets d, the numbers up to 256 without prime factors above 5. If X - d is in the same page
 * and in the table, a prefetch at distance d would have arrived by now, and the score of d
 * increases. A phase consists of rounds over all offsets, and ends with the round in which a score
 * reaches 31, or with round 100. Then the offset with the best score is used, and all scores
 * restart. If the best score is at most 1, prefetching is off for the next phase, and lines that
 * miss are inserted in the table as their own bases.
 *
 *     read of X ──► test the next offset ──► score      table: 256 tags of 12 bits,
 *        │                                              index: 8 bits xor the next 8
 *        └─────► X + offset ──► in flight ──► arrives: X is inserted in the table
 *
 * No prefetch leaves the 4 KB page of the access, since the next page may be anywhere in memory.
 *
 * Departures: the paper inserts a line in the table when the cache has written it. Here it is
 * inserted at the next read, in the order of the requests. Arrival times are stored for the latest
 * 64 lines in flight; older ones are assumed to have arrived, and are not inserted in the table.
 *
 * Not modelled: bandwidth, a full request queue, prefetches dropped in favour of demand misses. */
#include "hierarchy.h"

#include <assert.h>

#define CONFIDENT 2u
#define CONFIDENCE_MAX 3u
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
        s->confidence = s->confidence < CONFIDENCE_MAX ? (uint8_t)(s->confidence + 1)
                                                       : CONFIDENCE_MAX;
    else if (s->confidence)
        s->confidence--;
    else
        s->stride = stride;
    return s->confidence >= CONFIDENT ? (uint64_t)s->stride : 0;
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

/* Inserts the bases of the lines that have arrived since the last read. */
static void insert_arrived(struct sl_prefetcher *p, uint64_t now)
{
    uint64_t first = p->n_requests > SL_PREFETCH_IN_FLIGHT ? p->n_requests - SL_PREFETCH_IN_FLIGHT
                                                           : 0;
    for (uint64_t i = first; i < p->n_requests; i++) {
        struct sl_prefetch_in_flight *line = &p->in_flight[i % SL_PREFETCH_IN_FLIGHT];
        if (!line->pending || line->arrival > now)
            continue;
        line->pending = false;
        *recent_of(&p->best, line->base) = tag_of(line->base);
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

/* ---- all prefetchers ---- */

static void add_in_flight(struct sl_prefetcher *p, uint64_t line, uint64_t base, uint64_t now,
                          uint32_t cycles)
{
    p->in_flight[p->n_requests++ % SL_PREFETCH_IN_FLIGHT] = (struct sl_prefetch_in_flight){
        .line = line,
        .base = base,
        .requested = now,
        .arrival = now + cycles,
        .pending = p->kind == SL_CACHE_BEST_OFFSET};
}

unsigned sl_prefetcher_lines(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                             uint64_t out[SL_PREFETCH_MAX])
{
    uint64_t line = read->address >> p->line_log2, step = 1;
    if (p->kind == SL_CACHE_STRIDE)
        step = read->pc == SL_PREFETCH_NO_PC ? 0 : stride_of(p, read->pc, line);
    if (p->kind == SL_CACHE_BEST_OFFSET) {
        insert_arrived(p, read->now);
        learn(p, line);
        step = p->best.offset;
        if (!step && read->missed)
            add_in_flight(p, line, line, read->now, read->cycles);
    }
    unsigned n = 0;
    for (uint32_t i = 1; step && i <= p->degree; i++)
        if (same_page(p, line, line + i * step)) /* may wrap around */
            out[n++] = (line + i * step) << p->line_log2;
    return n;
}

void sl_prefetcher_requested(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                             uint64_t address, uint32_t cycles)
{
    add_in_flight(p, address >> p->line_log2, read->address >> p->line_log2, read->now, cycles);
}

uint32_t sl_prefetcher_remaining(const struct sl_prefetcher *p, uint64_t address, uint64_t now)
{
    uint64_t line = address >> p->line_log2;
    uint64_t n = p->n_requests < SL_PREFETCH_IN_FLIGHT ? p->n_requests : SL_PREFETCH_IN_FLIGHT;
    for (uint64_t i = 1; i <= n; i++) {
        const struct sl_prefetch_in_flight *request =
            &p->in_flight[(p->n_requests - i) % SL_PREFETCH_IN_FLIGHT];
        if (request->line != line)
            continue;
        uint64_t from = now > request->requested ? now : request->requested;
        return request->arrival > from ? (uint32_t)(request->arrival - from) : 0;
    }
    return 0;
}
