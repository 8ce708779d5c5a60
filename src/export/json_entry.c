#include "json_entry.h"

#include <string.h>

#include "json_value.h"

/* The path that was looked at last. */
static json_t *path_object(const struct sl_path_view *view, uint64_t start, uint64_t value)
{
    char outcomes[SL_PATH_OUTCOMES_ROOM];
    const char *line[SL_PATH_LINES_MAX];
    size_t n_lines = sl_path_view_lines(view, line);
    json_t *path = json_object(), *blocks = json_array(), *lines = json_array();
    int error = 0;
    for (size_t i = 0; i < view->walk.n; i++) {
        uint64_t pc = view->code.statics.block[view->walk.block[i]].pc;
        error |= json_array_append_new(blocks, sl_json_hex(pc));
    }
    for (size_t i = 0; i < n_lines; i++)
        error |= json_array_append_new(lines, sl_json_text(line[i]));
    error |= json_object_set_new(path, "start", sl_json_hex(start));
    error |= json_object_set_new(path, "branches", sl_json_number(sl_path_length(value)));
    error |= json_object_set_new(path, "outcomes",
                                 sl_json_text(sl_path_outcomes(value, outcomes)));
    error |= json_object_set_new(path, "blocks", blocks);
    error |= json_object_set_new(path, "lines", lines);
    error |= json_object_set_new(path, "whole", json_boolean(view->walk.whole));
    if (!error)
        return path;
    json_decref(path);
    return NULL;
}

/* Their names, the nearest first. */
static json_t *callers(const struct sl_context_tree *tree, const struct sl_saved_entry *entry)
{
    json_t *list = json_array();
    uint32_t at = sl_context_find(tree, entry->at.address, entry->value);
    int error = 0;
    while (at != SL_NO_INDEX && (at = tree->context[at].parent) != SL_NO_INDEX)
        error |= json_array_append_new(
            list, sl_json_text(tree->function[tree->context[at].function].name));
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

static int set_second(json_t *object, const struct sl_saved_profile *profile,
                      const struct sl_saved_entry *entry, const struct sl_path_view *paths,
                      const struct sl_context_tree *contexts)
{
    int error = 0;
    switch (profile->second) {
    case SL_SECOND_NONE:
        if (!strcmp(profile->detector, "function"))
            error = json_object_set_new(object, "function", sl_json_text(entry->at.function));
        break;
    case SL_SECOND_VALUE:
        error = json_object_set_new(object, "value", sl_json_hex(entry->value));
        break;
    case SL_SECOND_SLOT:
        error = json_object_set_new(object, "slot",
                                    entry->value ? sl_json_hex(entry->value) : json_null());
        break;
    case SL_SECOND_END:
        error = json_object_set_new(object, "end", sl_json_hex(entry->value));
        break;
    case SL_SECOND_LOOP:
        error = json_object_set_new(object, "function", sl_json_text(entry->at.function));
        error |= json_object_set_new(object, "branch",
                                     entry->value ? sl_json_hex(entry->value) : json_null());
        error |= json_object_set_new(
            object, "lines",
            sl_json_own_text(entry->value ? sl_saved_lines(&entry->at, &entry->to) : NULL));
        break;
    case SL_SECOND_CONTEXT:
        error = json_object_set_new(object, "function", sl_json_text(entry->at.function));
        error |= json_object_set_new(object, "callers", callers(contexts, entry));
        break;
    case SL_SECOND_PATH:
        error = json_object_set_new(object, "path", path_object(paths, entry->at.address, entry->value));
        break;
    case SL_SECOND_TARGET:
        error |= json_object_set_new(object, "target", sl_json_hex(entry->value));
        error |= json_object_set_new(object, "target_symbol",
                                     sl_json_own_text(sl_saved_symbol(&entry->to)));
        error |= json_object_set_new(object, "target_line",
                                     sl_json_own_text(sl_saved_line(&entry->to)));
        break;
    }
    return error;
}

int sl_json_set_tuple(json_t *object, const struct sl_saved_profile *profile,
                      const struct sl_saved_entry *entry, const struct sl_path_view *paths,
                      const struct sl_context_tree *contexts)
{
    int error = json_object_set_new(object, "pc", sl_json_hex(entry->at.address));
    error |= json_object_set_new(object, "symbol", sl_json_own_text(sl_saved_symbol(&entry->at)));
    error |= json_object_set_new(object, "object", sl_json_text(entry->at.object));
    error |= json_object_set_new(object, "line", sl_json_own_text(sl_saved_line(&entry->at)));
    return error | set_second(object, profile, entry, paths, contexts);
}
