/* SPDX-License-Identifier: MIT */
/* Report format `json`, whose keys docs/json.md documents. Entries, points of error curves and
 * intervals are written one at a time, because a profile may have a hundred thousand of them. Each
 * entry and each interval is one line. */
#include <inttypes.h>

#include "exporter.h"
#include "json.h"
#include "entry_view.h"

#define JSON_VERSION 2 /* increased if an older reader would misread a report */
/* Entries per profile, unless config->n is set: there may be hundreds of thousands of contexts. */
#define ENTRIES 10000

/* A list being written: the text before its first element, and before others. */
struct listing {
    const struct sl_output *o;
    const char *before, *between;
    bool begun;
};

/* Writes an element, and frees it. */
static int write_next(struct listing *listing, json_t *element)
{
    const char *before = listing->begun ? listing->between : listing->before;
    listing->begun = true;
    return sl_json_put(0, before, element, listing->o->out, listing->o->f);
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
    const struct sl_db_profile *profile = entries->view.profile;
    int result = sl_entry_view_look(&entries->view, entry, entries->listing.o->f);
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
    entries->n++;
    entries->count += entry->count;
    return write_next(&entries->listing, object);
}

/* ---- statistics ---- */

static int write_error(void *context, const struct sl_named_value *error)
{
    struct listing *listing = context;
    int result = write_next(listing, sl_json_text(error->name));
    return sl_json_put(result, ": ", sl_json_real(error->value), listing->o->out, listing->o->f);
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

static int write_parameters(const struct sl_output *o, const struct sl_db_profile *profile)
{
    json_t *object = json_object();
    int result = sl_db_parameters(o->database, profile, add_parameter, &object, o->f);
    if (result || (object && !json_object_size(object))) {
        json_decref(object);
        return result;
    }
    return sl_json_put(0, ",\n   \"parameters\": ", object, o->out, o->f);
}

static int write_point(void *context, const struct sl_curve_point *point)
{
    return write_next(context, sl_json_point(point));
}

static int write_interval(void *context, const struct sl_interval_row *interval)
{
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
    return write_next(context, object);
}

/* Histogram of the gaps between messages: pairs of lower bound and number. */
static json_t *gaps_of(const struct sl_table_status *status)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < SL_GAPS; i++)
        if (status->gap[i])
            sl_json_append(&list, json_pack("[o,o]", sl_json_number(sl_gap_low(i)),
                                            sl_json_number(status->gap[i])));
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

static int write_messages(const struct sl_output *o, const struct sl_table_status *status)
{
    json_t *object = json_object();
    sl_json_set_messages(&object, "count", status, sl_messages_whole(o->database));
    sl_json_set(&object, "gaps", gaps_of(status));
    sl_json_set(&object, "delivery", delivery_of(status));
    return sl_json_put(0, ",\n   \"messages\": ", object, o->out, o->f);
}

static int write_measures(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct listing errors = {o, "", ", ", false};
    struct listing curve = {o, ",\n   \"error_curve\": [", ", ", false};
    struct listing intervals = {o, ",\n   \"intervals\": [\n    ", ",\n    ", false};
    fputs(",\n   \"error\": {", o->out);
    int result = sl_db_errors(o->database, profile, write_error, &errors, o->f);
    fprintf(o->out, "}, \"drops\": %" PRIu64, profile->status.drops);
    if (!result && profile->status.sends)
        result = write_messages(o, &profile->status);
    if (!result)
        result = write_parameters(o, profile);
    if (!result)
        result = sl_db_curve(o->database, profile, write_point, &curve, o->f);
    fputs(curve.begun ? "]" : "", o->out);
    if (!result)
        result = sl_db_intervals(o->database, profile, write_interval, &intervals, o->f);
    fputs(intervals.begun ? "]" : "", o->out);
    return result ? result : sl_json_runs(o, profile);
}

/* ---- the whole report ---- */

static int write_profile(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct entries entries = {.listing = {o, "\n    ", ",\n    ", false}};
    FILE *out = o->out;
    struct sl_failure *f = o->f;
    int result = sl_json_put(0, "{\"spec\": ", sl_json_text(profile->spec), out, f);
    result = sl_json_put(result, ", \"detector\": ", sl_json_text(profile->detector->name), out, f);
    fprintf(out, "%s, \"events\": %" PRIu64 ", \"storage_bits\": %" PRIu64 ",\n   \"entries\": [",
            profile->shared ? ", \"shared_table\": true" : "", profile->events,
            profile->status.storage_bits);
    if (!result)
        result = sl_entry_view_open(&entries.view, o->database, profile, f);
    entries.view.shown = o->config->n ? o->config->n : ENTRIES;
    if (!result)
        result = sl_db_entries(o->database, profile, entries.view.shown, write_entry, &entries, f);
    sl_entry_view_close(&entries.view);
    putc(']', out);
    if (profile->saved > entries.n)
        fprintf(out, ",\n   \"omitted\": {\"entries\": %" PRIu64 ", \"count\": %" PRIu64 "}",
                profile->saved - entries.n, profile->saved_weight - entries.count);
    return result ? result : write_measures(o, profile);
}

static int write_json(const struct sl_output *o)
{
    struct sl_database *database = o->database;
    FILE *out = o->out;
    struct sl_failure *f = o->f;
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
        result = sl_json_other_machines(o);
    result = sl_json_put(result, ",\n \"warnings\": ", sl_json_warnings(&warnings), out, f);
    fputs(",\n \"profiles\": [", out);
    for (size_t i = 0; !result && i < profiles->n; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        result = write_profile(o, &profiles->profile[i]);
        if (!result)
            result = sl_json_phases(o, &profiles->profile[i]);
        if (!result)
            result = sl_json_sequence(o, &profiles->profile[i]);
        putc('}', out);
    }
    putc(']', out);
    if (!result)
        result = sl_json_processes(o);
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
