/* SPDX-License-Identifier: MIT */
/* Report format `json`, whose keys docs/json.md documents. Entries, points of error curves and
 * intervals are written one at a time, because a profile may have a hundred thousand of them. Each
 * entry and each interval is one line. */
#include <inttypes.h>
#include <string.h>

#include "delivery.h"
#include "exporter.h"
#include "json.h"
#include "entry_view.h"
#include "json_value.h"
#include "format.h"

#define JSON_VERSION 2 /* increased if an older reader would misread a report */
/* Entries per profile, unless config->n is set: there may be hundreds of thousands of contexts. */
#define ENTRIES 10000

/* A list being written: the text before its first element, and before others. */
struct listing {
    const struct sl_db_profile *profile;
    FILE *out;
    struct sl_failure *f;
    const char *before, *between;
    bool begun;
};

static void next(struct listing *listing)
{
    fputs(listing->begun ? listing->between : listing->before, listing->out);
    listing->begun = true;
}

/* ---- entries ---- */

struct entries {
    struct listing listing;
    struct sl_entry_view view;
    uint64_t n, count; /* written so far */
};

static int write_entry(void *context, const struct sl_db_entry *entry)
{
    struct entries *entries = context;
    struct listing *listing = &entries->listing;
    const struct sl_db_profile *profile = listing->profile;
    int result = sl_entry_view_look(&entries->view, entry, listing->f);
    if (result)
        return result;
    json_t *object = sl_json_object("count", sl_json_number(entry->count), NULL);
    if (profile->status.bounds != SL_BOUNDS_NONE) {
        sl_json_set(&object, "low", sl_json_number(entry->low));
        sl_json_set(&object, "high", sl_json_number(entry->high));
    }
    sl_json_set(&object, "fraction", json_real(sl_ratio(entry->count, profile->weight)));
    if (entry->by_intervals)
        sl_json_set(&object, "intervals", sl_json_number(entry->intervals));
    sl_entry_set_json(&entries->view, &object);
    next(listing);
    entries->n++;
    entries->count += entry->count;
    return sl_json_dump(object, listing->out, listing->f);
}

/* ---- statistics ---- */

static int write_error(void *context, const struct sl_named_value *error)
{
    struct listing *listing = context;
    next(listing);
    int result = sl_json_dump(sl_json_text(error->name), listing->out, listing->f);
    return sl_json_put(result, ": ", sl_json_real(error->value), listing->out, listing->f);
}

/* "V": 123, "tab": [0, 3, 1]. */
static int add_parameter(void *context, const struct sl_parameter *parameter)
{
    json_t **object = context, *there = json_object_get(*object, parameter->name);
    json_t *list = json_is_array(there) ? json_incref(there) : there ? json_array() : NULL;
    if (there && !json_is_array(there))
        sl_json_append(&list, json_incref(there));
    if (there)
        sl_json_append(&list, sl_json_number(parameter->value));
    sl_json_set(object, parameter->name, there ? list : sl_json_number(parameter->value));
    return 0;
}

static int write_parameters(struct sl_database *database, const struct sl_db_profile *profile,
                            FILE *out, struct sl_failure *f)
{
    json_t *object = json_object();
    int result = sl_db_parameters(database, profile, add_parameter, &object, f);
    if (result || (object && !json_object_size(object))) {
        json_decref(object);
        return result;
    }
    fputs(",\n   \"parameters\": ", out);
    return sl_json_dump(object, out, f);
}

static int write_point(void *context, const struct sl_curve_point *point)
{
    struct listing *listing = context;
    json_t *pair = sl_json_curve(point, 1), *one = json_incref(json_array_get(pair, 0));
    json_decref(pair);
    next(listing);
    return sl_json_dump(one, listing->out, listing->f);
}

static int write_interval(void *context, const struct sl_interval_row *interval)
{
    struct listing *listing = context;
    json_t *object = sl_json_object(
        "id", sl_json_number(interval->number), "first_event",
        sl_json_number(interval->first_event), "events", sl_json_number(interval->events), "weight",
        sl_json_number(interval->weight), "threshold", sl_json_number(interval->threshold),
        "candidates", sl_json_number(interval->candidates), "new_candidates",
        sl_json_number(interval->entered), "gone_candidates", sl_json_number(interval->left),
        "drops", sl_json_number(interval->drops), "partial", json_boolean(interval->partial), NULL);
    const struct sl_named_value reals[] = {
        {"error", interval->error},
        {"false_positive", interval->false_positive},
        {"false_negative", interval->false_negative},
        {"neutral_positive", interval->neutral_positive},
        {"neutral_negative", interval->neutral_negative},
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        sl_json_set(&object, reals[i].name, sl_json_real(reals[i].value));
    next(listing);
    return sl_json_dump(object, listing->out, listing->f);
}

/* Histogram of the gaps between messages: pairs of lower bound and number. */
static json_t *gaps_of(const struct sl_table_status *status)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < SL_GAPS; i++)
        if (status->gap[i]) {
            json_t *pair = json_array();
            sl_json_append(&pair, sl_json_number(sl_gap_low(i)));
            sl_json_append(&pair, sl_json_number(status->gap[i]));
            sl_json_append(&list, pair);
        }
    return list;
}

