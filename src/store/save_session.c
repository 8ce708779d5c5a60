/* SPDX-License-Identifier: MIT */
/* Saves a session: collects the results of its profiles (result.h) and writes a database. */
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "failure.h"
#include "session.h"

#define KEEP_DEFAULT 100000u

struct sl_described {
    struct sl_result_profile *profile;
    size_t n;
};

/* Returns the candidates of one detector, also if detectors share the table; to be freed. */
static struct sl_interval_candidate *candidates_of(const struct sl_intervals *all, bool shared,
                                                   uint64_t tag, size_t *n)
{
    struct sl_interval_candidate *mine = sl_spool_read(&all->candidates);
    size_t n_mine = 0;
    for (size_t i = 0; shared && mine && i < all->candidates.n; i++)
        if (mine[i].entry.tuple.pc >> SL_TAG_SHIFT == tag) {
            mine[n_mine] = mine[i];
            mine[n_mine++].entry.tuple.pc &= SL_TAG_PC;
        }
    *n = shared ? n_mine : all->candidates.n;
    return mine;
}

/* Appends the warning of the detector to that of the table. */
static struct sl_table_status with_note(struct sl_table_status status,
                                        const struct sl_detector_slot *m)
{
    size_t used = strlen(status.note), gap = used ? strlen("; ") : 0;
    const struct sl_detector_facts *facts = m->kind->facts;
    if (facts && facts->warning && used + gap < sizeof status.note) {
        char *end = status.note + used + gap;
        facts->warning(m->state, end, sizeof status.note - used - gap);
        if (gap && *end)
            memcpy(end - gap, "; ", gap);
    }
    return status;
}

/* Adds the sequence of events to the first result of a table. */
static bool add_sequence(const struct sl_profile *from, bool shared,
                         struct sl_result_profile *profile)
{
    struct sl_sequence all;
    return sl_profile_sequence(from, &all) &&
           (profile->sequence = sl_result_sequence(&all, profile, shared ? SL_TAG_SHIFT : 0,
                                                   from->env->code));
}

/* Adds the hardware settings of a table. */
static bool add_parameters(const struct sl_profile *from, struct sl_result_profile *profile)
{
    const struct sl_table *table = from->table.table;
    size_t n = sl_table_parameters(table, NULL);
    struct sl_parameter *parameter = n ? malloc(n * sizeof *parameter) : NULL;
    if (parameter)
        profile->n_parameters = sl_table_parameters(table, parameter);
    profile->parameter = parameter;
    return parameter || !n;
}

/* Adds the phases that the table found. */
static bool add_phases(const struct sl_profile *from, bool shared,
                       struct sl_result_profile *profile)
{
    size_t n = 0;
    profile->phase = sl_table_phases(from->table.table, &profile->n_phases);
    struct sl_result_phase_path *path = malloc((profile->n_phases * SL_PHASE_PATHS + 1) *
                                               sizeof *path);
    for (size_t i = 0; path && i < profile->n_phases; i++)
        for (size_t k = 0; k < profile->phase[i].n_paths; k++) {
            struct sl_phase_path is = profile->phase[i].path[k];
            size_t member = shared ? is.tuple.pc >> SL_TAG_SHIFT : 0;
            if (shared)
                is.tuple.pc &= SL_TAG_PC;
            path[n++] = (struct sl_result_phase_path){i, member, is};
        }
    profile->phase_path = path;
    profile->n_phase_paths = n;
    return path;
}

/* Adds the results that belong to the whole table. */
static bool add_of_table(const struct sl_profile *from, bool shared,
                         struct sl_result_profile *profile)
{
    return (!sl_table_stores_order(from->spec.table) || add_sequence(from, shared, profile)) &&
           add_phases(from, shared, profile) && add_parameters(from, profile);
}

static size_t wanted(const struct sl_session *s, const struct sl_detector_kind *kind)
{
    return s->keep ? s->keep : kind->save_all_entries ? SIZE_MAX : KEEP_DEFAULT;
}

