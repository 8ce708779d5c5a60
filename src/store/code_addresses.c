/* SPDX-License-Identifier: MIT */
/* Collects the code addresses whose names and source lines a database contains: addresses in
 * tuples, and the blocks on stored paths (database.h). The list is sorted and without duplicates.
 */
#include <stdlib.h>

#include "database.h"
#include "grow.h"
#include "hash.h"
#include "path_walk.h"

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_unique(struct sl_code_addresses *addresses)
{
    uint64_t *at = addresses->at;
    size_t n = 0;
    qsort(at, addresses->n, sizeof *at, by_value);
    for (size_t i = 0; i < addresses->n; i++)
        if (!n || at[n - 1] != at[i])
            at[n++] = at[i];
    addresses->n = n;
}

/* Adds an address unless it was added recently. */
static void add_address(struct sl_code_addresses *addresses, uint64_t address)
{
    uint64_t *recent = &addresses->recent[sl_mix(address) % SL_CODE_RECENT];
    if (*recent == address && address) /* an empty slot has 0 */
        return;
    addresses->at[addresses->n++] = *recent = address;
}

/* Adds the fields of a tuple that are code addresses or, if `events`, the set of machine events. */
static void add_tuple(struct sl_code_addresses *addresses, const struct sl_detector_kind *detector,
                      const struct sl_tuple *tuple, bool seconds, bool events)
{
    if ((detector->first == SL_FIELD_EVENTS) == events)
        add_address(addresses, tuple->pc);
    if (seconds && sl_field_is_address(&detector->second))
        add_address(addresses, tuple->value);
}

/* Returns the i-th tuple of a profile's hot subpaths and phases, and sets *of to the profile that
 * it belongs to. */
static const struct sl_tuple *listed_tuple(const struct sl_result_profile *profile, size_t i,
                                           const struct sl_result_profile **of)
{
    const struct sl_result_sequence *s = profile->sequence;
    size_t of_sequence = s ? s->n_symbols : 0;
    if (i >= of_sequence) {
        const struct sl_result_phase_path *path = &profile->phase_path[i - of_sequence];
        *of = profile + path->member;
        return &path->is.tuple;
    }
    *of = profile + (s->member ? s->member[s->symbol[i]] : 0);
    return &s->all.tuple[s->symbol[i]];
}

/* Number of tuples in a profile's hot subpaths and phases. */
static size_t n_listed(const struct sl_result_profile *profile)
{
    return (profile->sequence ? profile->sequence->n_symbols : 0) + profile->n_phase_paths;
}

/* ---- blocks on paths ---- */

static const struct sl_path_config *path_config(const struct sl_result_profile *profile)
{
    return profile->asked && profile->asked->second.type == SL_FIELD_OUTCOMES ? profile->config
                                                                              : NULL;
}

static void walk_paths(const struct sl_path_walker *walker, const struct sl_result_profile *profile)
{
    const struct sl_path_config *config = path_config(profile);
    struct sl_path_walk walk;
    const struct sl_result_profile *of;
    for (size_t e = 0; config && e < profile->n_entries; e++)
        sl_path_walk(walker, config, profile->entry[e].tuple.pc, profile->entry[e].tuple.value,
                     &walk);
    for (size_t i = 0; i < n_listed(profile); i++) {
        const struct sl_tuple *tuple = listed_tuple(profile, i, &of);
        if ((config = path_config(of)))
            sl_path_walk(walker, config, tuple->pc, tuple->value, &walk);
    }
}

/* Adds the first address and the branch of each visited block. */
static bool add_seen(struct sl_code_addresses *on_paths, const struct sl_path_walker *walker)
{
    const struct sl_code *code = walker->code;
    for (size_t b = 0; b < code->n_blocks; b++) {
        if (!walker->seen[b])
            continue;
        if (!SL_GROW(on_paths->at, on_paths->capacity, on_paths->n + 2))
            return false;
        on_paths->at[on_paths->n++] = code->statics->block[b].pc;
        if (code->end[b].branch_insn != SL_NO_INDEX)
            on_paths->at[on_paths->n++] = code->end[b].branch_pc;
    }
    return true;
}

bool sl_code_addresses_on_paths(struct sl_code_addresses *on_paths,
                                const struct sl_results *results)
{
    struct sl_failure f;
    struct sl_path_walker walker;
    bool needed = false;
    for (size_t i = 0; i < results->n_profiles; i++)
        needed |= path_config(&results->profile[i]) != NULL;
    if (!needed)
        return true;
    bool good = !sl_path_walker_init(&walker, results->code, &f);
    walker.seen = calloc(results->code->n_blocks + 1, sizeof *walker.seen);
    good = good && walker.seen;
    for (size_t i = 0; i < results->n_profiles && good; i++)
        walk_paths(&walker, &results->profile[i]);
    good = good && add_seen(on_paths, &walker);
    free(walker.seen);
    sl_path_walker_free(&walker);
    return good;
}

/* ---- all addresses ---- */

bool sl_code_addresses_collect(struct sl_code_addresses *addresses,
                               const struct sl_results *results,
                               const struct sl_code_addresses *on_paths, bool seconds, bool events)
{
    size_t most = on_paths->n + 1;
    for (size_t i = 0; i < results->n_profiles; i++)
        most += 2 * (results->profile[i].n_entries + results->profile[i].n_candidates +
                     n_listed(&results->profile[i]));
    *addresses = (struct sl_code_addresses){.at = malloc(most * sizeof *addresses->at)};
    if (!addresses->at)
        return false;
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i], *of;
        for (size_t e = 0; e < profile->n_entries; e++)
            add_tuple(addresses, profile->detector, &profile->entry[e].tuple, seconds, events);
        for (size_t c = 0; c < profile->n_candidates; c++)
            add_tuple(addresses, profile->detector, &profile->candidate[c].entry.tuple, seconds,
                      events);
        for (size_t s = 0; s < n_listed(profile); s++) {
            const struct sl_tuple *tuple = listed_tuple(profile, s, &of);
            add_tuple(addresses, of->detector, tuple, seconds, events);
        }
    }
    for (size_t i = 0; i < on_paths->n; i++)
        addresses->at[addresses->n++] = on_paths->at[i];
    sort_unique(addresses);
    return true;
}
