#include "context_view.h"

#include <stdio.h>

int sl_context_view_open(struct sl_context_tree *tree, sqlite3 *database,
                         const struct sl_saved_profile *profile, struct sl_failure *f)
{
    *tree = (struct sl_context_tree){0};
    if (profile->second != SL_SECOND_CONTEXT)
        return 0;
    return sl_context_tree_load(tree, database, &profile, 1, f);
}

char *sl_context_view_callers(const struct sl_context_tree *tree,
                              const struct sl_saved_entry *entry)
{
    char *text = NULL;
    size_t size;
    bool first = true;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    uint32_t at = sl_context_find(tree, entry->at.address, entry->value);
    while (at != SL_NO_INDEX && (at = tree->context[at].parent) != SL_NO_INDEX) {
        fprintf(out, "%s< %s", first ? "" : " ", tree->function[tree->context[at].function].name);
        first = false;
    }
    return fclose(out) ? NULL : text;
}
