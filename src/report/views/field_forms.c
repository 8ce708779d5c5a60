/* SPDX-License-Identifier: MIT */
/* Table of formats for the second field of a tuple, one row per field type, for example value,
 * target or path (entry_view.h). The functions of a row format the field as text, as cells of the
 * HTML report and as JSON. */
#include "entry_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "machine_log.h"
#include "utf8.h"

static void set_text(json_t **object, const char *name, char *text)
{
    sl_json_set(object, name, sl_json_text(text));
    free(text);
}

/* Numbers and addresses. */

static void format_number(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    int64_t number = (int64_t)view->entry->value;
    const struct sl_db_span *span = sl_db_span_at(&view->lines, view->entry->value);
    const struct sl_db_function *function = span ? span->function : NULL;
    if (function && function->name) { /* a pointer to code is printed with its name */
        uint64_t inside = view->entry->value - function->start;
        strings->second = inside ? sl_asprintf("0x%" PRIx64 " (%s+0x%" PRIx64 ")",
                                               view->entry->value, function->name, inside)
                                 : sl_asprintf("0x%" PRIx64 " (%s)", view->entry->value,
                                               function->name);
        return;
    }
    /* Small numbers are also printed in decimal. */
    if (number > -1000000 && number < 1000000 && (number < 0 || number > 9))
        strings->second = sl_asprintf("0x%" PRIx64 " (%" PRId64 ")", view->entry->value, number);
    else
        strings->second = sl_asprintf("0x%" PRIx64, view->entry->value);
}

static void format_data(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    strings->second = view->entry->value ? sl_asprintf("0x%" PRIx64, view->entry->value) : NULL;
}

static void number_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    cell[0] = sl_asprintf("0x%" PRIx64, view->entry->value);
}

static void number_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    sl_json_set(object, name, sl_json_hex(view->entry->value));
}

static void data_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    sl_json_set(object, name, view->entry->value ? sl_json_hex(view->entry->value) : json_null());
}

static void stride_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    cell[0] = sl_asprintf("%+" PRId64, (int64_t)view->entry->value);
}

static void stride_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    sl_json_set(object, name, json_integer((json_int_t)view->entry->value));
}

/* Places in code. */

static void format_target(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    char *symbol = sl_db_symbol(&view->entry->to);
    strings->second = symbol ? sl_asprintf("-> %s", symbol) : NULL;
    strings->second_line = sl_db_line(&view->entry->to);
    free(symbol);
}

/* "main+0x14..+0x30". */
static void format_end(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    const struct sl_db_location *at = &view->entry->at, *to = &view->entry->to;
    char *where = strings->where, *end = NULL;
    if (!where || to->address == at->address || !view->entry->value)
        return;
    if (at->function && to->function && at->function_start == to->function_start)
        strings->where = sl_asprintf("%s..+0x%" PRIx64, where, to->address - to->function_start);
    else
        strings->where = (end = sl_db_symbol(to)) ? sl_asprintf("%s..%s", where, end) : NULL;
    free(end);
    free(where);
}

static void format_back(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    format_end(view, strings);
    if (!view->entry->value) {
        strings->second = strdup(sl_db_overlaps(view->profile) ? "(all of the function)"
                                                               : "(in no loop)");
        return;
    }
    free(strings->line);
    strings->line = sl_db_lines(&view->entry->at, &view->entry->to);
}

static void place_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    cell[0] = sl_db_symbol(&view->entry->to);
    cell[1] = sl_db_line(&view->entry->to);
}

static void back_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    if (view->entry->value)
        place_cells(view, cell);
}

static void target_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    char key[64];
    number_json(view, name, object);
    snprintf(key, sizeof key, "%s_symbol", name);
    set_text(object, key, sl_db_symbol(&view->entry->to));
    snprintf(key, sizeof key, "%s_line", name);
    set_text(object, key, sl_db_line(&view->entry->to));
}

static void back_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    data_json(view, name, object);
    set_text(object, "lines",
             view->entry->value ? sl_db_lines(&view->entry->at, &view->entry->to) : NULL);
}

/* Paths. The view holds the walk of this path. */

static void format_path(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    char outcomes[SL_PATH_OUTCOMES_SIZE];
    char *start = strings->where;
    strings->where = start ? sl_path_span(&view->paths, start) : NULL;
    strings->branches = sl_asprintf("%u", sl_path_length(view->entry->value));
    strings->second = strdup(sl_path_outcomes(view->entry->value, outcomes));
    free(start);
}

static void path_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    char outcomes[SL_PATH_OUTCOMES_SIZE];
    cell[0] = strdup(sl_path_outcomes(view->entry->value, outcomes));
    cell[1] = sl_path_lines_whole(&view->paths);
}

