/* SPDX-License-Identifier: MIT */
#include "json_phases.h"

#include "entry_view.h"
#include "json_entry.h"
#include "json_value.h"
#include "saved.h"
#include "wording.h"

struct writing {
    struct sl_database *database;
    const struct sl_saved_profile *profile;
    struct sl_entry_views views;
    json_t *paths;
    uint64_t weight; /* of the phase */
    bool begun;
    FILE *out;
    struct sl_failure *f;
};

static int add_path(void *context, int64_t of, const struct sl_saved_entry *entry)
{
    struct writing *w = context;
    const struct sl_entry_view *view;
    int result = sl_entry_views_look(&w->views, of, w->profile, entry, &view, w->f);
    if (result)
        return result;
    json_t *path = sl_json_object(
        "count", sl_json_number(entry->count), "share",
        json_real(w->weight ? (double)entry->count / (double)w->weight : 0), NULL);
    if (w->profile->shared)
        sl_json_set(&path, "detector", sl_json_text(view->profile->detector->name));
    sl_json_set_tuple(&path, view, entry);
    sl_json_append(&w->paths, path);
    return w->paths ? 0 : sl_report_no_memory(w->f);
}

static int write_phase(void *context, const struct sl_saved_phase *phase)
{
    struct writing *w = context;
    w->paths = json_array();
    w->weight = phase->weight;
    int result = sl_saved_phase_entries(w->database, w->profile, phase->number, add_path, w, w->f);
    if (result) {
        json_decref(w->paths);
        return result;
    }
    fputs(w->begun ? ",\n    " : ",\n   \"phases\": [\n    ", w->out);
    w->begun = true;
    return sl_json_dump(
        sl_json_object("number", sl_json_number(phase->number), "kind", sl_json_number(phase->kind),
                       "first_event", sl_json_number(phase->first_event), "events",
                       sl_json_number(phase->events), "weight", sl_json_number(phase->weight),
                       "turnover", sl_json_real(phase->turnover), "paths", w->paths, NULL),
        w->out, w->f);
}

int sl_json_phases(struct sl_database *database, const struct sl_saved_profile *profile, FILE *out,
                   struct sl_failure *f)
{
    struct writing w = {
        .database = database, .profile = profile, .views = {database, NULL}, .out = out, .f = f};
    int result = sl_saved_phases(database, profile, write_phase, &w, f);
    if (w.begun)
        fputs("]", out);
    sl_entry_views_close(&w.views);
    return result;
}
