/* SPDX-License-Identifier: MIT */
/* How well a profile knows which of an instruction's tuples are frequent: the
 * error measure of the stream compressors' document.
 *
 * Of the exact profile, keep the instructions that execute at least `executions`
 * times; of their tuples those with at least `share` of the instruction's
 * executions; of these instructions those of which at least `covered` of the
 * executions are such tuples. With I(v) = n(v) / n(pc), the invariance of a tuple
 * in its profile (0 where the profile has nothing of that pc),
 *
 *     e = sum over kept v of f(v) / f * |I_exact(v) - I_profile(v)|
 *
 * where f(v) is the exact count of v and f the sum of them.
 *
 * The document removes what is rare "from both profiles"; which tuples are kept is
 * decided by the exact one alone, and n(pc) of either profile is of all its tuples,
 * as the formulas have it: a profiler that is wrong about what is rare is wrong.
 *
 * Its profile is what the messages say. Here it is all that a table drains, and so also
 * what an A holds and has not sent (compressor.c says why); the residue of counters that
 * have no tuple is of no entry and does not count.
 *
 * Several profiles are judged against one exact profile, which is often much
 * larger than they are: it is prepared once, and judging costs a walk along the profile. */
#ifndef SL_INVARIANCE_H
#define SL_INVARIANCE_H

#include "profile_list.h"
#include "sluice.h"

struct sl_invariance_limits {
    uint64_t executions;   /* 1,000 in the document */
    double share, covered; /* 0.10 and 0.40; a tuple or instruction just there is kept */
};

#define SL_INVARIANCE_DOCUMENT    \
    (struct sl_invariance_limits) \
    {                             \
        1000, 0.10, 0.40          \
    }

/* What is kept of an exact profile, sorted by tuple; all zero before its first use. */
struct sl_invariance_ideal {
    struct sl_invariance_kept {
        struct sl_tuple tuple;
        uint64_t count;    /* f(v) */
        double invariance; /* I_exact(v) */
    } * kept;
    size_t n, room;
    uint64_t instructions; /* with at least one kept tuple */
    uint64_t weight;       /* f */
};

/* Sorts the list unless it is sorted; what the ideal held before is replaced, its
 * memory used again. Out of memory, here or in the list: false, the ideal is empty. */
bool sl_invariance_prepare(struct sl_invariance_ideal *ideal, struct sl_profile_list *exact,
                           const struct sl_invariance_limits *limits);
void sl_invariance_ideal_free(struct sl_invariance_ideal *ideal);

struct sl_invariance {
    double error;
    uint64_t tuples, instructions; /* kept */
    uint64_t weight;               /* f */
};

/* Sorts the list unless it is sorted. With nothing kept the error is 0 and `tuples`
 * is 0. Allocates nothing; a list that ran out of memory itself: false, `out` is all zero. */
bool sl_invariance_judge(const struct sl_invariance_ideal *ideal, struct sl_profile_list *profile,
                         struct sl_invariance *out);

#endif
