/* SPDX-License-Identifier: MIT */
/* The stream compressors' document on made-up streams (its section 3.3, figure 4). One tuple
 * is 30 % of a shuffled stream of N elements, r = 10; how far from the truth is what the
 * messages say of it? A trial is one stream and one sampler; the document takes the mean of
 * |t - EST| / EST over 2,500 of them, t being how often the tuple came.
 *
 * The document does not say what the other 70 % are, nor how many substreams H has. Here
 * the others are all distinct, and H has 4: with these a hash leaves the tuple 63 % of its
 * substream, and theory puts the length for an error of 4 % at 4,400, near the document's
 * 4,600 (with 2 substreams at 6,500, with 8 at 2,700).
 *
 * Theory, for a tuple that comes t times, q its share of its substream. The mean of the
 * absolute value of a normal variable is 0.8 standard deviations, and the estimate has
 *
 *     R, H[R]              variance (r-1) t
 *     RD                   (r-1) t (1-q + q/3)
 *     P, H[P], CR by ratio (r-1) t (1-q)
 *     CR by sum            2 (r-1) t (1-q)
 *
 * The last line is where the document errs: it takes CR's estimate to be the sum of the
 * counts, and says that CR is as good as P. A gap of g elements is taken to be g times
 * the tuple at its end; the variance of that is g (g-1) q (1-q). For P g = r; for CR g
 * is geometric, the mean of g (g-1) is 2r (r-1), twice as much. Only the share of the
 * samples, which does not look at the gaps, is as good as P. */
#ifndef SAMPLING_TRIAL_H
#define SAMPLING_TRIAL_H

#include "sluice-study.h"

#define SAMPLING_RATE 10u
#define SAMPLING_SHARE 0.3

/* The tuple that it is all about. */
extern const struct sl_tuple sampling_tuple;

struct sampling_stream {
    uint32_t *number; /* the same for all: they differ by their values */
    uint64_t *value;
    size_t n, capacity;
    uint64_t random;
};

/* Room for streams of up to `room` elements; false when memory ran out. */
bool sampling_open(struct sampling_stream *stream, size_t capacity, uint64_t seed);
void sampling_close(struct sampling_stream *stream);

/* A new stream of n elements, of which `share`, rounded down, are the tuple. */
void sampling_shuffle(struct sampling_stream *stream, size_t n, double share);

/* Gives all of it to a table, which then finishes. */
void sampling_feed(const struct sampling_stream *stream, struct sl_table *table);

struct sampler_case {
    const char *notation;
    enum {
        SAMPLER_INDEPENDENT, /* R */
        SAMPLER_COUNTDOWN,   /* RD */
        SAMPLER_PERIODIC,    /* P */
        SAMPLER_COUNTED,     /* CR */
    } kind;
    unsigned streams; /* of H; 1 without */
};

/* H may have as many. */
#define SAMPLING_STREAMS 64u

/* What messages say: how often the tuple came, by the sum of its counts and by its share of
 * the samples of its substream; and how many elements there were. */
struct sampling_found {
    double sum, ratio, elements;
};

int sampling_try(const struct sampling_stream *stream, const char *notation, uint64_t seed,
                 struct sampling_found *found, struct sl_failure *f);

/* |t - EST| / EST. */
double sampling_error(double truth, double estimate);

/* The mean of it that theory expects for a stream of n elements. */
double sampling_theory(const struct sampler_case *sampler, bool by_ratio, size_t n);

#endif
