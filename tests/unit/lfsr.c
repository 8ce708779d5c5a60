/* SPDX-License-Identifier: MIT */
/* Unit tests of the linear feedback shift registers: all have their full period 2^n - 1. One step
 * of a register is a linear map M of its state. The period is the smallest e with M^e = 1. It is
 * 2^n - 1 if M^(2^n - 1) = 1, and M^((2^n - 1)/p) is not 1 for any prime divisor p of 2^n - 1. */
#include "lfsr.h"

#include <stdbool.h>
#include <string.h>

#include "random.h"
#include "tap.h"

struct matrix {
    uint64_t column[64]; /* what becomes of each bit of the state */
};

static uint64_t applied(const struct matrix *m, uint64_t state)
{
    uint64_t sum = 0;
    for (; state; state &= state - 1)
        sum ^= m->column[__builtin_ctzll(state)];
    return sum;
}

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
    struct matrix out;
    for (unsigned i = 0; i < 64; i++)
        out.column[i] = applied(a, b->column[i]);
    return out;
}

/* Whether this number of steps leads back to every state. */
static bool returns(const struct sl_lfsr *l, uint64_t steps)
{
    struct matrix power, result = {{0}};
    for (unsigned i = 0; i < l->width; i++) {
        result.column[i] = UINT64_C(1) << i;
        power.column[i] = sl_lfsr_stride(l, UINT64_C(1) << i, 1);
    }
    memset(power.column + l->width, 0, (64 - l->width) * sizeof *power.column);
    for (; steps; steps >>= 1) {
        if (steps & 1)
            result = product(&power, &result);
        power = product(&power, &power);
    }
    for (unsigned i = 0; i < l->width; i++)
        if (result.column[i] != UINT64_C(1) << i)
            return false;
    return true;
}

static void period(const struct sl_lfsr *l)
{
    uint64_t all = UINT64_MAX >> (64 - l->width), left = all;
    bool sooner = false;
    unsigned primes = 0;
    for (uint64_t p = 3; left > 1; p += 2) {
        if (p * p > left)
            p = left; /* what has no divisor up to its root is a prime */
        if (left % p)
            continue;
        sooner |= returns(l, all / p);
        primes++;
        while (left % p == 0)
            left /= p;
    }
    ok(returns(l, all) && !sooner,
       "%u bits: it comes back after 2^%u - 1 steps, and not after any of the %u parts of that",
       l->width, l->width, primes);
}

/* The same for a small one by going there. */
static void enumerate(const struct sl_lfsr *l)
{
    static bool seen[1 << 16];
    uint64_t state = 1;
    unsigned n = 0;
    for (; !seen[state]; n++) {
        seen[state] = true;
        state = sl_lfsr_stride(l, state, 1);
    }
    ok(n == 65535 && state == 1 && !seen[0], "16 bits: every state but 0 comes once");
}

static void strides(const struct sl_lfsr *l, uint64_t *random)
{
    bool same = true, moved = true;
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t state = sl_lfsr_begin(l, sl_random_next(random)), steps = i % 300, plain = state;
        for (unsigned k = 1; k <= SL_LFSR_STRIDE; k++) {
            plain = sl_lfsr_stride(l, plain, 1);
            same &= sl_lfsr_stride(l, state, k) == plain;
        }
        plain = state;
        for (uint64_t k = 0; k < steps; k++)
            plain = sl_lfsr_stride(l, plain, 1);
        moved &= sl_lfsr_move(l, state, steps) == plain;
    }
    ok(same && moved, "%u bits: many steps at once are as many single ones", l->width);
    ok(sl_lfsr_begin(l, 0) && sl_lfsr_begin(l, 1) &&
           !(sl_lfsr_begin(l, UINT64_MAX) >> 1 >> (l->width - 1)),
       "%u bits: no state to begin with is 0, or has more bits", l->width);
}

/* The definition: the bits that leave are sums of those before them. */
static void recurrence(const struct sl_lfsr *l)
{
    static uint8_t bit[5000];
    uint64_t state = sl_lfsr_begin(l, UINT64_C(0x123456789abcdef1));
    bool holds = true;
    for (unsigned t = 0; t < sizeof bit; t++) {
        bit[t] = state & 1;
        state = sl_lfsr_stride(l, state, 1);
        if (t >= l->width) {
            const uint8_t *s = bit + t - l->width;
            holds &= bit[t] == (s[0] ^ s[l->tap[0]] ^ s[l->tap[1]] ^ s[l->tap[2]]);
        }
    }
    ok(holds, "%u bits: s[t+n] = s[t] ^ s[t+a] ^ s[t+b] ^ s[t+c]", l->width);
}

static void jumps(const struct sl_lfsr *l, uint64_t *random)
{
    struct sl_lfsr_jumps *jumps = calloc(1, sizeof *jumps);
    bool same = true, added = true;
    sl_lfsr_jumps_init(jumps, l);
    for (unsigned i = 0; i < 300; i++) {
        uint64_t state = sl_lfsr_begin(l, sl_random_next(random)), n = sl_random_next(random) >> 10;
        uint64_t part = sl_random_below(random, n);
        same &= sl_lfsr_jump(jumps, state, i * i) == sl_lfsr_move(l, state, i * i);
        added &= sl_lfsr_jump(jumps, sl_lfsr_jump(jumps, state, part), n - part) ==
                 sl_lfsr_jump(jumps, state, n);
    }
    ok(same && added, "%u bits: jumps are steps, and add up", l->width);
    free(jumps);
}

int main(void)
{
    uint64_t random = 1;
    for (unsigned i = 0; sl_lfsr_widths[i]; i++) {
        const struct sl_lfsr *l = &sl_lfsrs[i];
        ok((unsigned)atoi(sl_lfsr_widths[i]) == l->width, "%s bits: the option has this width",
           sl_lfsr_widths[i]);
        period(l);
        recurrence(l);
        strides(l, &random);
        jumps(l, &random);
    }
    enumerate(&sl_lfsrs[0]);
    return done_testing();
}
