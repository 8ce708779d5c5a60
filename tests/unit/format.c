/* SPDX-License-Identifier: MIT */
/* Unit tests of the functions that format numbers, percentages, sizes and energies for reports
 * (format.h). */
#include "format.h"

#include <math.h>
#include <string.h>

#include "random.h"
#include "tap.h"

/* Without commas the text is the number; between commas there are three digits. */
static bool number_holds(uint64_t number)
{
    char capacity[SL_FORMAT_SIZE], plain[32], digits[32];
    size_t n = 0, since = 0;
    snprintf(plain, sizeof plain, "%llu", (unsigned long long)number);
    const char *text = sl_format_number(number, capacity);
    for (const char *c = text + strlen(text); c-- > text;) {
        if ((*c == ',') != (since == 3) || (c == text && *c == ','))
            return false;
        since = *c == ',' ? 0 : since + 1;
        if (*c != ',')
            digits[n++] = *c;
    }
    for (size_t i = 0; i < n; i++)
        if (digits[i] != plain[n - 1 - i])
            return false;
    return n == strlen(plain);
}

static bool numbers_hold(void)
{
    uint64_t seed = 5;
    bool good = number_holds(0) && number_holds(999) && number_holds(1000) &&
                number_holds(UINT64_MAX);
    for (unsigned i = 0; i < 20000 && good; i++)
        good = number_holds(sl_random_next(&seed) >> sl_random_below(&seed, 64));
    return good;
}

/* The text differs from the true percentage by at most half of its last digit. */
static bool percents_hold(void)
{
    uint64_t seed = 9;
    char capacity[SL_FORMAT_SIZE];
    for (unsigned i = 0; i < 20000; i++) {
        double part = (double)sl_random_below(&seed, 3000000) / 1e6 - 1;
        const char *text = sl_format_percent(part, true, capacity);
        if (text[0] == '<' ? fabs(part) >= 0.00005
                           : fabs(atof(text) - 100 * part) > (fabs(part) < 0.09995  ? 0.0051
                                                              : fabs(part) < 0.9995 ? 0.051
                                                                                    : 0.51))
            return false;
    }
    return true;
}

static bool is(const char *text, const char *wanted)
{
    if (strcmp(text, wanted))
        printf("# %s, not %s\n", text, wanted);
    return !strcmp(text, wanted);
}

int main(void)
{
    char capacity[SL_FORMAT_SIZE];
    ok(numbers_hold(), "numbers have a comma before every third digit");
    ok(percents_hold(), "percentages are rounded to two, one or no decimals");
    ok(is(sl_format_percent((double)NAN, true, capacity), "-"),
       "a percentage that is not a number");
    ok(is(sl_format_percent(0.000001, false, capacity), "<0.01%"), "a percentage that is nearly 0");
    ok(is(sl_format_storage(65, capacity), "9 B"), "bits are rounded up to bytes");
    ok(is(sl_format_storage(8 * 2048, capacity), "2.0 KB"), "a KB has 1024 bytes");
    ok(is(sl_format_storage(8ull * 3 << 19, capacity), "1.5 MB"), "a MB has 1024 KB");
    ok(is(sl_format_energy(512, capacity), "512 pJ"), "energy in pJ");
    ok(is(sl_format_energy(7040000000, capacity), "7.04 mJ"), "energy in mJ");
    ok(sl_ratio(1, 0) == 0 && sl_percent(1, 0) == 0, "a ratio to nothing is 0");
    ok(sl_ratio(1, 4) == 0.25 && sl_percent(1, 4) == 25, "ratio and percentage");
    ok(is(sl_file_name("/src/primes.c"), "primes.c") && is(sl_file_name("primes.c"), "primes.c") &&
           is(sl_file_name("/src/"), "") && !sl_file_name(NULL),
       "the last part of a path");
    return done_testing();
}
