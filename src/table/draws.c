#include "draws.h"

#include <math.h>
#include <string.h>

#include "random.h"

#define BLOCKS_AHEAD 4u /* that are searched at once */
#define RUNS_FROM 15u   /* zeros in a row have a byte of zeros among them, */
#define PAIRS_FROM 23u  /* and these two of them */
#define BYTES(value) (UINT64_C(0x0101010101010101) * (value))

typedef uint64_t piece __attribute__((vector_size(16)));

/* ---- chances --------------------------------------------------------------- */

size_t sl_draws_bytes(const struct sl_draws_config *c)
{
    return c->levels * sizeof(uint64_t);
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
    *d = (struct sl_draws){.config = *c, .chance = memory, .random = c->seed};
    double chance = 1;
    /* Divided down, not by pow(3): the same on every machine. */
    for (unsigned level = 1; level < c->levels; level++)
        d->chance[level] = (uint64_t)(ldexp(chance /= c->base, (int)c->lfsr->width) + 0.5);
}

static unsigned steps_of(const struct sl_draws_config *c, unsigned level)
{
    return !c->fresh ? 1 : c->base == 2 ? level : c->lfsr->width;
}

/* ---- bits ------------------------------------------------------------------ */

static uint32_t block_bits(const struct sl_lfsr *l)
{
    return 128 * l->width;
}

size_t sl_draws_register_bytes(const struct sl_draws_config *c)
{
    return block_bits(c->lfsr) / 8 + 64;
}

/* Bits of the sequence from `at` on; at < block_bits. */
static inline uint64_t bits_at(const uint64_t *bits, uint32_t at)
{
    unsigned shift = at % 64;
    uint64_t low = bits[at / 64] >> shift;
    return shift ? low | bits[at / 64 + 1] << (64 - shift) : low;
}

/* The next block in the place of this one. A tap behind the block's end is in what has been
 * replaced already. */
static inline void replace(piece *p, unsigned n, unsigned a, unsigned b, unsigned c)
{
    for (unsigned i = 0; i < n - c; i++)
        p[i] ^= p[i + a] ^ p[i + b] ^ p[i + c];
    for (unsigned i = n - c; i < n - b; i++)
        p[i] ^= p[i + a] ^ p[i + b] ^ p[i + c - n];
    for (unsigned i = n - b; i < n - a; i++)
        p[i] ^= p[i + a] ^ p[i + b - n] ^ p[i + c - n];
    for (unsigned i = n - a; i < n; i++)
        p[i] ^= p[i + a - n] ^ p[i + b - n] ^ p[i + c - n];
}

/* The first 64 bits of the next block are seen from the end of this one. */
static void begin_block(const struct sl_lfsr *l, struct sl_draws_register *r)
{
    uint64_t *bits = r->bits;
    bits[2 * l->width] =
        bits[0] ^ bits[2 * l->tap[0]] ^ bits[2 * l->tap[1]] ^ bits[2 * l->tap[2]];
    r->surveyed = 0;
}

static inline uint64_t zero_bytes(uint64_t word)
{
    return (word - BYTES(1)) & ~word & BYTES(0x80);
}

static void refill(const struct sl_lfsr *l, struct sl_draws_register *r)
{
    replace((piece *)r->bits, l->width, l->tap[0], l->tap[1], l->tap[2]);
    r->at -= block_bits(l);
    begin_block(l, r);
}

void sl_draws_begin(struct sl_draws *d, struct sl_draws_register *r)
{
    const struct sl_lfsr *l = d->config.lfsr;
    uint64_t state = sl_lfsr_begin(l, sl_random_next(&d->random));
    for (uint32_t at = 0; at < block_bits(l); at += 8) {
        uint64_t *word = &r->bits[at / 64];
        *word = *word >> 8 | state << 56;
        state = sl_lfsr_stride(l, state, 8);
    }
    r->at = 0;
    begin_block(l, r);
}

/* Where bytes are 0: min of each of 64 columns of them. Where more zeros are in a row, only
 * bytes that have another one behind them. */
static void survey(const struct sl_lfsr *l, unsigned zeros, struct sl_draws_register *r)
{
    uint64_t least[8];
    uint8_t *low = (uint8_t *)least;
    const uint8_t *bytes = (const uint8_t *)r->bits;
    unsigned n = block_bits(l) / 8;
    memset(least, 0xff, sizeof least);
    if (zeros == 1)
        for (unsigned i = 0; i < n; i += 64)
            for (unsigned j = 0; j < 64; j++)
                low[j] = low[j] < bytes[i + j] ? low[j] : bytes[i + j];
    else
        for (unsigned i = 0; i < n; i += 64)
            for (unsigned j = 0; j < 64; j++) {
                uint8_t both = bytes[i + j] | bytes[i + j + 1];
                low[j] = low[j] < both ? low[j] : both;
            }
    r->surveyed = zeros;
    r->lanes = 0;
    for (unsigned j = 0; j < 8; j++)
        r->lanes |= (unsigned)(zero_bytes(least[j]) != 0) << j;
}

