/* Workload: the short-term part of the GSM full-rate speech codec (ETSI GSM 06.10, sections 4.2.4
 * to 4.2.10 and 4.3.4). For each frame of 160 samples, the encoder computes the autocorrelation,
 * the reflection coefficients by Schur's recursion, and the log-area ratios, which are coded in 36
 * bits. A lattice filter then computes the residual, and the decoder's filter turns the residual
 * back into speech. The arithmetic uses saturating 16-bit words, as in the standard.
 *
 * (Without the interpolation between frames, and without the long-term part.) The program
 * checks the coefficients against Levinson's recursion in floating point, that the residual
 * is much smaller than the speech, and that the decoded speech is nearly the input. */
#include "workload.h"

#define N 160
#define ORDER 8

static int32_t saturate(int32_t x)
{
    return x < -32768 ? -32768 : x > 32767 ? 32767 : x;
}

static int32_t magnitude(int32_t x)
{
    return saturate(x < 0 ? -x : x);
}

/* Product of two fractions, rounded. */
static int32_t product(int32_t a, int32_t b)
{
    return saturate((a * b + 16384) >> 15);
}

/* Left shifts for which a positive number still fits into 31 bits. */
static int32_t norm(int32_t x)
{
    int32_t n = 0;
    for (; x < 1 << 30; x *= 2)
        n++;
    return n;
}

/* The fraction a / b, 0 <= a <= b, to 15 bits. */
PART int32_t quotient(int32_t a, int32_t b)
{
    int32_t result = 0;
    for (int32_t i = 0; i < 15; i++) {
        a *= 2;
        result *= 2;
        if (a >= b) {
            a -= b;
            result++;
        }
    }
    return result;
}

PART void autocorrelation(const int32_t *speech, int32_t *acf)
{
    int32_t scaled[N], greatest = 1;
    for (int32_t i = 0; i < N; i++)
        if (magnitude(speech[i]) > greatest)
            greatest = magnitude(speech[i]);
    int32_t scale = 4 - (norm(greatest) - 16); /* so that 160 squares fit */
    for (int32_t i = 0; i < N; i++)
        scaled[i] = scale > 0 ? product(speech[i], 16384 >> (scale - 1)) : speech[i];
    for (int32_t k = 0; k <= ORDER; k++) {
        acf[k] = 0;
        for (int32_t i = k; i < N; i++)
            acf[k] += scaled[i] * scaled[i - k];
        acf[k] *= 2;
    }
}

PART void reflection(const int32_t *acf, int32_t *r)
{
    int32_t p[ORDER + 1], k[ORDER + 1];
    memset(r, 0, ORDER * sizeof *r);
    if (!acf[0])
        return;
    int32_t shift = norm(acf[0]);
    for (int32_t i = 0; i <= ORDER; i++)
        p[i] = k[i] = acf[i] * (1 << shift) >> 16;
    for (int32_t n = 0; n < ORDER; n++) {
        if (p[0] < magnitude(p[1]))
            return;
        int32_t q = saturate(quotient(magnitude(p[1]), p[0]));
        r[n] = p[1] > 0 ? -q : q;
        p[0] = saturate(p[0] + product(p[1], r[n]));
        for (int32_t m = 1; m < ORDER - n; m++) {
            int32_t next = p[m + 1];
            p[m] = saturate(next + product(k[m], r[n]));
            k[m] = saturate(k[m] + product(next, r[n]));
        }
    }
}

/* The tables of section 4.2.6 and 4.2.8. */
static const int32_t table_a[ORDER] = {20480, 20480, 20480, 20480, 13964, 15360, 8534, 9036};
static const int32_t table_b[ORDER] = {0, 0, 2048, -2560, 94, -1792, -341, -1144};
static const int32_t inverse_a[ORDER] = {13107, 13107, 13107, 13107, 19223, 17476, 31454, 29708};
static const int32_t least[ORDER] = {-32, -32, -16, -16, -8, -8, -4, -4};

/* The logarithm of areas is approximated by three straight lines. */
PART void code_ratios(const int32_t *r, uint8_t *code)
{
    for (int32_t i = 0; i < ORDER; i++) {
        int32_t x = magnitude(r[i]);
        x = x < 22118 ? x >> 1 : x < 31130 ? x - 11059 : (x - 26112) * 4;
        x = r[i] < 0 ? -x : x;
        x = (saturate((table_a[i] * x >> 15) + table_b[i] + 256) >> 9);
        x = x < least[i] ? least[i] : x > -least[i] - 1 ? -least[i] - 1 : x;
        code[i] = (uint8_t)(x - least[i]);
    }
}

