/* SPDX-License-Identifier: MIT */
/* Trials of sampling tables, which count only some of the events, on synthetic streams, and the
 * errors that theory predicts for these tables.
 *
 * Paper: Sastry, Bodik, Smith, "Rapid Profiling via Stratified Sampling", 2001, section 3.3 and
 * figure 4. One tuple makes up 30 % of a shuffled stream of N elements, and the samplers keep one
 * of r = 10 elements. A trial runs one sampler on one stream. EST is the sampler's estimate of t,
 * the number of times that the tuple occurs. The paper reports the mean of |t - EST| / EST over
 * 2,500 trials.
 *
 * Assumptions. The paper does not specify the other 70 % of the stream nor the number of substreams
 * of H. Here the other elements are all distinct, and H has 4 substreams. The tuple is then 63 % of
 * its substream, and theory predicts an error of 4 % at N = 4,400, close to the paper's 4,600. With
 * 2 substreams it would be 6,500, with 8 it would be 2,700.
 *
 * Theory. q is the tuple's fraction of its substream. The mean absolute value of a normal variable
 * is 0.8 standard deviations. The variances of the estimates are:
 *
 *     R, H[R]              (r-1) t
 *     RD                   (r-1) t (1-q + q/3)
 *     P, H[P], CR by ratio (r-1) t (1-q)
 *     CR by sum            2 (r-1) t (1-q)
 *
 * The last line is an error of the paper: it adds up the counts that CR sends and says that the sum
 * is as accurate as that of P. A gap of g elements is counted as g times the tuple at its end, with
 * the variance g (g-1) q (1-q). P has g = r. In CR, g is geometric and the mean of g (g-1) is
 * 2r (r-1), twice as large. Only the tuple's fraction of the samples, which does not depend on the
 * gaps, is as accurate as P ("CR by ratio"). */
#ifndef SAMPLING_TRIAL_H
#define SAMPLING_TRIAL_H

#include "sluice-study.h"

#define SAMPLING_RATE 10u
#define SAMPLING_SHARE 0.3 /* fraction of the stream that is the tuple */

/* The tuple whose occurrences are estimated. */
extern const struct sl_tuple sampling_tuple;

struct sampling_stream {
    uint32_t *tuple_id; /* all 0, since the elements differ only in their values */
    uint64_t *value;
    size_t n, capacity;
    uint64_t random;
};

/* Allocates a stream for up to `capacity` elements. Returns false if out of memory. */
bool sampling_open(struct sampling_stream *stream, size_t capacity, uint64_t seed);
void sampling_close(struct sampling_stream *stream);

/* Fills the stream with n elements in random order, of which floor(share * n) are the tuple. */
void sampling_shuffle(struct sampling_stream *stream, size_t n, double share);

/* Lets a table observe the whole stream and finishes it. */
void sampling_observe(const struct sampling_stream *stream, struct sl_table *table);

struct sampler_case {
    const char *notation;
    enum {
        SAMPLER_INDEPENDENT, /* R */
        SAMPLER_COUNTDOWN,   /* RD */
        SAMPLER_PERIODIC,    /* P */
        SAMPLER_COUNTED,     /* CR */
    } kind;
    unsigned streams; /* substreams of H; 1 without H */
};

/* Largest number of substreams that H may have here. */
#define SAMPLING_STREAMS 64u

/* Estimates from the messages of one trial: `sum` is the sum of the tuple's counts, `ratio` is its
 * fraction of the samples of its substream, times the elements of that substream. `elements` is the
 * estimated length of the whole stream. */
struct sampling_estimate {
    double sum, ratio, elements;
};

/* Runs one trial of the sampler `notation`. Returns 0, SL_ENOMEM, or an error of the notation. */
int sampling_trial_run(const struct sampling_stream *stream, const char *notation, uint64_t seed,
                       struct sampling_estimate *estimate, struct sl_failure *f);

/* Returns |t - EST| / EST. */
double sampling_error(double truth, double estimate);

/* Returns the mean of sampling_error() that theory predicts for a stream of n elements. */
double sampling_theory(const struct sampler_case *sampler, bool by_ratio, size_t n);

#endif