static json_t *delivery_of(const struct sl_table_status *status)
{
    json_t *object = json_object();
    for (const struct sl_delivery_statistic *d = sl_delivery_statistics; d->name; d++)
        if (sl_delivery_has(status, d))
            sl_json_set(&object, d->name, sl_json_number(sl_delivery_value(status, d)));
    return object;
}

static int write_messages(const struct sl_table_status *status, struct sl_overhead_whole whole,
                          FILE *out, struct sl_failure *f)
{
    json_t *object = json_object();
    sl_json_set_messages(&object, "count", status, whole);
    sl_json_set(&object, "gaps", gaps_of(status));
    sl_json_set(&object, "delivery", delivery_of(status));
    fputs(",\n   \"messages\": ", out);
    return sl_json_dump(object, out, f);
}

static int write_measures(struct sl_database *database, const struct sl_db_profile *profile,
                          FILE *out, struct sl_failure *f)
{
    struct listing errors = {profile, out, f, "", ", ", false};
    struct listing curve = {profile, out, f, ",\n   \"error_curve\": [", ", ", false};
    struct listing intervals = {profile, out, f, ",\n   \"intervals\": [\n    ", ",\n    ", false};
    fputs(",\n   \"error\": {", out);
    int result = sl_db_errors(database, profile, write_error, &errors, f);
    fprintf(out, "}, \"drops\": %" PRIu64, profile->status.drops);
    if (!result && profile->status.sends)
        result = write_messages(&profile->status, sl_messages_whole(database), out, f);
    if (!result)
        result = write_parameters(database, profile, out, f);
    if (!result)
        result = sl_db_curve(database, profile, write_point, &curve, f);
    fputs(curve.begun ? "]" : "", out);
    if (!result)
        result = sl_db_intervals(database, profile, write_interval, &intervals, f);
    fputs(intervals.begun ? "]" : "", out);
    return result ? result : sl_json_runs(database, profile, out, f);
}

/* ---- the whole report ---- */

static int write_profile(struct sl_database *database, const struct sl_db_profile *profile,
                         uint64_t n, FILE *out, struct sl_failure *f)
{
    struct entries entries = {.listing = {profile, out, f, "\n    ", ",\n    ", false}};
    int result = sl_json_put(0, "{\"spec\": ", sl_json_text(profile->spec), out, f);
    result = sl_json_put(result, ", \"detector\": ", sl_json_text(profile->detector->name), out, f);
    fprintf(out, "%s, \"events\": %" PRIu64 ", \"storage_bits\": %" PRIu64 ",\n   \"entries\": [",
            profile->shared ? ", \"shared_table\": true" : "", profile->events,
            profile->status.storage_bits);
    if (!result)
        result = sl_entry_view_open(&entries.view, database, profile, f);
    entries.view.shown = n ? n : ENTRIES;
    if (!result)
        result = sl_db_entries(database, profile, entries.view.shown, write_entry, &entries, f);
    sl_entry_view_close(&entries.view);
    putc(']', out);
    if (profile->saved > entries.n)
        fprintf(out, ",\n   \"omitted\": {\"entries\": %" PRIu64 ", \"count\": %" PRIu64 "}",
                profile->saved - entries.n, profile->saved_weight - entries.count);
    return result ? result : write_measures(database, profile, out, f);
}

static int write_json(struct sl_database *database, const struct sl_report_config *config,
                      FILE *out, struct sl_failure *f)
{
    const struct sl_db_profiles *profiles = &database->profiles;
    struct sl_warnings warnings;
    int result = sl_warnings_collect(&warnings, database, f);
    if (result)
        return result;
    fprintf(out, "{\"version\": %d,\n \"program\": ", JSON_VERSION);
    result = sl_json_program(&database->program, out, f);
    fprintf(out,
            ",\n \"instructions\": %" PRIu64 ",\n \"machine\": ", database->program.instructions);
    if (!result)
        result = sl_json_machine(&database->machine, out, f);
    if (!result)
        result = sl_json_other_machines(database, out, f);
    result = sl_json_put(result, ",\n \"warnings\": ", sl_json_warnings(&warnings), out, f);
    fputs(",\n \"profiles\": [", out);
    for (size_t i = 0; !result && i < profiles->n; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        result = write_profile(database, &profiles->profile[i], config->n, out, f);
        if (!result)
            result = sl_json_phases(database, &profiles->profile[i], out, f);
        if (!result)
            result = sl_json_sequence(database, &profiles->profile[i], config->n, out, f);
        putc('}', out);
    }
    putc(']', out);
    if (!result)
        result = sl_json_processes(database, out, f);
    fputs("}\n", out);
    sl_warnings_free(&warnings);
    return result;
}

const struct sl_exporter sl_json_exporter = {
    .name = "json",
    .summary = "JSON for other programs, described in docs/json.md",
    .shown = SL_SHOWN_AS_JSON,
    .write = write_json,
};
