/* Draws against the chances of levels, from shift registers: what decides whether an
 * approximate counter counts.
 *
 * At level X a draw succeeds with chance base^-X; at level 0 always. With base 2 it does if
 * the X lowest bits of the register are all 0, else if the register's number is below a
 * threshold. How far the register moves for each draw:
 *
 *     fresh     behind the bits that were looked at: X steps with base 2, else as many as
 *               the register has bits. Draws are independent.
 *     one step  the cheapest in hardware. Neighbouring draws share all bits but one: after a
 *               success the next draw at the same level succeeds with chance 1/2.
 *
 * At level 0 nothing is looked at, and only the second moves.
 *
 * A register never holds 0. So with base 2, 2^(n-X) - 1 of its 2^n - 1 states succeed: fewer
 * than 2^-X by a part 2^(X-n), and none at X = n.
 *
 * That is the definition. What is done is the same without a step for each draw: a register
 * is known by the bits of its sequence that come next, and these are made 128n at a time.
 * Squaring the register's polynomial seven times doubles its exponents as often, and its
 * multiples hold for the sequence too:
 *
 *     s[t+128n] = s[t] ^ s[t+128a] ^ s[t+128b] ^ s[t+128c]
 *
 * so that a piece of 128 bits is the sum of four earlier ones, whole, and the last n pieces
 * are all that has to be kept. From level 15 on, X zeros in a row have a zero byte among
 * them that is a byte of a piece. Few bytes are, and only the draws around these are looked
 * at. Where the next success is, is found beforehand, and a counter only has to count down.
 *
 * Where an event stands for very many draws, these are not made: the number of draws up to
 * the next success is drawn instead, from a generator of its own (sl_draws_gap). */
#ifndef SL_DRAWS_H
#define SL_DRAWS_H

#include <stdbool.h>
#include <stddef.h>

#include "lfsr.h"

struct sl_draws_config {
    const struct sl_lfsr *lfsr;
    double base;     /* more than 1, at most 2 */
    unsigned levels; /* 0 <= X < levels */
    bool fresh;
    uint64_t seed;
};

struct sl_draws {
    struct sl_draws_config config;
    uint64_t *chance; /* by level, times 2^width; that of level 0 is not used */
    uint64_t random;
};

/* How many levels a register can tell from never. */
unsigned sl_draws_levels_max(const struct sl_lfsr *lfsr, double base);

/* Memory for the chances. */
size_t sl_draws_bytes(const struct sl_draws_config *config);
void sl_draws_init(struct sl_draws *draws, const struct sl_draws_config *config, void *memory);

/* A register: its next bits, in units of 64. */
struct sl_draws_register {
    uint64_t *bits; /* the pieces, and the 64 bits behind them */
    uint32_t at;    /* of the bits, the lowest that is in the register */
    /* Bit i: among words i, i + 8, i + 16, ... are some with so many zero bytes in a row. */
    unsigned lanes, surveyed;
};

/* Memory for a register's bits, 64-byte aligned. */
size_t sl_draws_register_bytes(const struct sl_draws_config *config);

/* Sets the register to a random state. */
void sl_draws_begin(struct sl_draws *draws, struct sl_draws_register *reg);

/* Makes draws of a level above 0 up to and with the next success, or, if there is none for
 * a long time, some. Returns how many. */
uint32_t sl_draws_search(const struct sl_draws *draws, unsigned level,
                         struct sl_draws_register *reg, bool *success);

/* Makes n draws of level 0. */
void sl_draws_pass(const struct sl_draws *draws, struct sl_draws_register *reg, uint64_t n);

/* How many draws of a level above 0 it takes up to and with the next success, without a
 * register; and whether a single one succeeds. */
uint64_t sl_draws_gap(struct sl_draws *draws, unsigned level);
bool sl_draws_once(struct sl_draws *draws, unsigned level);

#endif
