/* SPDX-License-Identifier: MIT */
/* Writes two keys of a profile in JSON reports. "phases" has the phases of the run, each with its
 * hot paths; "sequence" has the size of the stored event sequence and its hot subpaths, each with
 * its events. */
#include "json.h"

#include <inttypes.h>

#include "entry_view.h"
#include "db.h"

struct writer {
    const struct sl_output *o;
    const struct sl_db_profile *profile;
    struct sl_entry_views views;
    uint64_t weight; /* denominator of fractions: weight of the phase or of the whole sequence */
    json_t *entries; /* of the phase or subpath that is being written */
    bool begun;      /* at least one phase or subpath was written */
};

static json_t *fraction(const struct writer *w, uint64_t part)
{
    return json_real(sl_ratio(part, w->weight));
}

/* Appends an entry to w->entries. `object` has its first keys and is freed by this function. */
static int add_entry(struct writer *w, int64_t of, const struct sl_db_entry *entry, json_t *object)
{
    const struct sl_entry_view *view;
    int result = sl_entry_views_look(&w->views, of, w->profile, entry, &view, w->o->f);
    if (result) {
        json_decref(object);
        return result;
    }
    if (w->profile->shared)
        sl_json_set(&object, "detector", sl_json_text(view->profile->detector->name));
    sl_entry_set_json(view, &object);
    sl_json_append(&w->entries, object);
    return w->entries ? 0 : sl_report_no_memory(w->o->f);
}

static int add_path(void *context, int64_t of, const struct sl_db_entry *entry)
{
    struct writer *w = context;
    return add_entry(w, of, entry,
                     sl_json_object("count", sl_json_number(entry->count), "fraction",
                                    fraction(w, entry->count), NULL));
}

static int add_event(void *context, int64_t of, const struct sl_db_entry *entry)
{
    return add_entry(context, of, entry, json_object());
}

/* Writes a phase or subpath after the text `first` or `between`, unless an earlier call returned an
 * error, `result`. Frees the object. */
static int write_object(struct writer *w, int result, const char *first, const char *between,
                        json_t *object)
{
    const char *before = w->begun ? between : first;
    w->begun |= !result;
    return sl_json_put(result, result ? "" : before, object, w->o->out, w->o->f);
}

static int write_phase(void *context, const struct sl_db_phase *phase)
{
    struct writer *w = context;
    w->entries = json_array();
    w->weight = phase->weight;
    int result = sl_db_phase_entries(w->o->database, w->profile, phase->number, add_path, w,
                                     w->o->f);
    return write_object(
        w, result, ",\n   \"phases\": [\n    ", ",\n    ",
        sl_json_object("id", sl_json_number(phase->number), "kind", sl_json_number(phase->kind),
                       "first_event", sl_json_number(phase->first_event), "events",
                       sl_json_number(phase->events), "weight", sl_json_number(phase->weight),
                       "turnover", sl_json_real(phase->turnover), "paths", w->entries, NULL));
}

int sl_json_phases(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct writer w = {.o = o, .profile = profile, .views = {o->database, NULL}};
    int result = sl_db_phases(o->database, profile, write_phase, &w, o->f);
    if (w.begun)
        fputs("]", o->out);
    sl_entry_views_close(&w.views);
    return result;
}

static int write_subpath(void *context, const struct sl_db_subpath *subpath)
{
    struct writer *w = context;
    w->entries = json_array();
    int result = sl_db_subpath_events(w->o->database, w->profile, subpath->rank, add_event, w,
                                      w->o->f);
    return write_object(
        w, result, "\n     ", ",\n     ",
        sl_json_object("occurrences", sl_json_number(subpath->times), "weight",
                       sl_json_number(subpath->weight), "fraction", fraction(w, subpath->weight),
                       "length", sl_json_number(subpath->length), "events", w->entries, NULL));
}

int sl_json_sequence(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct sl_db_sequence s;
    struct writer w = {.o = o, .profile = profile, .views = {o->database, NULL}};
    int result = sl_db_sequence(o->database, profile, &s, o->f);
    if (result || !s.found)
        return result;
    w.weight = s.weight;
    fprintf(o->out,
            ",\n   \"sequence\": {\"length\": %" PRIu64 ", \"rules\": %" PRIu64
            ", \"symbols\": %" PRIu64 ", \"tuples\": %" PRIu64 ", \"compressed_bytes\": %" PRIu64
            ", \"uncompressed_bytes\": %" PRIu64 ",\n    \"unit\": \"%s\", \"weight\": %" PRIu64
            ", \"subpaths\": [",
            s.length, s.rules, s.symbols, s.tuples, s.bytes,
            (sl_db_sequence_uncompressed_bits(&s) + 7) / 8, s.unit, s.weight);
    result = sl_db_subpaths(o->database, profile, o->config->n, write_subpath, &w, o->f);
    fputs("]}", o->out);
    sl_entry_views_close(&w.views);
    return result;
}
