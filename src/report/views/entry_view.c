/* SPDX-License-Identifier: MIT */
/* Formats entries of profiles, for example "main+0x1c -> is_prime", for the text, HTML and JSON
 * reports (entry_view.h). The second field of a tuple is formatted by its type (field_forms.c). */
#include "live.h"
#include "entry_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "event_set.h"
#include "utf8.h"
#include "json.h"

int sl_entry_view_open(struct sl_entry_view *view, struct sl_database *database,
                       const struct sl_db_profile *profile, struct sl_failure *f)
{
    *view = (struct sl_entry_view){.profile = profile};
    int result = sl_path_view_open(&view->paths, database, profile, f);
    if (!result && profile->detector->second.type == SL_FIELD_CALLERS)
        result = sl_context_tree_load(&view->contexts, database, &profile, 1, f);
    enum sl_field_type first = profile->detector->first;
    if (!result && (first == SL_FIELD_CODE || first == SL_FIELD_LOOP))
        result = sl_db_lines_load(&view->lines, database, false, f);
    return result;
}

void sl_entry_view_close(struct sl_entry_view *view)
{
    sl_path_view_close(&view->paths);
    sl_context_tree_free(&view->contexts);
    sl_db_lines_free(&view->lines);
}

int sl_entry_view_look(struct sl_entry_view *view, const struct sl_db_entry *entry,
                       struct sl_failure *f)
{
    view->entry = entry;
    return sl_path_view_look(&view->paths, entry, f);
}

int sl_entry_views_look(struct sl_entry_views *views, int64_t of,
                        const struct sl_db_profile *default_profile,
                        const struct sl_db_entry *entry, const struct sl_entry_view **view,
                        struct sl_failure *f)
{
    const struct sl_db_profiles *all = &views->database->profiles;
    size_t i = of >= 0 && (uint64_t)of < all->n ? (size_t)of
                                                : (size_t)(default_profile - all->profile);
    int result = 0;
    if (!views->view && !(views->view = calloc(all->n + 1, sizeof *views->view)))
        return sl_db_fail_memory(f);
    *view = &views->view[i];
    if (!views->view[i].profile)
        result = sl_entry_view_open(&views->view[i], views->database, &all->profile[i], f);
    return result ? result : sl_entry_view_look(&views->view[i], entry, f);
}

void sl_entry_views_close(struct sl_entry_views *views)
{
    for (size_t i = 0; views->view && i < views->database->profiles.n; i++)
        sl_entry_view_close(&views->view[i]);
    free(views->view);
    views->view = NULL;
}

char *sl_entry_symbol(const struct sl_db_profile *profile, const struct sl_db_entry *entry)
{
    char events[200];
    switch (profile->detector->first) {
    case SL_FIELD_EVENTS:
        sl_event_set_name(entry->at.address, events, sizeof events);
        return strdup(events);
    case SL_FIELD_FUNCTION:
        if (!entry->at.address)
            return strdup("(code without a symbol)");
        /* fall through */
    default:
        return sl_db_symbol(&entry->at);
    }
}

/* The function of an inlined context; NULL if the entry is not an inlined context. */
static const struct sl_context_function *inlined_context(const struct sl_entry_view *view)
{
    const struct sl_context_tree *tree = &view->contexts;
    uint32_t at = tree->has_frames
                      ? sl_context_find(tree, view->entry->at.address, view->entry->value)
                      : SL_NO_INDEX;
    return at != SL_NO_INDEX && tree->context[at].frame
               ? &tree->function[tree->context[at].function]
               : NULL;
}

const char *sl_entry_inlined_at(const struct sl_entry_view *view, uint64_t address)
{
    const struct sl_db_span *span = sl_db_span_at(&view->lines, address);
    return span && span->inlined ? span->inlined->name : NULL;
}

/* The function inlined at the entry's address; NULL if there is none, or if the entry is a
 * function. */
static const char *inlined_there(const struct sl_entry_view *view)
{
    bool whole_function = view->profile->detector->first == SL_FIELD_LOOP && !view->entry->value;
    return whole_function ? NULL : sl_entry_inlined_at(view, view->entry->at.address);
}

/* Appends the inlined function, if there is one. Takes `where`. */
static char *with_inlined(const struct sl_entry_view *view, char *where)
{
    const char *name = inlined_there(view);
    char *text = where && name ? sl_asprintf("%s (%s)", where, name) : where;
    if (text != where)
        free(where);
    return text;
}

char *sl_entry_where(const struct sl_entry_view *view)
{
    const struct sl_context_function *context = inlined_context(view);
    return context ? sl_asprintf("%s [inlined]", context->name)
                   : with_inlined(view, sl_entry_symbol(view->profile, view->entry));
}

char *sl_entry_line(const struct sl_entry_view *view)
{
    const struct sl_context_function *context = inlined_context(view);
    if (!context)
        return sl_db_line(&view->entry->at);
    return context->line ? strdup(context->line) : NULL;
}

static const struct sl_field_format *format_of(const struct sl_db_profile *profile)
{
    return &sl_field_formats[profile->detector->second.type];
}

