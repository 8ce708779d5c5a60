/* SPDX-License-Identifier: MIT */
/* Writes one line of JSON for each interval while the program runs (--live=json). docs/json.md
 * documents the keys. */
#include <stdlib.h>

#include "json.h"
#include "entry_view.h"
#include "shown.h"

static json_t *list_of(const struct sl_live_candidate *candidate, size_t n, bool shared,
                       bool current)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n && list; i++) {
        const struct sl_live_candidate *c = &candidate[i];
        struct sl_live_view v;
        json_t *object = sl_json_object("count", sl_json_number(c->entry.count), NULL);
        if (current)
            sl_json_set(&object, "new", json_boolean(c->is_new));
        if (shared)
            sl_json_set(&object, "detector", sl_json_text(c->detector));
        sl_live_view_look(&v, c);
        sl_entry_set_json(&v.view, &object);
        sl_json_append(&list, object);
    }
    return list;
}

/* Escapes control characters in names, because lines may go to a terminal. Returns NULL if out of
 * memory. */
static char *shown_line(const json_t *object)
{
    char *line = NULL;
    size_t size;
    FILE *to = open_memstream(&line, &size),
         *shown = to ? sl_shown_open(to, SL_SHOWN_AS_JSON, NULL) : NULL;
    int error = shown ? json_dumpf(object, shown, JSON_COMPACT | JSON_REAL_PRECISION(6)) : -1;
    if (shown)
        error = sl_shown_close(shown, to, error, "a line", NULL);
    if (to && fclose(to))
        error = -1;
    if (error >= 0)
        return line;
    free(line);
    return NULL;
}

char *sl_live_json(const struct sl_live_interval *l)
{
    if (!(l && l->interval))
        return NULL;
    const struct sl_interval *i = l->interval;
    json_t *object = sl_json_object(
        "profile", sl_json_number(l->result), "spec", sl_json_text(l->spec), "id",
        sl_json_number(i->number), "first_event", sl_json_number(i->first_event), "events",
        sl_json_number(i->events), "weight", sl_json_number(i->weight), "threshold",
        sl_json_number(i->threshold), "drops", sl_json_number(i->drops), "partial",
        json_boolean(i->partial), NULL);
    sl_json_set(&object, "new_candidates", sl_json_number(l->n_new));
    sl_json_set(&object, "still_hot_candidates", sl_json_number(l->n_candidates - l->n_new));
    sl_json_set(&object, "gone_candidates", sl_json_number(l->n_gone));
    sl_json_set(&object, "candidates", list_of(l->candidate, l->n_candidates, l->shared, true));
    sl_json_set(&object, "gone", list_of(l->gone, l->n_gone, l->shared, false));
    char *line = object ? shown_line(object) : NULL;
    json_decref(object);
    return line;
}
