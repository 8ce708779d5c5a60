/* SPDX-License-Identifier: MIT */
/* Random draws from shift registers, for approximate counters. draws.h has the algorithm. */
#include "draws.h"

#include <math.h>

#include "random.h"

#define INLINE __attribute__((always_inline)) static inline
#define PIECE 16u
#define BLOCKS_AHEAD 8u /* blocks that are searched at once */

/* ---- probabilities ---- */

static size_t jumps_bytes(const struct sl_draws_config *c)
{
    return c->steps == SL_STEPS_X ? 0 : sizeof(struct sl_lfsr_jumps);
}

size_t sl_draws_bytes(const struct sl_draws_config *c)
{
    return jumps_bytes(c) + c->levels * sizeof(uint64_t);
}

unsigned sl_draws_levels_max(const struct sl_lfsr *lfsr, double base)
{
    unsigned levels = 1;
    for (double chance = 1 / base; ldexp(chance, (int)lfsr->width) >= 2; chance /= base)
        levels++;
    return levels;
}

void sl_draws_init(struct sl_draws *d, const struct sl_draws_config *c, void *memory)
{
    *d = (struct sl_draws){.config = *c,
                           .jumps = memory,
                           .chance = (uint64_t *)(void *)((char *)memory + jumps_bytes(c)),
                           .random = c->seed};
    if (c->steps != SL_STEPS_X)
        sl_lfsr_jumps_init(d->jumps, c->lfsr);
    double chance = 1;
    /* By division instead of pow(3): the results are the same on every machine. */
    for (unsigned level = 1; level < c->levels; level++)
        d->chance[level] = (uint64_t)(ldexp(chance /= c->base, (int)c->lfsr->width) + 0.5);
}

/* ---- blocks ---- */

static uint32_t block_draws(const struct sl_lfsr *l)
{
    return PIECE * l->width;
}

size_t sl_draw_register_bytes(const struct sl_lfsr *l)
{
    return block_draws(l) * sizeof(uint16_t);
}

/* The register as a fraction, times 2^n. */
static uint64_t fraction(const struct sl_lfsr *l, uint64_t state)
{
    static const uint64_t odd[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f};
    for (unsigned i = 0; i < 3; i++)
        state = (state & odd[i]) << (1 << i) | (state >> (1 << i) & odd[i]);
    return __builtin_bswap64(state) >> (64 - l->width);
}

static uint64_t steps_of(const struct sl_draws_config *c)
{
    return c->steps == SL_STEPS_ALL ? c->lfsr->width : 1;
}

bool sl_draws_succeeds(const struct sl_draws *d, unsigned level, uint64_t state)
{
    return !level || fraction(d->config.lfsr, state) < d->chance[level];
}

uint64_t sl_draws_after(const struct sl_draws *d, uint64_t state, uint64_t n)
{
    uint64_t steps = n * steps_of(&d->config);
    return n == 1 ? sl_lfsr_move(d->config.lfsr, state, steps)
                  : sl_lfsr_jump(d->jumps, state, steps);
}

/* The first n draws one by one; the others follow from these. */
void sl_draws_begin(struct sl_draws *d, struct sl_draw_register *r)
{
    const struct sl_lfsr *l = d->config.lfsr;
    uint64_t state = r->state = sl_lfsr_begin(l, sl_random_next(&d->random));
    uint16_t *v = r->seen;
    r->at = 0;
    r->n_blocks = 0;
    if (d->config.steps == SL_STEPS_X)
        return;
    for (uint32_t k = 0; k < l->width; k++) {
        v[k] = (uint16_t)(fraction(l, state) >> (l->width - 16));
        state = sl_lfsr_move(l, state, steps_of(&d->config));
    }
    for (uint32_t k = 0; k + l->width < block_draws(l); k++)
        v[k + l->width] = v[k] ^ v[k + l->tap[0]] ^ v[k + l->tap[1]] ^ v[k + l->tap[2]];
}

/* Replaces n draws by those of the next block. Each is the XOR of itself and three others, at
 * distances a, b and c, none of which is within the length of a vector. Returns true if a new draw
 * is below `below`. */
INLINE bool replace(uint16_t *v, ptrdiff_t n, ptrdiff_t a, ptrdiff_t b, ptrdiff_t c, uint16_t below)
{
    uint16_t some = 0;
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (ptrdiff_t i = 0; i < n; i++) {
        uint16_t next = v[i] ^ v[i + a] ^ v[i + b] ^ v[i + c];
        some |= next < below ? UINT16_MAX : 0;
        v[i] = next;
    }
    return some;
}

