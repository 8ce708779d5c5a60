/* SPDX-License-Identifier: MIT */
/* Invariance error: how well a profile captures the frequent tuples of each instruction. The error
 * measure is that of Sastry et al., "Rapid Profiling via Stratified Sampling", 2001.
 *
 * Of the exact profile, keep the instructions with at least `executions` executions; of their
 * tuples those with at least `share` of the instruction's executions; of these instructions those
 * of whose executions such tuples cover at least `covered`. With I(v) = n(v) / n(pc), the
 * invariance of a tuple in its profile (0 if the profile has no tuple of that pc),
 *
 *     e = sum over kept v of f(v) / f * |I_exact(v) - I_profile(v)|
 *
 * where f(v) is the exact count of v and f the sum of these counts.
 *
 * The paper removes rare tuples "from both profiles". Here the exact profile alone decides which
 * tuples are kept, and n(pc) of either profile includes all of its tuples, as in the paper's
 * formulas.
 *
 * The paper's profile consists of the messages. Here it is everything that a table drains,
 * including what an A holds and has not sent (compressor.c says why). The residue of counters
 * without a tuple belongs to no entry and does not count.
 *
 * Several profiles are compared with one exact profile, which is often much larger: it is prepared
 * once, and each comparison is one pass over the profile. */
#ifndef SL_INVARIANCE_H
#define SL_INVARIANCE_H

#include "profile_list.h"
#include "sluice.h"

struct sl_invariance_limits {
    uint64_t executions;   /* 1,000 in the paper */
    double share, covered; /* 0.10 and 0.40 in the paper; limits are inclusive */
};

#define SL_INVARIANCE_PAPER       \
    (struct sl_invariance_limits) \
    {                             \
        1000, 0.10, 0.40          \
    }

/* The kept tuples of an exact profile, sorted by tuple; zeroed before its first use. The caller
 * frees `kept`. */
struct sl_invariance_ideal {
    struct sl_invariance_kept {
        struct sl_tuple tuple;
        uint64_t count;    /* f(v) */
        double invariance; /* I_exact(v) */
    } * kept;
    size_t n, capacity;
    uint64_t weight; /* f */
};

/* Replaces the kept tuples by those of `exact`, which is sorted if necessary. Returns false if out
 * of memory, here or in the list; nothing is kept then. */
bool sl_invariance_prepare(struct sl_invariance_ideal *ideal, struct sl_profile_list *exact,
                           const struct sl_invariance_limits *limits);

struct sl_invariance {
    double error;
    uint64_t tuples; /* kept */
};

/* Computes the error of a profile, which is sorted if necessary. If nothing was kept, error and
 * `tuples` are 0. Returns false and a zeroed `out` if the list is incomplete for lack of memory. */
bool sl_invariance_measure(const struct sl_invariance_ideal *ideal, struct sl_profile_list *profile,
                           struct sl_invariance *out);

#endif
