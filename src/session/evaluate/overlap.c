/* SPDX-License-Identifier: MIT */
/* Measures of the agreement between a profile and the exact profile: overlap, coverage and relative
 * error.
 *
 * Overlap and coverage (Vaswani et al., "A Programmable Hardware Path Profiler", 2005, for tuples
 * of any kind):
 *
 *     overlap  = sum over tuples of min(e / E, p / P)
 *     coverage = sum over tuples of min(e, p) / E
 *
 * e and p are a tuple's counts in the exact and in the evaluated profile, E and P the sums of all
 * counts of each. Overlap is symmetric. It compares proportions: a table that lost most events can
 * still have the right proportions for the rest. Coverage says how much of the run is in the
 * counts. Both are between 0 and 1, and 1 for equal profiles. For an empty profile both measures
 * are 1 if the other profile is empty, too, and 0 otherwise.
 *
 * The paper's *complete* overlap is that of the profiles of a whole run, its *dynamic* overlap the
 * mean over windows of the run (100 M instructions in the paper), in each of which a table starts
 * empty. The mean is over complete windows with at least one event; an incomplete window counts
 * only if there is no complete one.
 *
 * Relative error, for a few tuples of which each one matters, for example machine events: the mean
 * over the tuples of the exact profile of |p - e| / e.
 *
 * A tuple has the count e of a total E in one profile and the count p of a total P in the other.
 * The proportions e / E and p / P are compared and added as integers, in units of 1 / (E P).
 * Therefore equal profiles have an overlap of exactly 1, and the result does not depend on the
 * order of the two profiles. */
#include "evaluated_table.h"

#include <math.h>

typedef unsigned __int128 wide;

bool sl_overlap(struct sl_profile_list *exact, struct sl_profile_list *profile,
                struct sl_overlap *out)
{
    *out = (struct sl_overlap){0};
    if (exact->out_of_memory || profile->out_of_memory)
        return false;
    sl_profile_list_sort(exact);
    sl_profile_list_sort(profile);
    uint64_t all_exact = exact->sum, all = profile->sum, covered = 0;
    wide shared = 0;
    for (struct sl_profile_pair p = {.a = exact, .b = profile}; sl_profile_pair_next(&p);) {
        wide of_exact = (wide)p.count_a * all, of_profile = (wide)p.count_b * all_exact;
        shared += of_exact < of_profile ? of_exact : of_profile;
        covered += p.count_a < p.count_b ? p.count_a : p.count_b;
    }
    bool nothing = !all_exact && !all;
    out->exact_weight = all_exact;
    out->overlap = shared ? (double)shared / (double)((wide)all_exact * all) : nothing;
    out->coverage = covered ? (double)covered / (double)all_exact : nothing;
    return true;
}

bool sl_overlaps_add(struct sl_overlaps *run, struct sl_profile_list *exact,
                     struct sl_profile_list *profile, bool partial)
{
    struct sl_overlap_mean *sum = partial ? &run->partial : &run->full;
    struct sl_overlap window;
    if (!sl_overlap(exact, profile, &window))
        return false;
    run->n++;
    if (window.exact_weight) {
        sum->overlap += window.overlap;
        sum->coverage += window.coverage;
        sum->windows++;
    }
    return true;
}

void sl_overlaps_mean(const struct sl_overlaps *run, struct sl_overlap_mean *mean)
{
    const struct sl_overlap_mean *sum = run->full.windows ? &run->full : &run->partial;
    double n = sum->windows ? (double)sum->windows : 1;
    *mean = (struct sl_overlap_mean){sum->overlap / n, sum->coverage / n, run->full.windows};
}

void sl_relative(struct sl_profile_list *exact, struct sl_profile_list *profile,
                 struct sl_relative *out)
{
    double sum = 0;
    sl_profile_list_sort(exact);
    sl_profile_list_sort(profile);
    for (struct sl_profile_pair p = {.a = exact, .b = profile}; sl_profile_pair_next(&p);)
        if (p.count_a)
            sum += fabs((double)p.count_b - (double)p.count_a) / (double)p.count_a;
    *out = (struct sl_relative){.error = exact->n ? sum / (double)exact->n : 0, .tuples = exact->n};
}