/* ---- searching ------------------------------------------------------------- */

/* Draw by draw to the next success or the block's end. */
static uint32_t try_each(const struct sl_draws *d, unsigned level, struct sl_draws_register *r,
                         bool *success)
{
    const struct sl_lfsr *l = d->config.lfsr;
    const uint64_t *bits = r->bits;
    uint64_t shown = UINT64_MAX >> (64 - l->width), below = d->chance[level];
    uint32_t steps = steps_of(&d->config, level), at = r->at, end = block_bits(l), draws = 0;
    bool found = false;
    if (d->config.base == 2) {
        shown = (UINT64_C(1) << level) - 1;
        below = 1;
    }
    for (; !found && at < end; at += steps, draws++)
        found = (bits_at(bits, at) & shown) < below;
    r->at = at;
    *success = found;
    return draws;
}

/* The draw that has the bit `at` among its bits, or with one step for each the first that
 * has it and zeros only in front of it. */
static inline uint32_t draw_around(const struct sl_draws *d, const struct sl_draws_register *r,
                                   uint32_t at, uint32_t inverse, unsigned level)
{
    if (d->config.fresh)
        return r->at + (uint32_t)((uint64_t)(at - r->at) * inverse >> 32) * level;
    uint32_t start = at, first = at - r->at > level ? at - level : r->at;
    while (start > first && !(r->bits[(start - 1) / 64] >> (start - 1) % 64 & 1))
        start--;
    return start;
}

/* By zero bytes to the next success or the block's end. */
static uint32_t try_runs(const struct sl_draws *d, unsigned level, struct sl_draws_register *r,
                         bool *success)
{
    uint64_t shown = (UINT64_C(1) << level) - 1;
    uint32_t steps = steps_of(&d->config, level), end = block_bits(d->config.lfsr);
    unsigned zeros = level >= PAIRS_FROM ? 2 : 1;
    if (r->surveyed != zeros)
        survey(d->config.lfsr, zeros, r);
    uint32_t inverse = UINT32_MAX / level + 1; /* exact: what is divided is below 2^13 */
    /* What reaches over the end begins with the last draw, or has its byte behind it. */
    uint32_t last = draw_around(d, r, end - 1, inverse, level), found = end;
    if (!(bits_at(r->bits, last) & shown))
        found = last;
    for (uint32_t lanes = r->lanes; lanes; lanes &= lanes - 1)
        for (uint32_t word = (uint32_t)__builtin_ctz(lanes); word < end / 64; word += 8)
            for (uint64_t bytes = zero_bytes(r->bits[word]); bytes; bytes &= bytes - 1) {
                uint32_t at = 64 * word + (uint32_t)__builtin_ctzll(bytes) - 7;
                if (at < r->at)
                    continue;
                uint32_t draw = draw_around(d, r, at, inverse, level);
                if (draw < found && !(bits_at(r->bits, draw) & shown))
                    found = draw;
            }
    *success = found < end;
    uint32_t behind = *success ? found + steps : d->config.fresh ? last + steps : end;
    uint32_t draws = (behind - r->at) / steps;
    r->at = behind;
    return draws;
}

uint32_t sl_draws_search(const struct sl_draws *d, unsigned level, struct sl_draws_register *r,
                         bool *success)
{
    bool runs = d->config.base == 2 && level >= RUNS_FROM;
    uint32_t draws = 0;
    *success = false;
    for (unsigned i = 0; i < BLOCKS_AHEAD && !*success; i++) {
        if (r->at >= block_bits(d->config.lfsr))
            refill(d->config.lfsr, r);
        draws += (runs ? try_runs : try_each)(d, level, r, success);
    }
    return draws;
}

void sl_draws_pass(const struct sl_draws *d, struct sl_draws_register *r, uint64_t n)
{
    for (; !d->config.fresh && n; n--)
        if (++r->at >= block_bits(d->config.lfsr))
            refill(d->config.lfsr, r);
}

/* ---- without a register ---------------------------------------------------- */

static uint64_t chance_of(const struct sl_draws *d, unsigned level)
{
    return d->chance[level] << (64 - d->config.lfsr->width);
}

bool sl_draws_once(struct sl_draws *d, unsigned level)
{
    return !level || sl_random_next(&d->random) < chance_of(d, level);
}

/* The digits of a geometric number are independent: with q the chance of a failure, digit
 * i of the number of failures in a row is 1 with chance y / (1 + y), where y = q^(2^i).
 * With z = 1 - y in the place of y nothing is lost where q is close to 1. */
uint64_t sl_draws_gap(struct sl_draws *d, unsigned level)
{
    typedef unsigned __int128 wide;
    uint64_t z = chance_of(d, level);
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
