/* SPDX-License-Identifier: MIT */
/* Unit tests of the distribution of a list of numbers in reports: the quartiles divide lists of
 * known and random numbers in the right proportions, and the distribution is drawn correctly as
 * text. */
#include "db.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "random.h"
#include "tap.h"
#include "support/random_unit.h"

/* Of numbers 0, 1, 2, ... in any order a quartile is where the line through them is. */
static void of_a_line(size_t n, uint64_t *random)
{
    double *number = malloc(n * sizeof *number);
    for (size_t i = 0; i < n; i++)
        number[i] = (double)i;
    for (size_t i = n; i-- > 1;) {
        size_t k = (size_t)sl_random_below(random, i + 1);
        double other = number[k];
        number[k] = number[i];
        number[i] = other;
    }
    struct sl_spread s = sl_spread_of(number, n);
    double last = (double)(n - 1), near = 1e-9 * (double)n;
    ok(s.n == n && s.min == 0 && fabs(s.lower_quartile - last / 4) < near &&
           fabs(s.median - last / 2) < near && fabs(s.upper_quartile - 3 * last / 4) < near &&
           s.max == last && fabs(s.mean - last / 2) < near,
       "%zu numbers in a row: quartiles divide them", n);
    free(number);
}

/* As many numbers on either side of a quartile as there should be. */
static void of_anything(size_t n, uint64_t *random)
{
    double *number = malloc(n * sizeof *number);
    double sum = 0;
    bool good = true;
    for (size_t i = 0; i < n; i++)
        sum += number[i] = floor(20 * random_unit(random));
    struct sl_spread s = sl_spread_of(number, n);
    const double cut[] = {s.lower_quartile, s.median, s.upper_quartile};
    for (unsigned k = 0; k < 3; k++) {
        size_t below = 0, above = 0;
        for (size_t i = 0; i < n; i++) {
            below += number[i] < cut[k];
            above += number[i] > cut[k];
        }
        good &= (double)below <= ceil((k + 1) / 4.0 * (double)(n - 1)) &&
                (double)above <= ceil((3 - k) / 4.0 * (double)(n - 1));
    }
    ok(good && s.min <= cut[0] && cut[0] <= cut[1] && cut[1] <= cut[2] && cut[2] <= s.max &&
           fabs(s.mean - sum / (double)n) < 1e-9,
       "%zu numbers, many of them equal: no more than its share is beyond a quartile", n);
    free(number);
}

static void without_some(void)
{
    double number[] = {NAN, 3, NAN, 1, 2, NAN};
    struct sl_spread s = sl_spread_of(number, 6);
    ok(s.n == 3 && s.min == 1 && s.median == 2 && s.max == 3 && s.mean == 2,
       "what is no number is left out");
    s = sl_spread_of(number, 0);
    ok(!s.n && isnan(s.min) && isnan(s.median) && isnan(s.mean), "of nothing there is no spread");
    s = sl_spread_of(&(double){7}, 1);
    ok(s.n == 1 && s.min == 7 && s.lower_quartile == 7 && s.upper_quartile == 7 && s.max == 7,
       "of one number, all are this");
}

static void drawn(struct sl_spread spread, double top, const char *wanted)
{
    char line[31];
    sl_spread_draw(&spread, top, line, sizeof line - 1);
    if (!ok(!strcmp(line, wanted), "drawn: %s", wanted))
        printf("# %s\n", line);
}

int main(void)
{
    uint64_t random = 5;
    for (size_t n = 1; n < 12; n++)
        of_a_line(n, &random);
    of_a_line(1000, &random);
    for (size_t n = 2; n < 60; n += 7)
        of_anything(n, &random);
    without_some();
    drawn((struct sl_spread){5, 0, 10, 15, 20, 29, 15}, 29, "|---------[====+====]--------|");
    drawn((struct sl_spread){5, 4, 6, 9, 12, 20, 9}, 29, "    |-[==+==]-------|");
    drawn((struct sl_spread){5, 0, 0, 0, 0, 0, 0}, 29, "+");
    drawn((struct sl_spread){5, 0, 0, 0, 0, 0, 0}, 0, "+");
    drawn((struct sl_spread){5, 10, 20, 40, 50, 90, 40}, 58, "     |----[=========+====]---|");
    drawn((struct sl_spread){0}, 10, "                              ");
    return done_testing();
}
