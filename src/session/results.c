/* What came out of a session: saved as a database, or side by side. */
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "database.h"
#include "failure.h"
#include "readings.h"
#include "result_sequence.h"
#include "session.h"

#define KEEP_DEFAULT 100000u

struct sl_described {
    struct sl_result_profile *profile;
    size_t n;
};

static struct sl_group *group_of(struct sl_session *s, const struct sl_keep *keep)
{
    struct sl_group *g = s->group;
    while (strcmp(g->feed.text, keep->spec->detecting))
        g++;
    return g;
}

/* The candidates that are this detector's; to be freed. */
static struct sl_result_candidate *candidates_of(const struct sl_keep *keep, bool shared,
                                                 uint64_t tag, size_t *n)
{
    const struct sl_intervals *all = &keep->intervals;
    struct sl_result_candidate *mine = malloc((all->n_candidates + 1) * sizeof *mine);
    *n = 0;
    for (size_t i = 0; mine && i < all->n_candidates; i++) {
        if (shared && all->candidate[i].entry.tuple.pc >> SL_TAG_SHIFT != tag)
            continue;
        mine[*n] = all->candidate[i];
        if (shared)
            mine[*n].entry.tuple.pc &= SL_TAG_PC;
        ++*n;
    }
    return mine;
}

/* What the detector has to say, behind what the table has. */
static struct sl_table_status with_note(struct sl_table_status status, const struct sl_member *m)
{
    size_t used = strlen(status.note), gap = used ? strlen("; ") : 0;
    if (m->kind->note && used + gap < sizeof status.note) {
        char *behind = status.note + used + gap;
        m->kind->note(m->state, behind, sizeof status.note - used - gap);
        if (gap && *behind)
            memcpy(behind - gap, "; ", gap);
    }
    return status;
}

/* The events in order, of which the first result of a table tells. */
static bool add_sequence(const struct sl_session *s, const struct sl_keep *keep, bool shared,
                         struct sl_result_profile *profile)
{
    struct sl_sequence all;
    return sl_table_sequence(keep->table, &all) &&
           (profile->sequence = sl_result_sequence(&all, profile, shared ? SL_TAG_SHIFT : 0,
                                                   &s->code));
}

static size_t wanted(const struct sl_session *s, const struct sl_detector_kind *kind)
{
    return s->keep ? s->keep : kind->linked ? SIZE_MAX : KEEP_DEFAULT;
}

