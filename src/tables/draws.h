/* SPDX-License-Identifier: MIT */
/* Random draws from shift registers, which decide whether an approximate counter is incremented.
 *
 * At level X a draw succeeds with probability base^-X, at level 0 always. The bits of the register,
 * in the order in which they leave it, are a binary fraction; the draw succeeds if it is below the
 * probability. With base 2, that is: the X lowest bits of the register are 0. The register moves
 * for each draw by
 *
 *     all   as many steps as it has bits, so that all of them are fresh
 *     x     X steps, with base 2: the bits that are compared are fresh. Equivalent for the counter
 *     one   one step, the cheapest in hardware. Consecutive draws share all bits but one: after a
 *           success, the next draw succeeds with probability 1/2 at the same level and 1/4 at
 *           the next one. (If the X highest bits were compared, the additional bit would be
 *           known to be 0, and a success at any level would lead to the next one with
 *           probability 1/2: counters would run away.)
 *
 * At level 0 nothing is compared and the register does not move.
 *
 * A register is never 0. So with base 2, 2^(n-X) - 1 of its 2^n - 1 states succeed: fewer than 2^-X
 * by a fraction of 2^(X-n), and none at X = n.
 *
 * Implementation: the same results, for many draws at a time. The first 16 bits that draws compare,
 * v[0], v[1], v[2], ..., with all or one step between two, form a linear recurrence. The polynomial
 * of the register squared is the recurrence for twice the distance, and so on; for a distance of 16
 * draws:
 *
 *     v[k+16n] = v[k] ^ v[k+16a] ^ v[k+16b] ^ v[k+16c]
 *
 * So 16 draws are the XOR of four earlier groups of 16, and only a block of n groups is stored. One
 * in 65,536 draws needs more bits; the state of the register then follows from the number of draws.
 * The next success is searched in advance, and a counter only counts down to it.
 *
 * If an event represents very many draws, the number of draws up to the next success is drawn from
 * a generator instead (sl_draws_gap). */
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
    uint64_t *chance; /* by level: probability x 2^n; unused at level 0 */
    uint64_t random;
};

/* Number of levels at which a register of this width can succeed. */
unsigned sl_draws_levels_max(const struct sl_lfsr *lfsr, double base);

/* Memory that all registers share, and its initialization. */
size_t sl_draws_bytes(const struct sl_draws_config *config);
void sl_draws_init(struct sl_draws *draws, const struct sl_draws_config *config, void *memory);

/* A register and the block of draws that were computed from it. */
struct sl_draw_register {
    uint16_t *seen;    /* the block; 64-byte aligned */
    uint32_t at;       /* the next draw in it */
    uint64_t state;    /* before the first draw; with x steps, the current one */
    uint64_t n_blocks; /* before this one */
};

/* Memory of `seen`. */
size_t sl_draw_register_bytes(const struct sl_lfsr *lfsr);

/* Sets the register to a random state. */
void sl_draws_begin(struct sl_draws *draws, struct sl_draw_register *reg);

/* Makes draws of a level above 0 up to and including the next success, or up to 65,536 draws
 * without success. Returns their number. */
uint32_t sl_draws_search(const struct sl_draws *draws, unsigned level, struct sl_draw_register *reg,
                         bool *success);

/* The definition, for registers that the caller stores: whether a draw from this state succeeds,
 * and the state after n draws. */
bool sl_draws_succeeds(const struct sl_draws *draws, unsigned level, uint64_t state);
uint64_t sl_draws_after(const struct sl_draws *draws, uint64_t state, uint64_t n);

/* Without a register, from a generator: number of draws of a level above 0 up to and including the
 * next success. */
uint64_t sl_draws_gap(struct sl_draws *draws, unsigned level);

#endif