/* Adds the results of a profile: one for each detector of its table. */
static int describe(struct sl_session *s, const struct sl_profile *p, struct sl_described *out,
                    struct sl_failure *f)
{
    const struct sl_detector_set *set = &p->group->detectors;
    const struct sl_evaluated_table *measured = &p->table;
    bool shared = set->n_members > 1;
    struct sl_tuple_names names;
    sl_detector_set_names(set, &names);
    for (size_t i = 0; i < set->n_members; i++) {
        const struct sl_detector_slot *m = &set->member[i];
        const struct sl_detector_kind *kept = sl_profile_spec_kept(&p->spec, i);
        size_t first = out->n - i;
        uint64_t whole = m->kind->total_weight ? m->kind->total_weight(m->state) : 0;
        struct sl_top_entries top = {.wanted = wanted(s, kept),
                                     .tagged = shared,
                                     .tag = i,
                                     .linked = kept->save_all_entries};
        int error = sl_top_entries_find(&top, measured, &names, f);
        if (error < 0)
            return error;
        size_t n_candidates;
        struct sl_interval_candidate *candidate = candidates_of(&measured->intervals, shared, i,
                                                                &n_candidates);
        struct sl_readings readings;
        bool read = sl_profile_readings(p, &readings);
        out->profile[out->n++] = (struct sl_result_profile){
            .spec = p->spec.text,
            .given = p->spec.given,
            .detector = kept,
            .metric = m->metric->name,
            .table = p->spec.table->name,
            .notation = p->spec.notation,
            .asked = m->kind,
            .config = m->config,
            .table_options = p->spec.table->options,
            .table_written = p->spec.table->notation ? p->spec.table->notation->written : NULL,
            .table_config = p->spec.table_config,
            .source = (size_t)(p->group - s->group),
            .first = first,
            .shared = shared,
            .status = with_note(sl_profile_status(p), m),
            .events = m->events,
            .weight = whole ? whole : m->weight,
            .distinct = top.distinct,
            .error = measured->error,
            .n_errors = measured->n_errors,
            .curve = measured->curve.point,
            .n_points = measured->curve.n,
            .interval = i ? out->profile[first].interval
                          : sl_spool_read(&measured->intervals.series),
            .n_intervals = measured->intervals.series.n,
            .candidate = candidate,
            .n_candidates = n_candidates,
            .entry = top.entry,
            .entry_intervals = top.intervals,
            .n_entries = top.n,
            .reading = readings.reading,
            .n_readings = readings.n,
            .run_error = readings.error,
            .n_run_errors = readings.n_errors,
        };
        if (!candidate || !out->profile[first].interval || !read ||
            (!i && !add_of_table(p, shared, &out->profile[first])))
            return sl_out_of_memory(f);
    }
    return 0;
}

/* Describes a CPU model and its totals. The caller frees result->description. */
static int describe_machine(const struct sl_machine *machine, struct sl_result_machine *result,
                            struct sl_failure *f)
{
    struct sl_energy_correction correction = sl_machine_correction(machine);
    *result = (struct sl_result_machine){sl_machine_name(machine),   sl_machine_describe(machine),
                                         sl_machine_totals(machine), correction.factor,
                                         correction.extrapolated,    NULL};
    return result->description ? 0 : sl_out_of_memory(f);
}

int sl_session_save(struct sl_session *s, const char *path, struct sl_failure *f)
{
    SL_REQUIRE(f, s && path);
    if (!sl_session_has_run(s))
        return sl_fail(f, SL_EUSAGE, "nothing to save: the session has not run");
    struct sl_described described = {
        .profile = calloc(s->n_profiles * SL_SPEC_DETECTORS + 1, sizeof *described.profile)};
    int error = described.profile ? 0 : sl_out_of_memory(f);
    for (size_t i = 0; i < s->n_profiles && error >= 0; i++)
        error = describe(s, &s->profile[i], &described, f);
    struct sl_result_machine machine = {0}, other[SL_RESULT_OTHER_MACHINES_MAX] = {{0}};
    struct sl_result_profiler profiler;
    size_t first = s->machine != NULL, n_others = s->n_machines - first;
    for (size_t i = 0; i < s->n_machines && error >= 0; i++)
        error = describe_machine(s->machines[i], i < first ? &machine : &other[i - first], f);
    if (s->profiler.profile) {
        profiler = sl_session_profiler(s);
        machine.profiler = &profiler;
    }
    if (error >= 0) {
        struct sl_results results = {
            .statics = &s->source->statics,
            .code = &s->code,
            .symbols = s->symbols,
            .instructions = s->instructions,
            .blocks = s->blocks,
            .loads = s->loads,
            .range = s->range,
            .only = s->only,
            .marked = s->cutter.marked,
            .start_at = s->start_at,
            .default_profiles = s->default_profiles,
            .skip = s->source->run_range.skip,
            .limit = s->source->run_range.limit,
            .load_sampling = s->source->load_sampler.sampling,
            .warning = s->warning,
            .machine = s->machine ? &machine : NULL,
            .other_machines = other,
            .n_other_machines = n_others,
            .profile = described.profile,
            .n_profiles = described.n,
            .process = s->process,
            .n_processes = s->n_processes,
        };
        error = sl_database_write(path, &results, f);
    }
    for (size_t i = 0; i < described.n; i++) {
        if (described.profile[i].first == i) /* the other results share the array */
            free((struct sl_interval_row *)described.profile[i].interval);
        free((struct sl_entry *)described.profile[i].entry);
        free((uint64_t *)described.profile[i].entry_intervals);
        free((struct sl_interval_candidate *)described.profile[i].candidate);
        free((struct sl_parameter *)described.profile[i].parameter);
        free((struct sl_result_phase_path *)described.profile[i].phase_path);
        free((struct sl_reading *)described.profile[i].reading);
        free((struct sl_run_error *)described.profile[i].run_error);
        sl_result_sequence_free((struct sl_result_sequence *)described.profile[i].sequence);
    }
    free(described.profile);
    free((char *)machine.description);
    for (size_t i = 0; i < n_others; i++)
        free((char *)other[i].description);
    return error;
}

int sl_session_can_save(const char *path, struct sl_failure *f)
{
    SL_REQUIRE(f, path);
    return sl_database_replaceable(path, f);
}
