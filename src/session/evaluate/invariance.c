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
 * once, and each comparison is one pass over the profile.
 *
 * The profile and the exact profile are sorted by tuple and compared in one pass. */
#include "evaluated_table.h"

#include <math.h>

#include "grow.h"

/* Fractions are compared rather than products: count / of and a written limit are both rounded
 * once, so that 100 of 1,000 equals 0.1 to the bit, while 0.1 * 1,000 need not be 100. */
static double part(uint64_t count, uint64_t of)
{
    return of ? (double)count / (double)of : 0;
}

/* The end of the tuples with the pc of the one at `from`, and the sum of their counts. */
static size_t instruction_end(const struct sl_profile_list *list, size_t from, uint64_t *executions)
{
    size_t end = from;
    *executions = 0;
    for (; end < list->n && list->entry[end].tuple.pc == list->entry[from].tuple.pc; end++)
        *executions += list->entry[end].count;
    return end;
}

/* Adds the frequent tuples of one instruction, whose n tuples are at `entry`. */
static bool add_frequent(struct sl_invariance_ideal *ideal, const struct sl_counted *entry,
                         size_t n, uint64_t executions, const struct sl_invariance_limits *limits)
{
    size_t before = ideal->n;
    uint64_t covered = 0;
    for (size_t i = 0; i < n; i++) {
        double invariance = part(entry[i].count, executions);
        if (invariance < limits->share)
            continue;
        if (!SL_GROW(ideal->kept, ideal->capacity, ideal->n + 1))
            return false;
        ideal->kept[ideal->n++] = (struct sl_invariance_kept){entry[i].tuple, entry[i].count,
                                                              invariance};
        covered += entry[i].count;
    }
    if (part(covered, executions) < limits->covered)
        ideal->n = before;
    else
        ideal->weight += covered;
    return true;
}

bool sl_invariance_prepare(struct sl_invariance_ideal *ideal, struct sl_profile_list *exact,
                           const struct sl_invariance_limits *limits)
{
    ideal->n = 0;
    ideal->weight = 0;
    if (exact->out_of_memory)
        return false;
    sl_profile_list_sort(exact);
    for (size_t at = 0, end; at < exact->n; at = end) {
        uint64_t executions;
        end = instruction_end(exact, at, &executions);
        if (executions >= limits->executions &&
            !add_frequent(ideal, exact->entry + at, end - at, executions, limits)) {
            ideal->n = 0;
            return false;
        }
    }
    return true;
}

bool sl_invariance_measure(const struct sl_invariance_ideal *ideal, struct sl_profile_list *profile,
                           struct sl_invariance *out)
{
    const struct sl_invariance_kept *kept = ideal->kept;
    double sum = 0;
    *out = (struct sl_invariance){0};
    if (profile->out_of_memory)
        return false;
    sl_profile_list_sort(profile);
    const struct sl_counted *entry = profile->entry;
    for (size_t i = 0, at = 0, end; i < ideal->n; at = end) {
        uint64_t pc = kept[i].tuple.pc, executions = 0;
        while (at < profile->n && entry[at].tuple.pc < pc)
            at++;
        end = at;
        if (at < profile->n && entry[at].tuple.pc == pc)
            end = instruction_end(profile, at, &executions);
        for (; i < ideal->n && kept[i].tuple.pc == pc; i++) {
            while (at < end && entry[at].tuple.value < kept[i].tuple.value)
                at++;
            bool found = at < end && entry[at].tuple.value == kept[i].tuple.value;
            double invariance = found ? part(entry[at].count, executions) : 0;
            sum += (double)kept[i].count * fabs(kept[i].invariance - invariance);
        }
    }
    *out = (struct sl_invariance){ideal->weight ? sum / (double)ideal->weight : 0, ideal->n};
    return true;
}