/* What is saved of a profile: one result for each detector in front of its table. */
static int describe(struct sl_session *s, const struct sl_keep *keep, struct sl_described *out,
                    struct sl_failure *f)
{
    struct sl_group *group = group_of(s, keep);
    bool shared = group->feed.n_members > 1;
    struct sl_table_status status;
    struct sl_names names;
    sl_feed_names(&group->feed, &names);
    sl_table_status(keep->table, &status);
    for (size_t i = 0; i < group->feed.n_members; i++) {
        const struct sl_member *m = &group->feed.member[i];
        const struct sl_detector_kind *kept = keep->spec->table->by_function ? &sl_detector_function
                                                                             : m->kind;
        uint64_t whole = m->kind->whole ? m->kind->whole(m->state) : 0;
        struct sl_heaviest heaviest = {.wanted = wanted(s, kept), .tagged = shared, .tag = i};
        int error = sl_keep_heaviest(keep, &names, &heaviest, f);
        if (error < 0)
            return error;
        size_t n_candidates;
        struct sl_result_candidate *candidate = candidates_of(keep, shared, i, &n_candidates);
        struct sl_readings readings;
        bool read = sl_readings_collect(&readings, group, keep);
        out->profile[out->n++] = (struct sl_result_profile){
            .spec = keep->spec->text,
            .given = keep->spec->given,
            .detector = kept->name,
            .metric = keep->spec->metric->name,
            .table = keep->spec->table->name,
            .second = kept->second,
            .shared = shared,
            .status = with_note(status, m),
            .events = m->events,
            .weight = whole ? whole : m->weight,
            .distinct = heaviest.distinct,
            .error = keep->error,
            .n_errors = keep->n_errors,
            .curve = keep->curve.point,
            .n_points = keep->curve.n,
            .interval = keep->intervals.series,
            .n_intervals = keep->intervals.n,
            .candidate = candidate,
            .n_candidates = n_candidates,
            .entry = heaviest.entry,
            .entry_intervals = heaviest.intervals,
            .n_entries = heaviest.n,
            .reading = readings.reading,
            .n_readings = readings.n,
            .run_error = readings.error,
            .n_run_errors = readings.n_errors,
        };
        if (!candidate || !read ||
            (keep->spec->table->sequence && !i &&
             !add_sequence(s, keep, shared, &out->profile[out->n - 1])))
            return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    return 0;
}

/* The profiler that the machine had to wait for; its place is that of its profile. */
static struct sl_result_profiler profiler_of(const struct sl_session *s)
{
    const struct sl_profiler *p = &s->profiler;
    struct sl_result_profiler out = {.queue = sl_machine_profiler(s->machine)->queue,
                                     .branches = p->branches,
                                     .work = p->cycles,
                                     .cycles_without = sl_profiler_cycles_without(p)};
    for (const struct sl_profile_spec *spec = s->spec; spec < p->spec; spec++)
        out.profile += spec->n_detectors;
    return out;
}

static bool has_run(const struct sl_session *s)
{
    for (size_t i = 0; i < s->n_profiles; i++)
        if (!s->profile[i].table)
            return false;
    return s->source;
}

int sl_session_save(struct sl_session *s, const char *path, struct sl_failure *f)
{
    if (!has_run(s))
        return sl_fail(f, SL_EUSAGE, "nothing has been run that could be saved");
    struct sl_described described = {
        .profile = calloc(s->n_profiles * SL_SPEC_DETECTORS + 1, sizeof *described.profile)};
    int error = described.profile ? 0 : sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < s->n_profiles && error >= 0; i++)
        error = describe(s, &s->profile[i], &described, f);
    struct sl_result_machine machine = {0};
    struct sl_result_profiler profiler;
    char *description = s->machine ? sl_machine_describe(s->machine) : NULL;
    if (s->machine && !description && error >= 0)
        error = sl_fail(f, SL_ENOMEM, "out of memory");
    if (s->machine) {
        struct sl_energy_correction correction = sl_machine_correction(s->machine);
        machine = (struct sl_result_machine){sl_machine_name(s->machine), description,
                                             sl_machine_totals(s->machine), correction.factor,
                                             correction.extrapolated, NULL};
    }
    if (s->profiler.spec) {
        profiler = profiler_of(s);
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
            .marked = s->marked,
            .warning = s->warning,
            .machine = s->machine ? &machine : NULL,
            .profile = described.profile,
            .n_profiles = described.n,
        };
        error = sl_database_write(path, &results, f);
    }
    for (size_t i = 0; i < described.n; i++) {
        free((struct sl_entry *)described.profile[i].entry);
        free((uint64_t *)described.profile[i].entry_intervals);
        free((struct sl_result_candidate *)described.profile[i].candidate);
        free((struct sl_result_reading *)described.profile[i].reading);
        free((struct sl_result_run_error *)described.profile[i].run_error);
        sl_result_sequence_free((struct sl_result_sequence *)described.profile[i].sequence);
    }
    free(described.profile);
    free(description);
    return error;
}

int sl_session_compare(struct sl_session *s, const struct sl_compare_config *config, FILE *out,
                       struct sl_failure *f)
{
    if (!has_run(s))
        return sl_fail(f, SL_EUSAGE, "nothing has been run that could be compared");
    struct sl_comparison *row = calloc(s->n_profiles + 1, sizeof *row);
    if (!row)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < s->n_profiles; i++) {
        struct sl_keep *keep = &s->profile[i];
        row[i] = (struct sl_comparison){.spec = keep->spec->text,
                                        .given = keep->spec->given,
                                        .seconds = keep->seconds,
                                        .measured = keep->invariance.tuples > 0,
                                        .error = keep->invariance.error,
                                        .overlap = sl_keep_error(keep, "overlap"),
                                        .overlap_dynamic = sl_keep_error(keep, "overlap_dynamic"),
                                        .windows = sl_keep_error(keep, "windows"),
                                        .interval_error = sl_keep_error(keep, "interval"),
                                        .curve = &keep->curve};
        sl_table_status(keep->table, &row[i].status);
        if (keep->spec == s->profiler.spec) {
            struct sl_result_profiler profiler = profiler_of(s);
            row[i].waited_for = true;
            row[i].profiler_overhead =
                sl_profiler_overhead(&profiler, sl_machine_totals(s->machine)[SL_H_CYCLES]);
        }
    }
    struct sl_comparisons all = {.row = row,
                                 .n = s->n_profiles,
                                 .instructions = s->instructions,
                                 .cycles = s->machine ? sl_machine_totals(s->machine)[SL_H_CYCLES] : 0,
                                 .every = s->judging.every,
                                 .limit = config->limit,
                                 .warning = s->warning};
    int error = (config->json ? sl_comparisons_json : sl_comparisons_text)(&all, out, f);
    free(row);
    return error;
}