static void path_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    const struct sl_path_walk *walk = &view->paths.walk;
    char outcomes[SL_PATH_OUTCOMES_SIZE];
    const char *line[SL_PATH_LINES_MAX];
    json_t *blocks = json_array(), *lines = json_array();
    size_t n = sl_path_view_lines(&view->paths, line);
    for (size_t i = 0; i < walk->n; i++)
        sl_json_append(&blocks, sl_json_hex(view->paths.code.statics.block[walk->block[i]].pc));
    for (size_t i = 0; i < n; i++)
        sl_json_append(&lines, sl_json_text(line[i]));
    sl_json_set(object, name,
                sl_json_object("start", sl_json_hex(view->entry->at.address), "branches",
                               sl_json_number(sl_path_length(view->entry->value)), "outcomes",
                               sl_json_text(sl_path_outcomes(view->entry->value, outcomes)),
                               "blocks", blocks, "lines", lines, "complete",
                               json_boolean(walk->whole), NULL));
}

static void path_text(uint64_t value, char buffer[SL_ENTRY_FIELD_SIZE])
{
    _Static_assert(SL_PATH_OUTCOMES_SIZE <= SL_ENTRY_FIELD_SIZE, "all branches of a path");
    sl_path_outcomes(value, buffer);
}

/* Calling contexts: the callers, the nearest first. JSON has the index of the caller's entry, which
 * has a caller itself, and the names of the nearest only: those of all would be most of a
 * report. */
#define CALLERS_MAX 3

static uint32_t caller_of(const struct sl_context_tree *tree, uint32_t at)
{
    return at == SL_NO_INDEX ? at : tree->context[at].parent;
}

static const char *caller_name(const struct sl_context_tree *tree, uint32_t at)
{
    return tree->function[tree->context[at].function].name;
}

static void callers_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    const struct sl_context_tree *tree = &view->contexts;
    uint32_t at = sl_context_find(tree, view->entry->at.address, view->entry->value);
    size_t size;
    bool first = true;
    FILE *out = open_memstream(&cell[0], &size);
    if (!out)
        return;
    for (; (at = caller_of(tree, at)) != SL_NO_INDEX; first = false)
        fprintf(out, "%s< %s", first ? "" : " ", caller_name(tree, at));
    fclose(out);
}

static void callers_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    const struct sl_context_tree *tree = &view->contexts;
    uint32_t at = caller_of(tree,
                            sl_context_find(tree, view->entry->at.address, view->entry->value));
    uint32_t index = at == SL_NO_INDEX ? SL_NO_INDEX : tree->context[at].entry;
    bool there = index != SL_NO_INDEX && (!view->shown || index < view->shown);
    json_t *names = json_array();
    for (size_t n = 0; at != SL_NO_INDEX && n < CALLERS_MAX; n++, at = caller_of(tree, at))
        sl_json_append(&names, sl_json_text(caller_name(tree, at)));
    sl_json_set(object, "caller", sl_json_number_if(there, index));
    sl_json_set(object, name, names);
}

/* Slots of virtual tables: "vtable for Circle+0x10". */

static void slot_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    cell[0] = sl_db_symbol(&view->entry->to);
}

static void format_slot(const struct sl_entry_view *view, struct sl_entry_strings *strings)
{
    strings->second = view->entry->value ? sl_db_symbol(&view->entry->to) : NULL;
}

static void slot_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    data_json(view, name, object);
    set_text(object, "slot_symbol",
             view->entry->to.function ? sl_db_symbol(&view->entry->to) : NULL);
}

/* Kinds of costs: "waiting for data", the CPU model's name for it. */

static void cause_text(uint64_t value, char buffer[SL_ENTRY_FIELD_SIZE])
{
    snprintf(buffer, SL_ENTRY_FIELD_SIZE, "%s", sl_cause_name(value));
}

static void cause_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS])
{
    cell[0] = strdup(sl_cause_name(view->entry->value));
}

static void cause_json(const struct sl_entry_view *view, const char *name, json_t **object)
{
    sl_json_set(object, name, sl_json_text(sl_cause_name(view->entry->value)));
}

const struct sl_field_format sl_field_formats[SL_FIELD_TYPES] = {
    [SL_FIELD_NUMBER] = {NULL, format_number, number_cells, number_json, NULL},
    [SL_FIELD_VALUE] = {NULL, format_number, number_cells, number_json, NULL},
    [SL_FIELD_DATA] = {NULL, format_data, number_cells, data_json, NULL},
    [SL_FIELD_SLOT] = {NULL, format_slot, slot_cells, slot_json, NULL},
    [SL_FIELD_STRIDE] = {NULL, NULL, stride_cells, stride_json, NULL},
    [SL_FIELD_TARGET] = {"line", format_target, place_cells, target_json, NULL},
    [SL_FIELD_CALLEE] = {"line", format_target, place_cells, target_json, NULL},
    [SL_FIELD_END] = {"line", format_end, place_cells, number_json, NULL},
    [SL_FIELD_BACK] = {"line", format_back, back_cells, back_json, NULL},
    [SL_FIELD_OUTCOMES] = {"along", format_path, path_cells, path_json, path_text},
    [SL_FIELD_CAUSE] = {NULL, NULL, cause_cells, cause_json, cause_text},
    [SL_FIELD_CALLERS] = {NULL, NULL, callers_cells, callers_json, NULL},
};
