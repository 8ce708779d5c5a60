/* SPDX-License-Identifier: MIT */
/* Unit tests of the energy table that the function profiler paper published (paper 2 in
 * docs/glossary.md): the meaning of its columns, and the factors of its correction for stalls.
 * docs/energy.md explains the arithmetic. */
#include <math.h>

#include "../support/checkout_data.h"
#include "power.h"
#include "tap.h"

#define CYCLE_NS 40
#define ROUNDED 0.05 /* percent that a percentage with one decimal may be off */

static const struct row {
    const char *program;
    double stalls, cycles, power, energy; /* percent, mW */
    const char *factor;
    double corrected, golden_ns, golden_power, golden_energy;
} rows[] = {
    {"adpcm", 37.3, 146468, 56.88, 532740.94, "0.99", 531430.45, 9312640, 53.95, 502416.93},
    {"aes", 46.0, 39924, 54.96, 163500.43, "0.97", 162562.87, 2881320, 49.03, 141271.12},
    {"blowfish", 12.3, 888221, 71.45, 2530356.30, "1.18", 2893418.97, 40507640, 71.91, 2912145.02},
    {"dfadd", 44.7, 14318, 55.35, 57556.45, "0.98", 57245.57, 1011720, 54.61, 55250.03},
    {"dfdiv", 33.9, 52898, 57.26, 183025.38, "1.00", 183036.18, 3226360, 55.51, 179095.24},
    {"dfmul", 55.0, 4969, 53.20, 23716.31, "0.96", 23550.46, 431200, 49.04, 21146.05},
    {"dfsin", 43.3, 2180140, 55.12, 8526386.48, "0.98", 8483392.37, 153907120, 54.80, 8434818.19},
    {"gsm", 42.2, 29559, 56.90, 116914.53, "0.98", 116368.08, 2018160, 64.05, 129263.15},
    {"jpeg", 34.6, 4034329, 57.53, 14195382.50, "1.00", 14187192.49, 246168000, 63.06, 15548822.75},
    {"mips", 21.1, 34660, 61.79, 105358.20, "1.06", 108434.21, 1751480, 56.23, 98485.72},
    {"motion", 33.0, 17647, 58.27, 61332.44, "1.00", 61382.00, 1057160, 60.52, 63979.32},
    {"sha", 9.5, 1033449, 79.95, 2880061.19, "1.26", 3652738.91, 45690040, 82.05, 3748769.32},
    {"dhrystone", 27.9, 23394, 59.69, 76520.37, "1.02", 77149.23, 1280440, 58.68, 75136.22},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static double off(double is, double wanted)
{
    return fabs(is / wanted - 1);
}

/* ---- factors ---- */

static void factors(const struct sl_power_correction *c)
{
    size_t same = 0, within = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        char printed[16];
        snprintf(printed, sizeof printed, "%.2f", sl_power_factor(c, rows[i].stalls));
        if (strcmp(printed, rows[i].factor))
            printf("# %s: %s, published %s\n", rows[i].program, printed, rows[i].factor);
        else
            same++;
        within += rows[i].stalls >= c->low && rows[i].stalls <= c->high;
    }
    ok(same == N_ROWS, "the %zu published factors are those of the product, to both decimals",
       N_ROWS);
    ok(within == N_ROWS, "none of them is an extrapolation");
    ok(isnan(sl_power_factor(c, 0)), "a program that never stalls has no factor");
    ok(isnan(sl_power_factor(&(struct sl_power_correction){.mean = 33.9}, 20)),
       "without a correction in the file there is none");
}

/* ---- corrected energies ---- */

/* The published column, by the formula that it does follow: stalls for the 10. */
static double by_stalls(double mean, double stalls)
{
    return 1 + (mean - stalls) / stalls / stalls;
}

static void corrected(const struct sl_power_correction *c)
{
    size_t rounded = 0;
    double worst = 0, most = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct row *r = &rows[i];
        double published = r->corrected / r->energy;
        double low = by_stalls(c->mean - ROUNDED, r->stalls + ROUNDED);
        double high = by_stalls(c->mean + ROUNDED, r->stalls - ROUNDED);
        double by_ten = off(r->energy * sl_power_factor(c, r->stalls), r->corrected);
        rounded += published >= low && published <= high;
        worst = fmax(worst, off(by_stalls(c->mean, r->stalls), published));
        most = fmax(most, by_ten);
    }
    ok(worst < 0.0017 && rounded == 11,
       "published corrected energies are energy * (1 + ((33.9 - S) / S) / S), to %.2f%%; of %zu "
       "that "
       "is no more than the rounding of percentages",
       100 * worst, rounded);
    ok(most > 0.03, "and not energy * factor, which is up to %.1f%% away", 100 * most);
}

/* ---- units ---- */

static void units(void)
{
    double golden = 0, time = 0, work = 1, whole = 0, uncorrected = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct row *r = &rows[i];
        double all = r->cycles / (1 - r->stalls / 100) * CYCLE_NS;
        double nanojoule = r->power * all / 1000; /* mW * ns is a thousandth of one */
        golden = fmax(golden, off(r->golden_power * r->golden_ns / 1000, r->golden_energy));
        time = fmax(time, off(all, r->golden_ns));
        work = fmin(work, off(r->cycles * CYCLE_NS, r->golden_ns));
        whole = fmax(whole, off(nanojoule, r->corrected));
        uncorrected = fmax(uncorrected, off(nanojoule, r->energy));
    }
    ok(golden < 0.0017, "golden energy is golden power * time in nJ, to %.2f%%", 100 * golden);
    ok(time < 0.027 && work > 0.09,
       "cycles are those without stalls: with them they take the golden time, to %.1f%%",
       100 * time);
    ok(whole < 0.005, "power * all cycles * 40 ns is the corrected energy in nJ, to %.2f%%",
       100 * whole);
    ok(uncorrected > 0.25, "and not the one before, which is up to %.0f%% away", 100 * uncorrected);
}

static void accuracy(const struct sl_power_correction *c)
{
    double before = 0, after = 0, ours = 0;
    size_t better = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct row *r = &rows[i];
        before += off(r->energy, r->golden_energy) / N_ROWS;
        after += off(r->corrected, r->golden_energy) / N_ROWS;
        better += off(r->corrected, r->golden_energy) < off(r->energy, r->golden_energy);
        ours += off(r->energy * sl_power_factor(c, r->stalls), r->golden_energy) / N_ROWS;
    }
    ok(fabs(before - 0.0838) < 0.00005 && fabs(after - 0.0595) < 0.00005,
       "mean absolute errors are the published ones, 8.38%% and 5.95%%");
    ok(better == 8, "8 programs' energies get better by the correction, not 10");
    ok(fabs(ours - 0.0598) < 0.00005, "with the factors it would be %.2f%%", 100 * ours);
}

int main(void)
{
    struct sl_power_table table;
    struct sl_failure f = {.text = ""};
    use_checkout_data();
    if (!ok(!sl_power_read_table(&table, "tiger", &f), "tiger's powers are there %s", f.text))
        return done_testing();
    factors(&table.correction);
    corrected(&table.correction);
    units();
    accuracy(&table.correction);
    return done_testing();
}
