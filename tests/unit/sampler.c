/* SPDX-License-Identifier: MIT */
/* Unit tests of the random samplers: the gaps between samples have the specified distribution,
 * within 5 standard deviations. The samplers draw gaps with precomputed tables of powers, which are
 * compared with directly computed powers. */
#include <stdbool.h>

#include "sampler.h"

#include <math.h>

#include "tap.h"

#define N_DRAWS 20000u

static struct sl_gaps gaps;

static bool near(double share, double expected)
{
    double sigma = sqrt(expected * (1 - expected) / N_DRAWS);
    return fabs(share - expected) <= 5 * sigma + 1e-12;
}

static void tables(uint64_t rate)
{
    double q = 1 - 1 / (double)rate, worst = 0, units = 1;
    for (unsigned level = 0; level < SL_GAP_LEVELS; level++, units *= SL_GAP_BLOCK)
        for (unsigned g = 1; g <= SL_GAP_BLOCK; g++) {
            double wanted = rate == 1 ? 0 : exp(g * units * log1p(-1 / (double)rate));
            double off = fabs((double)gaps.longer[level][g - 1] * 0x1p-64 - wanted);
            worst = off > worst ? off : worst;
        }
    ok(worst < 1e-9, "r = %llu: the tables are powers of %.9g (off by %.1g)",
       (unsigned long long)rate, q, worst);
}

static void geometric(uint64_t rate)
{
    double r = (double)rate, q = 1 - 1 / r, sum = 0, odd = 0;
    double beyond[] = {0, 0, 0, 0}, limit[] = {0, r / 10, r, 3 * r};
    bool positive = true;
    sl_gaps_init(&gaps, rate, 42);
    tables(rate);
    for (unsigned i = 0; i < N_DRAWS; i++) {
        uint64_t gap = sl_gap_geometric(sl_gap_source(&gaps));
        positive &= gap > 0;
        sum += (double)gap;
        odd += (double)(gap & 1);
        for (unsigned k = 0; k < 4; k++)
            beyond[k] += (double)gap > limit[k];
    }
    double sigma = sqrt(r * (r - 1) / N_DRAWS);
    bool tails = true;
    for (unsigned k = 0; k < 4; k++)
        tails &= near(beyond[k] / N_DRAWS, rate == 1 ? limit[k] < 1 : pow(q, floor(limit[k])));
    ok(positive && fabs(sum / N_DRAWS - r) <= 5 * sigma, "R%llu: the mean gap is r (%.6g)",
       (unsigned long long)rate, sum / N_DRAWS);
    ok(tails && near(odd / N_DRAWS, 1 / (1 + q)),
       "R%llu: gaps are as often odd, and longer than r/10, r and 3r, as they should be",
       (unsigned long long)rate);
}

static void countdown(uint64_t rate)
{
    double r = (double)rate, sum = 0;
    uint64_t low = UINT64_MAX, high = 0;
    sl_gaps_init(&gaps, rate, 42);
    for (unsigned i = 0; i < N_DRAWS; i++) {
        struct sl_countdown c;
        sl_countdown_draw(&c, sl_gap_source(&gaps), SL_COMPONENT_RD, rate);
        sum += (double)c.gap;
        low = c.gap < low ? c.gap : low;
        high = c.gap > high ? c.gap : high;
    }
    double sigma = sqrt(r * (r - 1) / 3 / N_DRAWS);
    ok(fabs(sum / N_DRAWS - r) <= 5 * sigma && low >= 1 && (double)low < 1 + r / 100 &&
           high < 2 * rate && (double)high > 1.99 * r - 1,
       "RD%llu: countdowns go from 1 to 2r-1, with r as their mean (%.6g)",
       (unsigned long long)rate, sum / N_DRAWS);
}

int main(void)
{
    static const uint64_t rates[] = {1, 2, 10, 256, 5000, 3000000, UINT64_C(1) << 31};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        geometric(rates[i]);
        countdown(rates[i]);
    }
    return done_testing();
}
