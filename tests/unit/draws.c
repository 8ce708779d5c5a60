/* SPDX-License-Identifier: MIT */
/* Unit tests of the random draws of approximate counters. Searching ahead for the next successful
 * draw gives the same result as drawing one by one. Draws succeed with the specified probability,
 * and the gaps between successes have a geometric distribution. Consecutive draws are independent,
 * unless the shift register advances by only one bit per draw. */
#include "draws.h"

#include <math.h>

#include "random.h"
#include "tap.h"

struct drawn {
    struct sl_draws draws;
    struct sl_draw_register reg;
    uint64_t state; /* the plain register */
};

static const char *const steps_names[] = {"all steps", "x steps", "one step"};

static struct drawn *open_draws(const struct sl_lfsr *l, double base, enum sl_draw_steps steps)
{
    struct drawn *d = calloc(1, sizeof *d);
    struct sl_draws_config config = {l, base, sl_draws_levels_max(l, base), steps, 7};
    sl_draws_init(&d->draws, &config, calloc(1, sl_draws_bytes(&config)));
    d->reg.seen = aligned_alloc(64, sl_draw_register_bytes(l));
    return d;
}

static void begin(struct drawn *d)
{
    uint64_t random = d->draws.random;
    d->state = sl_lfsr_begin(d->draws.config.lfsr, sl_random_next(&random));
    sl_draws_begin(&d->draws, &d->reg);
}

static void close_draws(struct drawn *d)
{
    free(d->draws.jumps);
    free(d->reg.seen);
    free(d);
}

/* As a number whose highest bit is the one that leaves first. */
static uint64_t read_bits(uint64_t state, unsigned n)
{
    uint64_t number = 0;
    for (; n; n--, state >>= 1)
        number = 2 * number + (state & 1);
    return number;
}

/* A draw by the definition. */
static bool draw(struct drawn *d, unsigned level)
{
    const struct sl_draws_config *c = &d->draws.config;
    double chance = pow(c->base, -(double)level);
    uint64_t below = (uint64_t)(ldexp(chance, (int)c->lfsr->width) + 0.5);
    unsigned steps = c->steps == SL_STEPS_ALL ? c->lfsr->width : c->steps == SL_STEPS_X ? level : 1;
    bool zeros = !(d->state & ((UINT64_C(1) << level) - 1));
    bool success = c->base == 2 ? zeros : read_bits(d->state, c->lfsr->width) < below;
    d->state = sl_lfsr_move(c->lfsr, d->state, steps);
    return success;
}

/* Levels up and down, all kinds of them in the middle of a block. */
static void search(const struct sl_lfsr *l, double base, enum sl_draw_steps steps)
{
    struct drawn *d = open_draws(l, base, steps);
    unsigned high = d->draws.config.levels < 27 ? d->draws.config.levels : 27;
    uint64_t draws = 0, successes = 0, wrong = 0;
    for (unsigned most = 1; most < high; most++) {
        begin(d);
        unsigned level = most;
        for (unsigned i = 0; i < 60; i++) {
            bool found;
            uint32_t n = sl_draws_search(&d->draws, level, &d->reg, &found);
            for (uint32_t k = 1; k <= n; k++)
                wrong += draw(d, level) != (found && k == n);
            draws += n;
            successes += found;
            level = 1 + (level + i) % most;
        }
    }
    ok(!wrong && successes > 500,
       "%u bits, base %g, %s: searching is drawing (%llu draws, %llu successes)", l->width, base,
       steps_names[steps], (unsigned long long)draws, (unsigned long long)successes);
    close_draws(d);
}

/* Shares of successes within five standard deviations; what follows on a success. */
static void chances(double base, enum sl_draw_steps steps)
{
    struct drawn *d = open_draws(&sl_lfsrs[2], base, steps);
    bool good = true, expected = true, fresh = steps != SL_STEPS_ONE;
    for (unsigned level = 1; level <= 8; level++) {
        const uint64_t n = 200000;
        uint64_t successes = 0, pairs = 0;
        bool before = false;
        begin(d);
        for (uint64_t i = 0; i < n; i++) {
            bool now = draw(d, level);
            successes += now;
            pairs += before && now;
            before = now;
        }
        double p = pow(base, -(double)level), share = (double)successes / (double)n;
        double again = (double)pairs / (double)successes, then = fresh ? p : 0.5;
        double spread = sqrt(then * (1 - then) / (double)successes);
        /* With one step, successes come in bunches of two on average. */
        good &= fabs(share - p) < 5 * sqrt(p * (1 - p) / (double)n) * (fresh ? 1 : 1.8);
        expected &= fabs(again - then) < 5 * spread;
        printf("# base %g, %s, level %u: chance %.5f (%.5f), after a success %.5f (%.5f)\n", base,
               steps_names[steps], level, share, p, again, then);
    }
    ok(good, "base %g, %s: draws succeed as often as they should", base, steps_names[steps]);
    ok(expected, "base %g, %s: %s", base, steps_names[steps],
       fresh ? "a success says nothing of the next draw"
             : "after a success the next draw succeeds half of the time");
    close_draws(d);
}

/* The generator without a register. */
static void gaps(double base, unsigned level)
{
    struct drawn *d = open_draws(&sl_lfsrs[2], base, SL_STEPS_ALL);
    const unsigned n = 40000;
    double p = pow(base, -(double)level), sum = 0, odd = 0, longer = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t gap = sl_draws_gap(&d->draws, level);
        sum += (double)gap;
        odd += (double)(gap & 1);
        longer += (double)gap > 1 / p;
    }
    double q = 1 - p, beyond = exp(floor(1 / p) * log1p(-p)), odds = 1 / (1 + q);
    ok(fabs(sum / n * p - 1) < 5 * sqrt(q / n) &&
           fabs(longer / n - beyond) < 5 * sqrt(beyond * (1 - beyond) / n) &&
           fabs(odd / n - odds) < 5 * sqrt(odds * (1 - odds) / n),
       "base %g, level %u: gaps are geometric (mean %.4g, %.4g; longer than that %.3f, %.3f)", base,
       level, sum / n, 1 / p, longer / n, beyond);
    close_draws(d);
}

int main(void)
{
    static const unsigned levels[] = {1, 2, 7, 20, 40, 60};
    for (unsigned i = 0; sl_lfsr_widths[i]; i++)
        for (unsigned steps = SL_STEPS_ALL; steps <= SL_STEPS_ONE; steps++) {
            search(&sl_lfsrs[i], 2, steps);
            if (steps != SL_STEPS_X)
                search(&sl_lfsrs[i], 1.5, steps);
        }
    chances(2, SL_STEPS_ALL);
    chances(2, SL_STEPS_X);
    chances(2, SL_STEPS_ONE);
    chances(1.3, SL_STEPS_ALL);
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++)
        gaps(2, levels[i]);
    gaps(1.1, 3);
    gaps(1.1, 200);
    ok(sl_draws_levels_max(&sl_lfsrs[0], 2) == 16 && sl_draws_levels_max(&sl_lfsrs[2], 2) == 64,
       "with base 2 a register of n bits has n levels");
    return done_testing();
}
