/* SPDX-License-Identifier: MIT */
#include "json_sequence.h"

#include <inttypes.h>

#include "json_entry.h"
#include "json_value.h"
#include "saved_sequence.h"

struct writing {
    struct sl_database *database;
    const struct sl_saved_profile *profile;
    const struct sl_saved_sequence *sequence;
    struct sl_entry_views views;
    FILE *out;
    struct sl_failure *f;
    bool begun;     /* some subpath was written */
    json_t *events; /* of the one that is being written */
};

static int add_step(void *context, int64_t of, const struct sl_saved_entry *entry)
{
    struct writing *w = context;
    const struct sl_entry_view *view;
    int result = sl_entry_views_look(&w->views, of, w->profile, entry, &view, w->f);
    if (result)
        return result;
    json_t *event = json_object();
    if (w->profile->shared)
        sl_json_set(&event, "detector", sl_json_text(view->profile->detector->name));
    sl_json_set_tuple(&event, view, entry);
    sl_json_append(&w->events, event);
    return w->events ? 0 : sl_report_no_memory(w->f);
}

static int write_subpath(void *context, const struct sl_saved_subpath *subpath)
{
    struct writing *w = context;
    double whole = (double)w->sequence->weight;
    w->events = json_array();
    int result = sl_saved_steps(w->database, w->profile, subpath->rank, add_step, w, w->f);
    if (result) {
        json_decref(w->events);
        return result;
    }
    json_t *object = sl_json_object(
        "times", sl_json_number(subpath->times), "weight", sl_json_number(subpath->weight), "share",
        json_real(whole > 0 ? (double)subpath->weight / whole : 0), "length",
        sl_json_number(subpath->length), "events", w->events, NULL);
    fputs(w->begun ? ",\n     " : "\n     ", w->out);
    w->begun = true;
    return sl_json_dump(object, w->out, w->f);
}

int sl_json_sequence(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t n, FILE *out, struct sl_failure *f)
{
    struct sl_saved_sequence s;
    struct writing w = {.database = database,
                        .profile = profile,
                        .sequence = &s,
                        .views = {database, NULL},
                        .out = out,
                        .f = f};
    int result = sl_saved_sequence(database, profile, &s, f);
    if (result || !s.there)
        return result;
    fprintf(out,
            ",\n   \"sequence\": {\"length\": %" PRIu64 ", \"rules\": %" PRIu64
            ", \"symbols\": %" PRIu64 ", \"tuples\": %" PRIu64 ", \"bytes\": %" PRIu64
            ", \"plain_bytes\": %" PRIu64 ",\n    \"unit\": \"%s\", \"weight\": %" PRIu64
            ", \"subpaths\": [",
            s.length, s.rules, s.symbols, s.tuples, s.bytes, (sl_saved_sequence_plain(&s) + 7) / 8,
            s.unit, s.weight);
    result = sl_saved_subpaths(database, profile, n, write_subpath, &w, f);
    fputs("]}", out);
    sl_entry_views_close(&w.views);
    return result;
}
