/* SPDX-License-Identifier: MIT */
/* The four kinds of samplers of stream compressors. A sampler selects elements of a stream. Each
 * kind defines which elements are selected, and by how much a selected element raises its count.
 *
 * Paper: Sastry, Bodik, Smith, "Rapid Profiling via Stratified Sampling", 2001, section 3.1.
 *
 *     P<r>    every r-th element; counts r
 *     R<r>    each element with probability 1/r, independently; counts r
 *     RD<r>   after a countdown, uniform in 1..2r-1; counts r
 *     CR<r>   like R; counts the elements since the last sample, including this one
 *
 * A weighted event is w consecutive elements; those that are selected form one sample, so that an
 * event gives at most one message.
 *
 * P counts up: its messages and its counter add up to the elements, as do those of CR. Messages of
 * R and RD count r each and add up to the elements in expectation only.
 *
 * The hardware of R draws a number for each element. The model draws the gap to the next selected
 * element: the same distribution, with one draw per sample. With q = 1 - 1/r, a gap is longer than
 * g with probability q^g. A table has these in 64-bit fixed point for g = 1..1024, computed by
 * integer multiplication, so that every machine draws the same gaps:
 *
 *     gap = 1 + number of table entries above a uniform random number
 *
 * A longer gap is a number of blocks of 1024 elements and a gap within the next block. The number
 * of blocks has the same distribution with q^1024 instead of q, and so a table of the same form;
 * three levels suffice for any r. */
#ifndef SL_SAMPLER_H
#define SL_SAMPLER_H

#include "random.h"

/* First components of a compressor (pipeline.h). */
enum sl_component {
    SL_COMPONENT_P,
    SL_COMPONENT_R,
    SL_COMPONENT_RD,
    SL_COMPONENT_CR,
    SL_COMPONENT_A,
    SL_COMPONENT_T,
    SL_COMPONENT_G,
};

/* What was selected; nothing if samples == 0. */
struct sl_sample {
    uint64_t count, samples;
};

/* ---- P ---- */

SL_GPU_INLINE struct sl_sample sl_sample_periodic(uint32_t *counter, uint64_t rate, uint64_t weight)
{
    uint64_t sum = *counter + weight;
    struct sl_sample s = {0, 0};
    if (__builtin_expect(sum < rate, 1)) {
        *counter = (uint32_t)sum;
        return s;
    }
    s.samples = sum / rate;
    s.count = s.samples * rate;
    *counter = (uint32_t)(sum - s.count);
    return s;
}

/* ---- R, RD, CR ---- */

#define SL_GAP_BLOCK 1024u
#define SL_GAP_LEVELS 3u

/* longer[0][g - 1] = 2^64 q^g; a level's q is the last entry of the one before. */
struct sl_gaps {
    uint64_t longer[SL_GAP_LEVELS][SL_GAP_BLOCK];
    uint64_t random; /* the generator */
};

/* Source of random gaps. Several sources may share the tables; each has its own generator. */
struct sl_gap_source {
    uint64_t (*longer)[SL_GAP_BLOCK];
    uint64_t *random;
};

/* Position of a substream between two selected elements: 1 <= left <= gap. */
struct sl_countdown {
    uint64_t left, gap;
};

SL_GPU_INLINE void sl_gaps_init(struct sl_gaps *gaps, uint64_t rate, uint64_t seed)
{
    uint64_t q = -(UINT64_MAX / rate + (UINT64_MAX % rate == rate - 1)); /* 0 for r = 1 */
    gaps->random = seed;
    for (unsigned level = 0; level < SL_GAP_LEVELS; level++) {
        uint64_t *longer = gaps->longer[level];
        longer[0] = q;
        for (unsigned g = 1; g < SL_GAP_BLOCK; g++)
            longer[g] = (uint64_t)((unsigned __int128)longer[g - 1] * q >> 64);
        q = longer[SL_GAP_BLOCK - 1];
    }
}

SL_GPU_INLINE struct sl_gap_source sl_gap_source(struct sl_gaps *gaps)
{
    struct sl_gap_source from = {gaps->longer, &gaps->random};
    return from;
}

/* 1 + the number of entries above u. The last entry is never above it. */
SL_GPU_INLINE uint64_t sl_gap_search(const uint64_t *longer, uint64_t u)
{
    unsigned above = 0;
    for (unsigned half = SL_GAP_BLOCK / 2; half; half /= 2)
        above += longer[above + half - 1] > u ? half : 0;
    return above + 1;
}

SL_GPU_INLINE uint64_t sl_gap_geometric(struct sl_gap_source from)
{
    uint64_t blocks = 0;
    unsigned level = 0;
    uint64_t u = sl_random_next(from.random);
    /* Goes up one level for each block without a selected element; at the top, counts blocks. */
    while (u < from.longer[level][SL_GAP_BLOCK - 1]) {
        if (level + 1 < SL_GAP_LEVELS)
            level++;
        else
            blocks++;
        u = sl_random_next(from.random);
    }
    uint64_t gap = blocks * SL_GAP_BLOCK + sl_gap_search(from.longer[level], u);
    /* Goes down: at each level, draws a gap that ends within the block. */
    while (level--) {
        uint64_t last = from.longer[level][SL_GAP_BLOCK - 1];
        u = last + sl_random_below(from.random, -last);
        gap = gap * SL_GAP_BLOCK + sl_gap_search(from.longer[level], u);
    }
    return gap;
}

SL_GPU_INLINE void sl_countdown_draw(struct sl_countdown *c, struct sl_gap_source from,
                                     enum sl_component sampler, uint64_t rate)
{
    c->gap = sampler == SL_COMPONENT_RD ? 1 + sl_random_below(from.random, 2 * rate - 1)
                                        : sl_gap_geometric(from);
    c->left = c->gap;
}

SL_GPU_INLINE struct sl_sample sl_sample_random(struct sl_countdown *c, struct sl_gap_source from,
                                                enum sl_component sampler, uint64_t rate,
                                                uint64_t weight)
{
    struct sl_sample s = {0, 0};
    while (__builtin_expect(weight >= c->left, 0)) {
        weight -= c->left;
        s.samples++;
        s.count += sampler == SL_COMPONENT_CR ? c->gap : rate;
        sl_countdown_draw(c, from, sampler, rate);
    }
    c->left -= weight;
    return s;
}

#endif