PART void decode_ratios(const uint8_t *code, int32_t *r)
{
    for (int32_t i = 0; i < ORDER; i++) {
        int32_t x = saturate((code[i] + least[i]) * 1024 - table_b[i] * 2);
        x = saturate(2 * product(inverse_a[i], x));
        int32_t y = magnitude(x);
        y = y < 11059 ? y * 2 : y < 20070 ? y + 11059 : saturate((y >> 2) + 26112);
        r[i] = x < 0 ? -y : y;
    }
}

/* The residual: what the coefficients do not predict. `u` is the filter's state. */
PART void analyse(const int32_t *r, int32_t *u, const int32_t *speech, int32_t *residual)
{
    for (int32_t n = 0; n < N; n++) {
        int32_t forward = speech[n], delayed = speech[n];
        for (int32_t i = 0; i < ORDER; i++) {
            int32_t before = u[i];
            u[i] = delayed;
            delayed = saturate(before + product(r[i], forward));
            forward = saturate(forward + product(r[i], before));
        }
        residual[n] = forward;
    }
}

PART void synthesize(const int32_t *r, int32_t *v, const int32_t *residual, int32_t *speech)
{
    for (int32_t n = 0; n < N; n++) {
        int32_t s = residual[n];
        for (int32_t i = ORDER - 1; i >= 0; i--) {
            s = saturate(s - product(r[i], v[i]));
            v[i + 1] = saturate(v[i] + product(r[i], s));
        }
        v[0] = s;
        speech[n] = s;
    }
}

/* Pulses and noise through a resonance that changes over time. */
PART void speak(int32_t *speech, uint32_t *seed)
{
    static int32_t a, b, wander = 20000;
    wander = 20000 + (wander + (int32_t)(workload_random(seed) % 2001) - 1000 - 20000) * 7 / 8;
    for (int32_t i = 0; i < N; i++) {
        int32_t source = (int32_t)(workload_random(seed) >> 23) - 256 + (i % 53 < 4 ? 2500 : 0);
        int32_t next = source + (wander * a - 13000 * b) / 16384;
        b = a;
        a = next;
        speech[i] = saturate(next);
    }
}

/* Levinson's recursion on the unscaled autocorrelation. */
PART void check_reflection(const int32_t *speech, const int32_t *r)
{
    double acf[ORDER + 1] = {0}, a[ORDER + 1] = {1}, error;
    for (int32_t k = 0; k <= ORDER; k++)
        for (int32_t i = k; i < N; i++)
            acf[k] += (double)speech[i] * speech[i - k];
    error = acf[0];
    for (int32_t m = 1; m <= ORDER; m++) {
        double sum = 0, before[ORDER + 1];
        for (int32_t i = 0; i < m; i++)
            sum += a[i] * acf[m - i];
        double k = -sum / error, off = k - r[m - 1] / 32768.0;
        if (off > 0.02 || off < -0.02)
            workload_wrong("gsm", "reflection coefficient", (uint32_t)m);
        memcpy(before, a, sizeof a);
        for (int32_t i = 1; i <= m; i++)
            a[i] = before[i] + k * (i < m ? before[m - i] : 1);
        error *= 1 - k * k;
    }
}

static uint64_t energy(const int32_t *x, const int32_t *less)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < N; i++)
        sum += (uint64_t)((int64_t)(x[i] - less[i]) * (x[i] - less[i]));
    return sum;
}

int main(int argc, char **argv)
{
    static int32_t u[ORDER], v[ORDER + 1], silence[N];
    static int32_t speech[N], residual[N], heard[N];
    uint32_t rounds = workload_rounds(argc, argv, 100), seed = 11, sum = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        int32_t acf[ORDER + 1], r[ORDER];
        uint8_t code[ORDER];
        speak(speech, &seed);
        autocorrelation(speech, acf);
        reflection(acf, r);
        check_reflection(speech, r);
        code_ratios(r, code);
        decode_ratios(code, r);
        analyse(r, u, speech, residual);
        synthesize(r, v, residual, heard);
        if (energy(residual, silence) * 4 > energy(speech, silence))
            workload_wrong("gsm", "the residual of frame", round);
        if (energy(heard, speech) * 10000 > energy(speech, silence)) /* 40 dB */
            workload_wrong("gsm", "the speech of frame", round);
        for (int32_t i = 0; i < ORDER; i++)
            sum = workload_mix(sum, code[i]);
        sum = workload_mix(sum, (uint32_t)heard[N - 1]);
    }
    return workload_done("gsm", sum);
}
/* SPDX-License-Identifier: MIT */