bool sl_entry_format(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    const struct sl_field_format *format = format_of(view->profile);
    bool context = inlined_context(view);
    *strings = (struct sl_entry_strings){
        .where = context ? sl_entry_where(view) : sl_entry_symbol(view->profile, view->entry),
        .line = sl_entry_line(view)};
    char *cell[SL_ENTRY_CELLS] = {NULL};
    if (format->strings) {
        format->strings(view, strings);
    } else if (format->cells) {
        format->cells(view, cell);
        strings->second = cell[0];
    }
    strings->where = sl_own_printable(with_inlined(view, strings->where));
    strings->line = sl_own_printable(strings->line);
    strings->second = sl_own_printable(strings->second);
    strings->second_line = sl_own_printable(strings->second_line);
    return strings->where;
}

void sl_entry_strings_free(struct sl_entry_strings *strings)
{
    free(strings->where);
    free(strings->line);
    free(strings->branches);
    free(strings->second);
    free(strings->second_line);
    *strings = (struct sl_entry_strings){0};
}

char *sl_entry_text(const struct sl_entry_view *view)
{
    struct sl_entry_strings strings;
    bool whole = sl_entry_format(view, &strings);
    bool more = strings.second && strings.second[0];
    char *text = whole ? sl_asprintf("%s%s%s", strings.where, more ? " " : "",
                                     more ? strings.second : "")
                       : NULL;
    sl_entry_strings_free(&strings);
    return text;
}

size_t sl_entry_headings(const struct sl_db_profile *profile, const char *heading[SL_ENTRY_CELLS])
{
    const struct sl_field *field = &profile->detector->second;
    if (!format_of(profile)->cells)
        return 0;
    heading[0] = field->heading ? field->heading : field->name;
    heading[1] = format_of(profile)->more;
    return heading[1] ? 2 : 1;
}

size_t sl_entry_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    const struct sl_field_format *format = format_of(view->profile);
    cell[0] = cell[1] = NULL;
    if (!format->cells)
        return 0;
    format->cells(view, cell);
    return format->more ? 2 : 1;
}

void sl_entry_set_json(const struct sl_entry_view *view, json_t **object)
{
    const struct sl_detector_kind *detector = view->profile->detector;
    const struct sl_field_format *format = format_of(view->profile);
    bool of_function = detector->first == SL_FIELD_FUNCTION || detector->first == SL_FIELD_LOOP;
    const struct sl_context_function *inlined = inlined_context(view);
    char *symbol = detector->first == SL_FIELD_EVENTS ? sl_entry_symbol(view->profile, view->entry)
                   : inlined                          ? strdup(inlined->name)
                                                      : sl_db_symbol(&view->entry->at);
    char *line = sl_entry_line(view);
    const char *within = inlined_there(view);
    sl_json_set(object, "pc", sl_json_hex(view->entry->at.address));
    sl_json_set(object, "symbol", sl_json_text(symbol));
    sl_json_set(object, "object", sl_json_text(view->entry->at.object));
    sl_json_set(object, "line", sl_json_text(line));
    if (of_function)
        sl_json_set(object, "function",
                    sl_json_text(inlined ? inlined->name : view->entry->at.function));
    if (inlined)
        sl_json_set(object, "inlined", json_true());
    if (within)
        sl_json_set(object, "inlined_function", sl_json_text(within));
    free(symbol);
    free(line);
    if (format->json)
        format->json(view, detector->second.name, object);
}

const char *sl_entry_field(const struct sl_field *field, uint64_t value,
                           char buffer[SL_ENTRY_FIELD_SIZE])
{
    buffer[0] = '\0';
    if (sl_field_formats[field->type].text)
        sl_field_formats[field->type].text(value, buffer);
    else if (field->type != SL_FIELD_NOTHING)
        snprintf(buffer, SL_ENTRY_FIELD_SIZE, "0x%" PRIx64, value);
    return buffer;
}

/* ---- heavy hitters of a running program ---- */

void sl_live_view_look(struct sl_live_view *v, const struct sl_live_candidate *c)
{
    *v = (struct sl_live_view){
        .profile = {.detector = c->of->kind, .config = c->of->config},
        .view = {.profile = &v->profile, .entry = &v->entry},
        .entry = {.count = c->entry.count,
                  .low = c->entry.low,
                  .high = c->entry.high,
                  .value = c->entry.tuple.value,
                  .at = {.address = c->entry.tuple.pc},
                  .to = {.address = c->entry.tuple.value}},
    };
    if (c->at)
        v->entry.at = *c->at;
    if (c->to)
        v->entry.to = *c->to;
}

void sl_live_text(const struct sl_live_candidate *candidate, char *what, size_t what_size,
                  char *where, size_t where_size)
{
    if (!(candidate && candidate->of && what && where))
        return;
    struct sl_live_view v;
    sl_live_view_look(&v, candidate);
    char *text = sl_entry_text(&v.view), *line = sl_own_printable(sl_entry_line(&v.view));
    snprintf(what, what_size, "%s", text ? text : "");
    snprintf(where, where_size, "%s", line ? line : "");
    free(text);
    free(line);
}
