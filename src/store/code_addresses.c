/* SPDX-License-Identifier: MIT */
/* Collects the code addresses whose names and lines a database needs: those in tuples, and the
 * blocks along stored paths (database.h). Addresses are sorted, and duplicates are removed. */
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

static void sort_out(struct sl_code_addresses *addresses)
{
    uint64_t *at = addresses->at;
    size_t kept = 0;
    qsort(at, addresses->n, sizeof *at, by_value);
    for (size_t i = 0; i < addresses->n; i++)
        if (!kept || at[kept - 1] != at[i])
            at[kept++] = at[i];
    addresses->n = kept;
}

static void put(struct sl_code_addresses *addresses, uint64_t address)
{
    uint64_t *recent = &addresses->recent[sl_mix(address) % SL_CODE_RECENT];
    if (*recent == address && address) /* an empty slot has 0 */
        return;
    addresses->at[addresses->n++] = *recent = address;
}

/* Adds the fields of a tuple that are code addresses or, if `events`, the set of machine events. */
static void add(struct sl_code_addresses *addresses, const struct sl_detector_kind *detector,
                const struct sl_tuple *tuple, bool seconds, bool events)
{
    if ((detector->first == SL_FIELD_EVENTS) == events)
        put(addresses, tuple->pc);
    if (seconds && sl_field_is_place(&detector->second))
        put(addresses, tuple->value);
}

/* The i-th tuple of a profile's hot subpaths and phases, and the profile that it belongs to. */
static const struct sl_tuple *told(const struct sl_result_profile *profile, size_t i,
                                   const struct sl_result_profile **of)
{
    const struct sl_result_sequence *s = profile->sequence;
    size_t of_sequence = s ? s->n_told : 0;
    if (i >= of_sequence) {
        const struct sl_result_phase_path *path = &profile->phase_path[i - of_sequence];
        *of = profile + path->member;
        return &path->is.tuple;
    }
    *of = profile + (s->member ? s->member[s->told[i]] : 0);
    return &s->all.tuple[s->told[i]];
}

static size_t n_told(const struct sl_result_profile *profile)
{
    return (profile->sequence ? profile->sequence->n_told : 0) + profile->n_phase_paths;
}

/* ---- blocks on paths ---- */

static const struct sl_path_config *path_config(const struct sl_result_profile *profile)
{
    return profile->asked && profile->asked->second.reads == SL_FIELD_OUTCOMES ? profile->config
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
    for (size_t i = 0; i < n_told(profile); i++) {
        const struct sl_tuple *tuple = told(profile, i, &of);
        if ((config = path_config(of)))
            sl_path_walk(walker, config, tuple->pc, tuple->value, &walk);
    }
}

/* Adds the first address and the branch of each visited block. */
static bool add_seen(struct sl_code_addresses *along, const struct sl_path_walker *walker)
{
    const struct sl_code *code = walker->code;
    for (size_t b = 0; b < code->n_blocks; b++) {
        if (!walker->seen[b])
            continue;
        if (!SL_GROW(along->at, along->capacity, along->n + 2))
            return false;
        along->at[along->n++] = code->statics->block[b].pc;
        if (code->end[b].branch_insn != SL_NO_INDEX)
            along->at[along->n++] = code->end[b].branch_pc;
    }
    return true;
}

bool sl_code_addresses_along(struct sl_code_addresses *along, const struct sl_results *results)
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
    good = good && add_seen(along, &walker);
    free(walker.seen);
    sl_path_walker_free(&walker);
    return good;
}

/* ---- all addresses ---- */

bool sl_code_addresses_collect(struct sl_code_addresses *addresses,
                               const struct sl_results *results,
                               const struct sl_code_addresses *along, bool seconds, bool events)
{
    size_t most = along->n + 1;
    for (size_t i = 0; i < results->n_profiles; i++)
        most += 2 * (results->profile[i].n_entries + results->profile[i].n_candidates +
                     n_told(&results->profile[i]));
    *addresses = (struct sl_code_addresses){.at = malloc(most * sizeof *addresses->at)};
    if (!addresses->at)
        return false;
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i], *of;
        for (size_t e = 0; e < profile->n_entries; e++)
            add(addresses, profile->detector, &profile->entry[e].tuple, seconds, events);
        for (size_t c = 0; c < profile->n_candidates; c++)
            add(addresses, profile->detector, &profile->candidate[c].entry.tuple, seconds, events);
        for (size_t s = 0; s < n_told(profile); s++) {
            const struct sl_tuple *tuple = told(profile, s, &of);
            add(addresses, of->detector, tuple, seconds, events);
        }
    }
    for (size_t i = 0; i < along->n; i++)
        addresses->at[addresses->n++] = along->at[i];
    sort_out(addresses);
    return true;
}
