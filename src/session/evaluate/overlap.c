/* SPDX-License-Identifier: MIT */
/* Computes overlap, coverage and relative error of two profiles (overlap.h). A tuple has the count
 * e of a total E in one profile and the count p of a total P in the other. The proportions e / E
 * and p / P are compared and added as integers, in units of 1 / (E P). Therefore equal profiles
 * have an overlap of exactly 1, and the result does not depend on the order of the two profiles. */
#include "overlap.h"

#include <math.h>
#include <stdlib.h>

#include "grow.h"

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
    /* The exact profile is the longer list, by far if the table is small. */
    for (size_t i = 0, from = 0; i < profile->n; i++) {
        uint64_t here = profile->entry[i].count;
        uint64_t there = sl_profile_list_count(exact, profile->entry[i].tuple, &from);
        wide of_exact = (wide)there * all, of_profile = (wide)here * all_exact;
        shared += of_exact < of_profile ? of_exact : of_profile;
        covered += there < here ? there : here;
        out->common += there > 0;
    }
    bool nothing = !all_exact && !all;
    out->exact_weight = all_exact;
    out->weight = all;
    out->overlap = shared ? (double)shared / (double)((wide)all_exact * all) : nothing;
    out->coverage = covered ? (double)covered / (double)all_exact : nothing;
    return true;
}

bool sl_overlaps_add(struct sl_overlaps *run, struct sl_profile_list *exact,
                     struct sl_profile_list *profile, bool partial)
{
    struct sl_overlap_window window = {.partial = partial};
    if (!sl_overlap(exact, profile, &window.overlap) ||
        !SL_GROW(run->window, run->capacity, run->n + 1))
        return false;
    run->window[run->n++] = window;
    return true;
}

/* Adds up the full or the partial windows with events; returns their number. */
static uint64_t add_up(const struct sl_overlaps *run, bool partial, struct sl_overlap_mean *mean)
{
    uint64_t counted = 0;
    for (size_t i = 0; i < run->n; i++) {
        const struct sl_overlap_window *w = &run->window[i];
        if (w->partial != partial || !w->overlap.exact_weight)
            continue;
        mean->overlap += w->overlap.overlap;
        mean->coverage += w->overlap.coverage;
        counted++;
    }
    return counted;
}

void sl_overlaps_mean(const struct sl_overlaps *run, struct sl_overlap_mean *mean)
{
    *mean = (struct sl_overlap_mean){0};
    for (size_t i = 0; i < run->n; i++) {
        mean->partial += run->window[i].partial;
        mean->full += !run->window[i].partial;
    }
    uint64_t counted = add_up(run, false, mean);
    mean->empty = mean->full - counted;
    if (!counted)
        counted = add_up(run, true, mean);
    mean->overlap /= counted ? (double)counted : 1;
    mean->coverage /= counted ? (double)counted : 1;
}

void sl_overlaps_free(struct sl_overlaps *run)
{
    free(run->window);
    *run = (struct sl_overlaps){0};
}

void sl_relative(struct sl_profile_list *exact, struct sl_profile_list *profile,
                 struct sl_relative *out)
{
    size_t at = 0;
    double sum = 0;
    sl_profile_list_sort(exact);
    sl_profile_list_sort(profile);
    for (size_t i = 0; i < exact->n; i++) {
        const struct sl_counted *e = &exact->entry[i];
        while (at < profile->n && sl_tuple_order(profile->entry[at].tuple, e->tuple) < 0)
            at++;
        bool there = at < profile->n && !sl_tuple_order(profile->entry[at].tuple, e->tuple);
        double count = there ? (double)profile->entry[at].count : 0;
        sum += fabs(count - (double)e->count) / (double)e->count;
    }
    *out = (struct sl_relative){.error = exact->n ? sum / (double)exact->n : 0, .tuples = exact->n};
}
