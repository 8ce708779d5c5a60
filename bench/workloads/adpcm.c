/* Workload: an adaptive differential PCM speech codec, which encodes each 16-bit sample in 4 bits.
 * The codec has the same structure as ITU-T G.726, but a different bit stream.
 *
 *     sample ─►(-)─► quantize ─┬─► code            the decoder consists of the parts below the
 *               ▲              ▼                   code; the encoder contains the same parts
 *               │         dequantize
 *               │              ▼
 *               │   ┌─────────(+)─► reconstructed
 *               │   │          ▲         │
 *               └───┼──────────┤         │
 *                   ▼      prediction    ▼
 *             6 zeros, of differences;  2 poles, of samples
 *
 * The codes adapt the step size and the predictor's coefficients. The program checks that the
 * decoder reconstructs exactly the encoder's signal, and that both are near the speech, which
 * is pulses and noise through two resonators. */
#include "workload.h"

#define N_ZEROS 6u
#define N_SAMPLES 2000u
#define STEP_MIN 16
#define STEP_MAX 16384

struct codec {
    int32_t step;
    int32_t zero[N_ZEROS], difference[N_ZEROS]; /* coefficients in 1/16384, the latest first */
    int32_t pole[2], sample[2];
};

static int32_t limit(int32_t x, int32_t least, int32_t most)
{
    return x < least ? least : x > most ? most : x;
}

static int32_t sign(int32_t x)
{
    return (x > 0) - (x < 0);
}

PART int32_t predict_zeros(const struct codec *c)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < N_ZEROS; i++)
        sum += c->zero[i] * c->difference[i] / 16384;
    return sum;
}

PART int32_t predict_poles(const struct codec *c)
{
    return c->pole[0] * c->sample[0] / 16384 + c->pole[1] * c->sample[1] / 16384;
}

PART int32_t predict(const struct codec *c)
{
    return limit(predict_zeros(c) + predict_poles(c), -32768, 32767);
}

/* The sign, and in three bits the number of quarters of a step. */
PART uint8_t quantize(int32_t difference, int32_t step)
{
    int32_t magnitude = difference < 0 ? -difference : difference;
    int32_t quarters = limit(4 * magnitude / step, 0, 7);
    return (uint8_t)(quarters | (difference < 0) << 3);
}

PART int32_t dequantize(uint8_t code, int32_t step)
{
    int32_t magnitude = (2 * (code & 7) + 1) * step / 8;
    return code & 8 ? -magnitude : magnitude;
}

/* The step size grows after large codes and shrinks after small ones. */
PART void adapt_step(struct codec *c, uint8_t code)
{
    static const int32_t factor[8] = {58, 58, 58, 58, 77, 102, 128, 154}; /* in 1/64 */
    c->step = limit(c->step * factor[code & 7] / 64, STEP_MIN, STEP_MAX);
}

/* Coefficients leak, and move up or down by signs alone. */
PART void adapt_zeros(struct codec *c, int32_t difference)
{
    for (uint32_t i = 0; i < N_ZEROS; i++)
        c->zero[i] += 64 * sign(difference) * sign(c->difference[i]) - c->zero[i] / 256;
    for (uint32_t i = N_ZEROS; --i > 0;)
        c->difference[i] = c->difference[i - 1];
    c->difference[0] = difference;
}

/* Keeps the coefficients within bounds in which the filter is stable. */
PART void adapt_poles(struct codec *c, int32_t difference, int32_t reconstructed)
{
    int32_t way = sign(difference);
    c->pole[1] += 128 * way * sign(c->sample[1]) - c->pole[1] / 128;
    c->pole[1] = limit(c->pole[1], -12288, 12288);
    c->pole[0] += 192 * way * sign(c->sample[0]) - c->pole[0] / 256;
    c->pole[0] = limit(c->pole[0], -15360 + c->pole[1], 15360 - c->pole[1]);
    c->sample[1] = c->sample[0];
    c->sample[0] = reconstructed;
}

/* The part that encoder and decoder have in common. */
PART int32_t reconstruct(struct codec *c, uint8_t code, int32_t prediction)
{
    int32_t difference = dequantize(code, c->step);
    int32_t reconstructed = limit(prediction + difference, -32768, 32767);
    adapt_step(c, code);
    adapt_zeros(c, difference);
    adapt_poles(c, difference, reconstructed);
    return reconstructed;
}

PART uint8_t encode(struct codec *c, int32_t sample, int32_t *reconstructed)
{
    int32_t prediction = predict(c);
    uint8_t code = quantize(sample - prediction, c->step);
    *reconstructed = reconstruct(c, code, prediction);
    return code;
}

PART int32_t decode(struct codec *c, uint8_t code)
{
    return reconstruct(c, code, predict(c));
}

/* Pulses of twenty samples, and some noise, through resonances
 * at a twelfth and a fifth of the sampling rate. */
PART void speak(int32_t *speech, uint32_t n, uint32_t *seed)
{
    int32_t a[2] = {0, 0}, b[2] = {0, 0}, pitch = 80;
    for (uint32_t i = 0, next = 0; i < n; i++) {
        int32_t source = (int32_t)(workload_random(seed) >> 26) - 32;
        if (i == next) {
            pitch = limit(pitch + (int32_t)(workload_random(seed) % 9) - 4, 50, 120);
            next = i + (uint32_t)pitch;
        }
        int32_t to_go = (int32_t)(next - i);
        source += to_go < 20 ? (to_go < 10 ? to_go : 20 - to_go) * 60 : 0;
        int32_t low = source + (27245 * a[0] - 15056 * a[1]) / 16384;
        int32_t high = source / 2 + (9720 * b[0] - 14746 * b[1]) / 16384;
        a[1] = a[0];
        a[0] = low;
        b[1] = b[0];
        b[0] = high;
        speech[i] = limit(low + high, -32768, 32767);
    }
}

PART void check(const int32_t *speech, const int32_t *heard, uint32_t n)
{
    uint64_t signal = 0, noise = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t off = heard[i] - speech[i];
        signal += (uint64_t)((int64_t)speech[i] * speech[i]);
        noise += (uint64_t)(off * off);
    }
    if (signal < 100 * noise) /* 20 dB */
        workload_wrong("adpcm", "signal to noise, as a ratio", (uint32_t)(signal / (noise + 1)));
}

int main(int argc, char **argv)
{
    static int32_t speech[N_SAMPLES], sent[N_SAMPLES], heard[N_SAMPLES];
    static uint8_t code[N_SAMPLES];
    static struct codec encoder = {.step = STEP_MIN}, decoder = {.step = STEP_MIN};
    uint32_t rounds = workload_rounds(argc, argv, 5), seed = 8, sum = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        speak(speech, N_SAMPLES, &seed);
        for (uint32_t i = 0; i < N_SAMPLES; i++)
            code[i] = encode(&encoder, speech[i], &sent[i]);
        for (uint32_t i = 0; i < N_SAMPLES; i++) {
            heard[i] = decode(&decoder, code[i]);
            sum = workload_mix(sum, (uint32_t)heard[i]);
            if (heard[i] != sent[i])
                workload_wrong("adpcm", "the decoder has not what the encoder has at", i);
        }
        check(speech, heard, N_SAMPLES);
    }
    return workload_done("adpcm", sum);
}
/* SPDX-License-Identifier: MIT */
