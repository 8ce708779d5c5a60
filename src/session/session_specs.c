/* SPDX-License-Identifier: MIT */
/* Parses the specs of a session's profiles, and forms groups of profiles with the same detectors.
 * With --runs, each profile whose table has a seed is repeated with the next seeds. */
#include <stdlib.h>

#include "failure.h"
#include "session.h"

#define RUNS_MAX 1000u

/* Adds the profile to the group with its detectors, or to a new one. */
static bool join_group(struct sl_session *s, struct sl_profile *profile)
{
    size_t i = 0;
    while (i < s->n_groups && !sl_group_matches(&s->group[i], profile))
        i++;
    s->n_groups += i == s->n_groups;
    return sl_group_add_profile(&s->group[i], profile);
}

/* Adds a profile; run > 0: as a repetition, with a seed that is higher by `run`. */
static int add_profile(struct sl_session *s, const char *text, uint64_t run, struct sl_failure *f)
{
    struct sl_profile *profile = &s->profile[s->n_runs++];
    profile->run = run;
    profile->env = &s->env;
    int error = sl_profile_spec_parse(&profile->spec, text, f);
    if (error < 0)
        return error;
    if (run)
        *sl_profile_spec_seed(&profile->spec) += run;
    s->needs_functions |= profile->spec.table->input.by_function;
    return join_group(s, profile) ? 0 : sl_out_of_memory(f);
}

static int add_runs(struct sl_session *s, const struct sl_session_config *config,
                    struct sl_failure *f)
{
    bool some = config->runs <= 1;
    int error = 0;
    for (size_t i = 0; i < s->n_profiles && error >= 0; i++) {
        struct sl_profile *profile = &s->profile[i];
        if (!sl_profile_spec_seed(&profile->spec))
            continue;
        some = true;
        profile->repeat = &s->profile[s->n_runs];
        for (uint64_t run = 1; run < config->runs && error >= 0; run++, profile->n_repeats++)
            error = add_profile(s, config->spec[i], run, f);
    }
    if (error >= 0 && !some)
        return sl_fail_setting(f, "runs",
                               "repeated runs need a table with a seed, and no table has one: use "
                               "for example morris or R256 (all tables: sluice list tables)");
    return error;
}

int sl_session_read_specs(struct sl_session *s, const struct sl_session_config *config,
                          struct sl_failure *f)
{
    if (config->runs > RUNS_MAX)
        return sl_fail_setting(f, "runs", "too many runs: %llu (the maximum is %u)",
                               (unsigned long long)config->runs, RUNS_MAX);
    size_t n = (config->n_specs ? config->n_specs : 1) * (config->runs ? config->runs : 1);
    s->profile = calloc(n, sizeof *s->profile);
    s->group = calloc(n, sizeof *s->group);
    if (!s->profile || !s->group)
        return sl_out_of_memory(f);
    int error = 0;
    for (size_t i = 0; i < config->n_specs && error >= 0; i++, s->n_profiles++)
        error = add_profile(s, config->spec[i], 0, f);
    return error < 0 ? error : add_runs(s, config, f);
}

void sl_session_substitute_table(struct sl_session *s, size_t profile,
                                 const struct sl_table_kind *kind, const void *config)
{
    s->profile[profile].table.kind = kind;
    s->profile[profile].table.config = config;
}
