/* SPDX-License-Identifier: MIT */
/* Linear feedback shift registers (Fibonacci form): models of the registers with which hardware
 * generates random bits.
 *
 * A register of n bits holds the next n bits of its sequence. A shift removes the lowest bit and
 * inserts a new one at the top:
 *
 *     s[t+n] = s[t] ^ s[t+a] ^ s[t+b] ^ s[t+c]
 *
 *     | s[t+n-1] ... s[t+c] ... s[t+b] ... s[t+a] ... s[t] |  -> s[t]
 *       ^               |          |          |         |
 *       '---------------+----------+----------+---------'
 *
 * a, b and c are such that the polynomial is primitive: from any state but 0 the register goes
 * through all 2^n - 1 nonzero states.
 *
 * The taps are also spread over the register. Published tables have adjacent taps (64, 63, 61, 60):
 * then a run of k zeros is followed, n bits later, by a run of at least k - 4 zeros. Counters that
 * count with probability 2^-k wait for runs of zeros, and would count in bursts. Here no two taps
 * are closer than a sixth of the register (except in the 16-bit one), so that zeros at one tap meet
 * random bits at the others. */
#ifndef SL_LFSR_H
#define SL_LFSR_H

#include <stdint.h>

struct sl_lfsr {
    unsigned width; /* n, a power of two */
    unsigned tap[3];
};

/* Choices of an option; its value is an index into sl_lfsrs. */
extern const char *const sl_lfsr_widths[];
extern const struct sl_lfsr sl_lfsrs[];
#define SL_LFSR_LONGEST 2 /* index of the 64-bit register */

/* Shifts that can be made at once: the last tap is at least this far from the top. */
#define SL_LFSR_STRIDE 8u

/* Makes 1 to SL_LFSR_STRIDE shifts. */
static inline uint64_t sl_lfsr_stride(const struct sl_lfsr *l, uint64_t state, unsigned steps)
{
    uint64_t fresh = state ^ state >> l->tap[0] ^ state >> l->tap[1] ^ state >> l->tap[2];
    return state >> steps | (fresh & ((UINT64_C(1) << steps) - 1)) << (l->width - steps);
}

/* Makes any number of shifts. */
static inline uint64_t sl_lfsr_move(const struct sl_lfsr *l, uint64_t state, uint64_t steps)
{
    for (; steps > SL_LFSR_STRIDE; steps -= SL_LFSR_STRIDE)
        state = sl_lfsr_stride(l, state, SL_LFSR_STRIDE);
    return steps ? sl_lfsr_stride(l, state, (unsigned)steps) : state;
}

/* Initial state from random bits; never 0. */
static inline uint64_t sl_lfsr_begin(const struct sl_lfsr *l, uint64_t random)
{
    uint64_t state = random >> (64 - l->width);
    return state ? state : 1;
}

/* ---- very many shifts ---- */

/* Shifting is linear: the new state is the XOR of what becomes of its bits, here of four at a time.
 * One such table for each power of two. */
#define SL_LFSR_JUMPS 56u
struct sl_lfsr_jumps {
    uint64_t sum[SL_LFSR_JUMPS][16][16];
};

void sl_lfsr_jumps_init(struct sl_lfsr_jumps *jumps, const struct sl_lfsr *l);

/* As sl_lfsr_move(), for fewer than 2^SL_LFSR_JUMPS shifts. */
uint64_t sl_lfsr_jump(const struct sl_lfsr_jumps *jumps, uint64_t state, uint64_t steps);

#endif
