/* Workload: computes sines in double precision with integer instructions only (soft_double.h). The
 * program subtracts the nearest multiple of pi / 2 from the angle and then adds the terms of the
 * Taylor series of the sine or the cosine, until a term is too small to matter.
 *
 *     r - r^3 / 3! + r^5 / 5! - ...         1 - r^2 / 2! + r^4 / 4! - ...
 *
 * Known answers are from `bc -l`, which computes any number of digits; for other angles
 * sin^2 + cos^2 must be nearly 1. */
#include "soft_double.h"

#define N_ANGLES 12u
#define TWO_OVER_PI UINT64_C(0x3fe45f306dc9c883)
/* pi / 2 in two parts: the first has few bits, so that its multiples are exact. */
#define HALF_PI_HIGH UINT64_C(0x3ff921fb54400000)
#define HALF_PI_LOW UINT64_C(0x3dd0b4611a626331)

PART uint64_t from_integer(int32_t x)
{
    uint64_t magnitude = (uint64_t)(x < 0 ? -(int64_t)x : x);
    if (!magnitude)
        return 0;
    int32_t n = df_normalizing(magnitude);
    return df_pack(x < 0 ? DF_SIGN : 0, 1023 + 62 - n, magnitude << n);
}

/* The nearest integer; the number is small. */
PART int32_t to_integer(uint64_t bits)
{
    struct df x = df_unpack(bits);
    int32_t places = 1023 + 62 - x.exponent; /* binary digits after the point */
    if (x.kind != DF_FINITE || places > 63)
        return 0;
    int32_t magnitude = (int32_t)((x.significand + (UINT64_C(1) << (places - 1))) >> places);
    return x.sign ? -magnitude : magnitude;
}

/* The angle less k pi / 2; also returns k. */
PART uint64_t reduce(uint64_t angle, int32_t *k)
{
    *k = to_integer(df_multiply(angle, TWO_OVER_PI));
    uint64_t times = from_integer(*k);
    uint64_t rest = df_subtract(angle, df_multiply(times, HALF_PI_HIGH));
    return df_subtract(rest, df_multiply(times, HALF_PI_LOW));
}

/* The sum of a first term, that term times -r^2 / (n (n + 1)), and so on. */
PART uint64_t series(uint64_t term, uint64_t r, int32_t n)
{
    uint64_t square = df_multiply(r, r), sum = term;
    while ((term << 1 >> 53) + 60 > sum << 1 >> 53) {
        term = df_multiply(term, square) ^ DF_SIGN;
        term = df_divide(term, from_integer(n * (n + 1)));
        sum = df_add(sum, term);
        n += 2;
    }
    return sum;
}

/* The sine of the angle plus `quarters` right angles. */
PART uint64_t sine(uint64_t angle, int32_t quarters)
{
    int32_t k;
    uint64_t r = reduce(angle, &k);
    k += quarters;
    uint64_t s = k & 1 ? series(DF_ONE, r, 1) : r ? series(r, r, 2) : 0;
    return k & 2 ? s ^ DF_SIGN : s;
}

PART void known(void)
{
    static const struct {
        double angle, sine;
    } of[] = {
        {0.25, 0.2474039592545229295968},
        {0.5, 0.4794255386042030002732},
        {0.75, 0.6816387600233341667332},
        {1, 0.8414709848078965066525},
        {1.5, 0.9974949866040544309417},
        {2, 0.9092974268256816953960},
        {3, 0.1411200080598672221007},
        {3.140625, 0.0009676534387822794649},
        {5, -0.958924274663138468893},
        {10, -0.544021110889369813404},
        {-0.125, -0.124674733385227689957},
        {-7.5, -0.937999976774738857948},
        {100, -0.506365641109758793656},
        {1000, 0.8268795405320025602558},
        {-20000.0625, -0.631640340918863581382},
    };
    for (uint32_t i = 0; i < COUNT(of); i++) {
        uint64_t angle, expected;
        memcpy(&angle, &of[i].angle, sizeof angle);
        memcpy(&expected, &of[i].sine, sizeof expected);
        uint64_t got = sine(angle, 0), off = got > expected ? got - expected : expected - got;
        if (off > 1) /* units in the last place */
            workload_wrong("dfsin", "the sine of known angle", i);
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = workload_rounds(argc, argv, 25), sum = 0;
    uint64_t step = df_divide(from_integer(1), from_integer(7));
    known();
    for (uint32_t i = 0; i < rounds * N_ANGLES; i++) {
        uint64_t angle = df_multiply(from_integer((int32_t)(i * 5 % 8192)), step);
        uint64_t s = sine(angle, 0), c = sine(angle, 1);
        uint64_t one = df_add(df_multiply(s, s), df_multiply(c, c));
        if (one - DF_ONE + 8 > 16)
            workload_wrong("dfsin", "the squares of sine and cosine of angle", i);
        sum = workload_mix(workload_mix(sum, (uint32_t)s), (uint32_t)(s >> 32));
    }
    return workload_done("dfsin", sum);
}
/* SPDX-License-Identifier: MIT */
