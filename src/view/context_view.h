/* Who called, for reports that show the entries of a profile one by one. */
#ifndef SL_CONTEXT_VIEW_H
#define SL_CONTEXT_VIEW_H

#include "context_tree.h"

/* The tree of a profile of contexts, empty for any other. */
int sl_context_view_open(struct sl_context_tree *tree, sqlite3 *database,
                         const struct sl_saved_profile *profile, struct sl_failure *f);

/* "< main < _start": the callers of an entry, the nearest first; "" if it has none. To be
 * freed; NULL when memory ran out. */
char *sl_context_view_callers(const struct sl_context_tree *tree,
                              const struct sl_saved_entry *entry);

#endif