/* A tap beyond the end of the block is in the part that has already been replaced. */
INLINE bool next_block(uint16_t *v, const struct sl_lfsr *l, uint16_t below)
{
    ptrdiff_t n = PIECE * l->width;
    ptrdiff_t a = PIECE * l->tap[0], b = PIECE * l->tap[1], c = PIECE * l->tap[2];
    bool some = replace(v, n - c, a, b, c, below);
    some |= replace(v + n - c, c - b, a, b, c - n, below);
    some |= replace(v + n - b, b - a, a, b - n, c - n, below);
    some |= replace(v + n - a, a, a - n, b - n, c - n, below);
    return some;
}

static bool next_block_plain(uint16_t *v, const struct sl_lfsr *l, uint16_t below)
{
    return next_block(v, l, below);
}

/* The same for processors with longer vectors. */
#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool next_block_wide(uint16_t *v, const struct sl_lfsr *l,
                                                            uint16_t below)
{
    return next_block(v, l, below);
}
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define next_block_wide next_block_plain
#define HAS_AVX2 false
#endif

/* ---- searching ---- */

/* The first draw from `at` on that is below `below`, or the end of the block. */
static uint32_t find(const uint16_t *seen, uint32_t at, uint32_t end, uint16_t below)
{
    for (; at % PIECE; at++)
        if (seen[at] < below)
            return at;
    for (; at < end; at += PIECE) {
        uint16_t any = 0;
        for (unsigned i = 0; i < PIECE; i++)
            any |= seen[at + i] < below;
        if (any)
            break;
    }
    while (at < end && seen[at] >= below)
        at++;
    return at;
}

/* Whether a draw of the block succeeds, if its first 16 bits do not exceed the probability's. */
static bool succeeds(const struct sl_draws *d, uint64_t chance, const struct sl_draw_register *r,
                     uint32_t at)
{
    const struct sl_lfsr *l = d->config.lfsr;
    uint64_t draws = r->n_blocks * block_draws(l) + at;
    return r->seen[at] < chance >> (l->width - 16) ||
           fraction(l, sl_lfsr_jump(d->jumps, r->state, draws * steps_of(&d->config))) < chance;
}

static uint32_t search_blocks(const struct sl_draws *d, uint64_t chance, struct sl_draw_register *r,
                              bool *success)
{
    const struct sl_lfsr *l = d->config.lfsr;
    unsigned rest = l->width - 16; /* bits that are not seen at first */
    uint16_t below = (uint16_t)((chance + ((UINT64_C(1) << rest) - 1)) >> rest);
    uint32_t end = block_draws(l), draws = 0;
    for (unsigned i = 0; i < BLOCKS_AHEAD; i++) {
        if (r->at == end) {
            bool some = (HAS_AVX2 ? next_block_wide : next_block_plain)(r->seen, l, below);
            r->n_blocks++;
            r->at = some ? 0 : end;
            draws += some ? 0 : end;
        }
        while (r->at < end) {
            uint32_t at = find(r->seen, r->at, end, below);
            draws += at - r->at;
            r->at = at;
            if (at == end)
                break;
            draws++;
            r->at++;
            if ((*success = succeeds(d, chance, r, at)))
                return draws;
        }
    }
    return draws;
}

uint32_t sl_draws_search(const struct sl_draws *d, unsigned level, struct sl_draw_register *r,
                         bool *success)
{
    uint64_t chance = d->chance[level];
    uint32_t draws = 0;
    *success = false;
    if (d->config.steps != SL_STEPS_X)
        return search_blocks(d, chance, r, success);
    for (; !*success && draws < BLOCKS_AHEAD * 1024; draws++) {
        *success = !(r->state & ((UINT64_C(1) << level) - 1));
        r->state = sl_lfsr_move(d->config.lfsr, r->state, level);
    }
    return draws;
}

/* ---- without a register ---- */

/* The digits of a geometric number are independent. With q the probability of a failure, digit i of
 * the number of consecutive failures is 1 with probability y / (1 + y), where y = q^(2^i). z = 1 -
 * y is used instead of y, because it loses no precision if q is close to 1. */
uint64_t sl_draws_gap(struct sl_draws *d, unsigned level)
{
    typedef unsigned __int128 wide;
    uint64_t z = d->chance[level] << (64 - d->config.lfsr->width);
    wide failures = 0;
    for (unsigned digit = 0; z; digit++) {
        uint64_t u = sl_random_next(&d->random);
        wide scaled = ((wide)u << 1) - ((wide)u * z >> 64); /* u (1 + y) */
        failures |= (wide)(scaled < ((wide)1 << 64) - z) << digit;
        uint64_t y = -z;
        if (y >> 63) /* the next y is the square of this */
            z = 2 * z - (uint64_t)((wide)z * z >> 64);
        else
            z = -(uint64_t)((wide)y * y >> 64);
    }
    return failures < UINT64_MAX ? (uint64_t)failures + 1 : UINT64_MAX;
}
