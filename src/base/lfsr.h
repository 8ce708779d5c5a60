/* SPDX-License-Identifier: MIT */
/* Fibonacci shift registers with linear feedback: the random bits of hardware.
 *
 * A register of n bits holds the next n bits of its sequence; a step takes the lowest out
 * and puts a new one in at the top:
 *
 *     s[t+n] = s[t] ^ s[t+a] ^ s[t+b] ^ s[t+c]
 *
 *     | s[t+n-1] ... s[t+c] ... s[t+b] ... s[t+a] ... s[t] |  -> s[t]
 *       ^               |          |          |         |
 *       '---------------+----------+----------+---------'
 *
 * a, b and c are such that the polynomial is primitive: from any state but 0 the register
 * goes through all 2^n - 1 others before it comes back.
 *
 * They are also spread over the register, which tables of taps do not see to. Those have
 * the taps next to each other (64, 63, 61, 60), and then a run of k zeros is followed, n
 * bits later, by another one of at least k-4: whoever waits for runs of zeros, as counters
 * that count with probability 2^-k do, sees them come in bunches. Here no two taps are
 * closer than a sixth of the register (16 bits: next to each other all the same), so that
 * zeros behind one tap meet random bits behind the others. */
#ifndef SL_LFSR_H
#define SL_LFSR_H

#include <stdint.h>

struct sl_lfsr {
    unsigned width; /* n, a power of two */
    unsigned tap[3];
};

/* The choices of an option: what it holds is a place in sl_lfsrs. */
extern const char *const sl_lfsr_widths[];
extern const struct sl_lfsr sl_lfsrs[];
#define SL_LFSR_LONGEST 2 /* in sl_lfsrs: that of 64 bits */

/* As many steps as the last tap leaves room for can be made at once. */
#define SL_LFSR_STRIDE 8u

/* 1 to SL_LFSR_STRIDE steps. */
static inline uint64_t sl_lfsr_stride(const struct sl_lfsr *l, uint64_t state, unsigned steps)
{
    uint64_t fresh = state ^ state >> l->tap[0] ^ state >> l->tap[1] ^ state >> l->tap[2];
    return state >> steps | (fresh & ((UINT64_C(1) << steps) - 1)) << (l->width - steps);
}

/* Any number of steps. */
static inline uint64_t sl_lfsr_move(const struct sl_lfsr *l, uint64_t state, uint64_t steps)
{
    for (; steps > SL_LFSR_STRIDE; steps -= SL_LFSR_STRIDE)
        state = sl_lfsr_stride(l, state, SL_LFSR_STRIDE);
    return steps ? sl_lfsr_stride(l, state, (unsigned)steps) : state;
}

/* A state to begin with from random bits: never 0. */
static inline uint64_t sl_lfsr_begin(const struct sl_lfsr *l, uint64_t random)
{
    uint64_t state = random >> (64 - l->width);
    return state ? state : 1;
}

/* ---- very many steps ---- */

/* A number of steps is a linear map of the state: what becomes of it is the sum of what
 * becomes of its bits, here of four at a time. One such table for each power of two. */
#define SL_LFSR_JUMPS 56u
struct sl_lfsr_jumps {
    uint64_t sum[SL_LFSR_JUMPS][16][16];
};

void sl_lfsr_jumps_init(struct sl_lfsr_jumps *jumps, const struct sl_lfsr *l);

/* As sl_lfsr_move, of less than 2^SL_LFSR_JUMPS steps. */
uint64_t sl_lfsr_jump(const struct sl_lfsr_jumps *jumps, uint64_t state, uint64_t steps);

#endif
