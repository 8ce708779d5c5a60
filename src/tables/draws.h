/* SPDX-License-Identifier: MIT */
/* Draws against the chances of levels, from shift registers: what decides whether an
 * approximate counter counts.
 *
 * At level X a draw succeeds with chance base^-X, at level 0 always. The register's bits, in
 * the order in which they leave it, are read as a binary fraction, and that has to be below
 * the chance; with base 2 that is to say that the X lowest bits of the register are all 0.
 * How far the register moves for each draw:
 *
 *     all   as many steps as it has bits, so that all of them are fresh
 *     x     X steps, with base 2: those that are looked at are fresh. The same to the
 *           counter, but here it takes a step for each
 *     one   the cheapest in hardware. Neighbouring draws share all bits but one: after a
 *           success the next draw at the same level succeeds with chance 1/2, and at the
 *           next level, where one more bit is looked at, 1/4. (Were it the X highest bits,
 *           the bit more would be one that is known to be 0, and a success at any level
 *           would lead to the next with chance 1/2: counters would run away.)
 *
 * At level 0 nothing is looked at and nothing moves.
 *
 * A register never holds 0. So with base 2, 2^(n-X) - 1 of its 2^n - 1 states succeed: fewer
 * than 2^-X by a part 2^(X-n), and none at X = n.
 *
 * That is the definition. What is done is the same for many draws at a time. What draws see
 * of the register at first, 16 bits v[0], v[1], v[2], ... with all or one step between two,
 * is itself a sum of earlier ones. The register's polynomial squared is one in twice the
 * steps, and again; so with any power of two of draws, here of 16:
 *
 *     v[k+16n] = v[k] ^ v[k+16a] ^ v[k+16b] ^ v[k+16c]
 *
 * A piece of 16 draws is the sum of four earlier pieces, and a block of n pieces is all that
 * has to be kept. One in 65,536 draws has to be looked at further; where the register is then
 * is known from how many draws there were. Where the next success is, is found beforehand,
 * and a counter only has to count down.
 *
 * Where an event stands for very many draws, these are not made: the number of draws up to
 * the next success is drawn instead, from a generator of its own (sl_draws_gap). */
#ifndef SL_DRAWS_H
#define SL_DRAWS_H

#include <stdbool.h>
#include <stddef.h>

#include "lfsr.h"

enum sl_draw_steps { SL_STEPS_ALL, SL_STEPS_X, SL_STEPS_ONE };

struct sl_draws_config {
    const struct sl_lfsr *lfsr;
    double base;     /* more than 1, at most 2 */
    unsigned levels; /* 0 <= X < levels */
    enum sl_draw_steps steps;
    uint64_t seed;
};

struct sl_draws {
    struct sl_draws_config config;
    struct sl_lfsr_jumps *jumps;
    uint64_t *chance; /* by level, times 2^n; that of level 0 is not used */
    uint64_t random;
};

/* How many levels a register can tell from never. */
unsigned sl_draws_levels_max(const struct sl_lfsr *lfsr, double base);

/* Memory for what all registers share. */
size_t sl_draws_bytes(const struct sl_draws_config *config);
void sl_draws_init(struct sl_draws *draws, const struct sl_draws_config *config, void *memory);

/* A register. */
struct sl_draw_register {
    uint16_t *seen;    /* the block; 64-byte aligned */
    uint32_t at;       /* the next draw in it */
    uint64_t state;    /* at the first draw of all; with x steps, now */
    uint64_t n_blocks; /* in front of this one */
};

/* Memory for its block. */
size_t sl_draw_register_bytes(const struct sl_lfsr *lfsr);

/* Sets the register to a random state. */
void sl_draws_begin(struct sl_draws *draws, struct sl_draw_register *reg);

/* Makes draws of a level above 0 up to and with the next success, or, if there is none for
 * a long time, some, at most 65,536. Returns how many. */
uint32_t sl_draws_search(const struct sl_draws *draws, unsigned level, struct sl_draw_register *reg,
                         bool *success);

/* The definition, for registers that are kept elsewhere: whether a draw succeeds, and where the
 * register is after so many. */
bool sl_draws_succeeds(const struct sl_draws *draws, unsigned level, uint64_t state);
uint64_t sl_draws_after(const struct sl_draws *draws, uint64_t state, uint64_t n);

/* How many draws of a level above 0 it takes up to and with the next success, without a
 * register; and whether a single one succeeds. */
uint64_t sl_draws_gap(struct sl_draws *draws, unsigned level);
bool sl_draws_once(struct sl_draws *draws, unsigned level);

#endif
