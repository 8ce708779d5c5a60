/* Draws: the search ahead finds what a step for each draw does; chances are what they
 * should be; what neighbouring draws have to do with each other; gaps. */
#include "draws.h"

#include <math.h>

#include "random.h"
#include "tap.h"

struct drawn {
    struct sl_draws draws;
    struct sl_draws_register reg;
    uint64_t state; /* the plain register */
};

static struct drawn *open_draws(const struct sl_lfsr *l, double base, bool fresh)
{
    struct drawn *d = calloc(1, sizeof *d);
    struct sl_draws_config config = {l, base, sl_draws_levels_max(l, base), fresh, 7};
    sl_draws_init(&d->draws, &config, calloc(1, sl_draws_bytes(&config)));
    d->reg.bits = aligned_alloc(64, sl_draws_register_bytes(&config));
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
    free(d->draws.chance);
    free(d->reg.bits);
    free(d);
}

/* A draw by the definition. */
static bool draw(struct drawn *d, unsigned level)
{
    const struct sl_draws_config *c = &d->draws.config;
    uint64_t chance = (uint64_t)(ldexp(pow(c->base, -(double)level), (int)c->lfsr->width) + 0.5);
    bool zeros = !(d->state & ((UINT64_C(1) << level % 64) - 1));
    bool success = !level || (c->base == 2 ? zeros : d->state < chance);
    unsigned steps = !c->fresh ? 1 : !level ? 0 : c->base == 2 ? level : c->lfsr->width;
    d->state = sl_lfsr_move(c->lfsr, d->state, steps);
    return success;
}

/* Levels up and down, all kinds of them in the middle of a block. */
static void search(const struct sl_lfsr *l, double base, bool fresh)
{
    struct drawn *d = open_draws(l, base, fresh);
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
            if (i % 16 == 15) {
                sl_draws_pass(&d->draws, &d->reg, i);
                for (unsigned k = 0; k < i; k++)
                    wrong += !draw(d, 0);
            }
            level = 1 + (level + i) % most;
        }
    }
    ok(!wrong && successes > 500,
       "%u bits, base %g, %s: searching is drawing (%llu draws, %llu successes)", l->width, base,
       fresh ? "fresh" : "one step", (unsigned long long)draws, (unsigned long long)successes);
    close_draws(d);
}

/* Shares of successes within five standard deviations; what follows on a success. */
static void chances(double base, bool fresh)
{
    struct drawn *d = open_draws(&sl_lfsrs[3], base, fresh);
    bool good = true, expected = true;
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
               fresh ? "fresh" : "one step", level, share, p, again, then);
    }
    ok(good, "base %g, %s: draws succeed as often as they should", base,
       fresh ? "fresh" : "one step");
    ok(expected, "base %g, %s: %s", base, fresh ? "fresh" : "one step",
       fresh ? "a success says nothing of the next draw"
             : "after a success the next draw succeeds half of the time");
    close_draws(d);
}

/* The two generators without a register. */
static void gaps(double base, unsigned level)
{
    struct drawn *d = open_draws(&sl_lfsrs[3], base, true);
    const unsigned n = 40000;
    double p = pow(base, -(double)level), sum = 0, odd = 0, longer = 0, once = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t gap = sl_draws_gap(&d->draws, level);
        sum += (double)gap;
        odd += (double)(gap & 1);
        longer += (double)gap > 1 / p;
        once += sl_draws_once(&d->draws, level);
    }
    double q = 1 - p, beyond = exp(floor(1 / p) * log1p(-p)), odds = 1 / (1 + q);
    ok(fabs(sum / n * p - 1) < 5 * sqrt(q / n) &&
           fabs(longer / n - beyond) < 5 * sqrt(beyond * (1 - beyond) / n) &&
           fabs(odd / n - odds) < 5 * sqrt(odds * (1 - odds) / n),
       "base %g, level %u: gaps are geometric (mean %.4g, %.4g; longer than that %.3f, %.3f)", base,
       level, sum / n, 1 / p, longer / n, beyond);
    ok(fabs(once / n - p) < 5 * sqrt(p * q / n) + 1e-9, "base %g, level %u: so are single draws",
       base, level);
    close_draws(d);
}

int main(void)
{
    static const unsigned levels[] = {1, 2, 7, 20, 40, 60};
    for (unsigned i = 0; sl_lfsr_widths[i]; i++)
        for (unsigned kind = 0; kind < 4; kind++)
            search(&sl_lfsrs[i], kind & 1 ? 1.5 : 2, kind & 2);
    chances(2, true);
    chances(2, false);
    chances(1.3, true);
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++)
        gaps(2, levels[i]);
    gaps(1.1, 3);
    gaps(1.1, 200);
    ok(sl_draws_levels_max(&sl_lfsrs[0], 2) == 16 && sl_draws_levels_max(&sl_lfsrs[3], 2) == 64,
       "with base 2 a register of n bits has n levels");
    return done_testing();
}
