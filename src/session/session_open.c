/* SPDX-License-Identifier: MIT */
/* Opens and closes sessions: checks the configuration, opens CPU models, parses the specs of the
 * profiles and forms groups of profiles with the same detectors. With --runs, each profile whose
 * table has a seed is repeated with consecutive seeds. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "failure.h"
#include "resources.h"
#include "function_table.h"
#include "session.h"
#include "value_counts.h"

#define WINDOW_DEFAULT 100000000u
#define MEMORY_DEFAULT (UINT64_C(2) << 30)
#define RUNS_MAX 1000u

/* ---- profiles ---- */

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
    size_t i = 0; /* the group with its detectors, or a new one */
    while (i < s->n_groups && strcmp(s->group[i].detectors.text, profile->spec.detecting))
        i++;
    s->n_groups += i == s->n_groups;
    return sl_group_add_profile(&s->group[i], profile) ? 0 : sl_out_of_memory(f);
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
        return sl_fail_setting(
            f, "runs",
            "repeated runs need a table with a seed, and no table of the profiles has one: use "
            "for example morris or R256 (all tables: sluice list tables)");
    return error;
}

static int read_specs(struct sl_session *s, const struct sl_session_config *config,
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

/* ---- CPU models ---- */

static int open_machine(struct sl_session *s, const char *spec, struct sl_failure *f)
{
    int error = sl_machine_open(&s->machines[s->n_machines], spec, f);
    s->n_machines += error >= 0;
    return error;
}

static int open_machines(struct sl_session *s, const struct sl_session_config *config,
                         struct sl_failure *f)
{
    size_t n = config->n_more_machines;
    int error = config->machine ? open_machine(s, config->machine, f) : 0;
    if (config->machine)
        s->machine = s->machines[0];
    if (error >= 0 && n > SL_RESULT_OTHER_MACHINES_MAX)
        return sl_fail_setting(f, "machine",
                               "too many CPU models: at most %u can run in parallel, not %zu",
                               SL_RESULT_OTHER_MACHINES_MAX + 1, n + 1);
    for (size_t i = 0; i < n && error >= 0; i++) {
        const char *spec = config->more_machines[i];
        error = open_machine(s, spec, f);
        if (error >= 0 &&
            sl_machine_profiler(s->machines[s->n_machines - 1])->queue != SL_BRANCH_QUEUE_NONE)
            return sl_fail_setting(f, "machine",
                                   "%s sets profiler.queue, which is possible only for the first "
                                   "CPU model: put this model first",
                                   spec);
    }
    return error;
}

struct sl_detector_slot *sl_session_detector(const struct sl_session *s, size_t i)
{
    for (size_t g = 0; g < s->n_groups; g++) {
        if (i < s->group[g].detectors.n_members)
            return &s->group[g].detectors.member[i];
        i -= s->group[g].detectors.n_members;
    }
    return NULL;
}

static int check_classes(const struct sl_session *s, struct sl_failure *f)
{
    const struct sl_detector_slot *m;
    for (size_t i = 0; s->only && (m = sl_session_detector(s, i)); i++)
        if (m->kind->no_only)
            return sl_fail_setting(f, "only", "instruction classes cannot be used with %s: %s",
                                   m->kind->name, m->kind->no_only);
    return 0;
}

/* Collects the machine events that a group needs, and checks that there is a CPU model for them. */
static int check_machine(struct sl_session *s, const struct sl_detector_set *set, uint64_t *wanted,
                         struct sl_failure *f)
{
    const char *what = NULL;
    if (set->clock.cycles)
        *wanted |= UINT64_C(1) << SL_MACHINE_CYCLES;
    s->reads_machine |= set->keeps_parts;
    for (unsigned i = 0; set->keeps_parts && i < SL_PARTS; i++)
        *wanted |= UINT64_C(1) << (set->member[0].metric->parts + i);
    for (size_t i = 0; i < set->n_members; i++) {
        const struct sl_detector_slot *m = &set->member[i];
        *wanted |= m->metric->machine_events;
        if (m->metric->machine_events)
            what = m->metric->name;
        if (m->kind->per_access && m->metric->access && s->machine) {
            sl_machine_need_access_events(s->machine);
            s->reads_machine = true;
        }
        if (!m->kind->machine_events)
            continue;
        if (strcmp(m->metric->name, m->kind->default_metric))
            return sl_fail(f, SL_EUSAGE,
                           "%s: %s counts machine events, which cannot be weighted by the metric "
                           "%s: use %s:%s",
                           set->text, m->kind->name, m->metric->name, m->kind->name,
                           m->kind->default_metric);
        what = "events";
        *wanted |= m->kind->machine_events(m->config);
        s->reads_machine = true;
    }
    if (what && !s->machine)
        return sl_fail_setting(
            f, "machine",
            "%s: %s need a CPU model: add one, for example rocket (all models: sluice list "
            "machines)",
            set->text, what);
    return 0;
}

static int check_machines(struct sl_session *s, struct sl_failure *f)
{
    uint64_t wanted = 0;
    int error = 0;
    for (size_t i = 0; i < s->n_groups && error >= 0; i++)
        error = check_machine(s, &s->group[i].detectors, &wanted, f);
    if (s->machine)
        sl_machine_need_events(s->machine, wanted);
    return error;
}

/* ---- opening ---- */

/* Returns false if out of memory. */
static bool copy(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

/* The index of a metric in s->metric, to which it is added if necessary; it has space for all
 * metrics. */
static size_t place_of(struct sl_session *s, const struct sl_metric *metric)
{
    size_t k = 0;
    while (k < s->n_metrics && s->metric[k] != metric)
        k++;
    s->metric[k] = metric;
    s->n_metrics += k == s->n_metrics;
    return k;
}

/* Detectors with the same metric share the weights of a chunk's blocks. A clock uses the weights by
 * cycles. */
static int share_weights(struct sl_session *s, struct sl_failure *f)
{
    const struct sl_metric *cycles = sl_metric_find("cycles", strlen("cycles"));
    struct sl_detector_slot *m;
    if (!(s->metric = calloc(s->n_groups * SL_SPEC_DETECTORS + 1, sizeof *s->metric)))
        return sl_out_of_memory(f);
    for (size_t i = 0; (m = sl_session_detector(s, i)); i++)
        m->weights = m->metric->weigh ? 1 + place_of(s, m->metric) : 0;
    for (size_t i = 0; s->machine && i < s->n_groups; i++)
        if (s->group[i].needs_time)
            s->group[i].detectors.clock.cycles = 1 + place_of(s, cycles);
    return 0;
}

static void configure(struct sl_session *s, const struct sl_session_config *config)
{
    s->keep = config->keep;
    uint64_t half = sl_free_memory() / 2; /* if that is less than the default */
    s->memory_bytes = config->memory_bytes    ? config->memory_bytes
                      : half < MEMORY_DEFAULT ? half
                                              : MEMORY_DEFAULT;
    s->evaluation = (struct sl_evaluation_config){.enabled = config->exact || config->every ||
                                                             config->runs > 1,
                                                  .every = config->every,
                                                  .points = config->curve_points,
                                                  .limits = SL_INVARIANCE_PAPER};
    if (config->error_executions)
        s->evaluation.limits.executions = config->error_executions;
    if (config->error_share > 0)
        s->evaluation.limits.share = config->error_share;
    if (config->error_covered > 0)
        s->evaluation.limits.covered = config->error_covered;
    s->n_threads = config->threads;
    s->reading = config->reading;
    s->default_profiles = config->default_profiles;
    s->cutter.marked = config->marked;
    s->cutter.waits = config->start_at;
    if (s->evaluation.enabled)
        s->cutter.window = config->window ? config->window : WINDOW_DEFAULT;
}

static int fill(struct sl_session *s, const struct sl_session_config *config, struct sl_failure *f)
{
    if (!copy(&s->range, config->range) || !copy(&s->start_at, config->start_at) ||
        !copy(&s->spill_directory, config->spill_directory) || !copy(&s->only, config->only))
        return sl_out_of_memory(f);
    configure(s, config);
    int refused = config->spill_directory ? sl_spill_try(config->spill_directory) : 0;
    if (refused)
        return sl_fail(f, SL_EIO, "cannot create a file in the spill directory %.200s: %s",
                       config->spill_directory, strerror(refused));
    int error = open_machines(s, config, f);
    if (error >= 0 && s->start_at && config->marked)
        error = sl_fail_setting(f, "start-at",
                                "counting starts either at region markers or at the function "
                                "%.100s: choose one of them",
                                s->start_at);
    if (error >= 0)
        error = read_specs(s, config, f);
    if (error >= 0)
        error = share_weights(s, f);
    if (error >= 0)
        error = check_classes(s, f);
    if (error >= 0)
        error = check_machines(s, f);
    if (error >= 0)
        error = sl_profiler_choose(&s->profiler, s->machine, s->profile, s->n_profiles, f);
    if (error >= 0) {
        s->group[0].on_batch = config->observe;
        s->group[0].on_batch_context = config->observe_context;
    }
    return error < 0 ? error : sl_selection_init(&s->selection, s->range, s->only, f);
}

int sl_session_open(struct sl_session **session, const struct sl_session_config *given,
                    struct sl_failure *f)
{
    SL_REQUIRE(f, session);
    *session = NULL;
    struct sl_session_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_session_config", f);
    if (unread < 0)
        return unread;
    for (size_t i = 0; i < config->n_specs; i++)
        SL_REQUIRE(f, config->spec && config->spec[i]);
    for (size_t i = 0; i < config->n_more_machines; i++)
        SL_REQUIRE(f, config->more_machines && config->more_machines[i]);
    struct sl_session *s = calloc(1, sizeof *s);
    if (!s)
        return sl_out_of_memory(f);
    int error = fill(s, config, f);
    if (error < 0)
        sl_session_close(s);
    else
        *session = s;
    return error < 0 ? error : 0;
}

void sl_session_read_ahead(struct sl_session *s)
{
    if (s)
        s->reads_ahead = sl_cpus(s->n_threads) > 1;
}

unsigned sl_session_needs(const struct sl_session *s)
{
    if (!s)
        return 0;
    unsigned needs = s->n_machines ? SL_NEED_ADDRESSES | SL_NEED_STORES : 0;
    const struct sl_detector_slot *m;
    for (size_t i = 0; (m = sl_session_detector(s, i)); i++)
        needs |= m->kind->stream_needs;
    return needs;
}

void sl_session_close(struct sl_session *s)
{
    if (!s)
        return;
    sl_worker_pool_close(&s->pool);
    for (size_t i = 0; i < s->n_groups; i++)
        sl_group_close(&s->group[i]);
    for (size_t i = 0; i < s->n_runs; i++) {
        sl_evaluated_table_close(&s->profile[i].table);
        sl_profile_spec_free(&s->profile[i].spec);
    }
    sl_live_close(&s->live);
    free(s->group);
    free(s->profile);
    for (size_t i = 0; i < s->n_processes; i++)
        sl_process_free(&s->process[i]);
    free(s->process);
    sl_profiler_close(&s->profiler);
    for (size_t i = 0; i < s->n_machines; i++)
        sl_machine_close(s->machines[i]);
    if (s->started) {
        sl_code_free(&s->code);
        sl_symbols_close(s->symbols);
    }
    if (s->pairs)
        sl_block_pairs_free(s->pairs);
    free(s->pairs);
    sl_function_list_free(&s->functions);
    sl_selection_free(&s->selection);
    free(s->cutter.mark_depth);
    free(s->metric);
    free(s->range);
    free(s->start_at);
    free(s->spill_directory);
    free(s->only);
    free(s);
}
