/* What an entry is about, in the JSON reports. */
#ifndef SL_JSON_ENTRY_H
#define SL_JSON_ENTRY_H

#include <jansson.h>

#include "context_view.h"
#include "path_view.h"

/* Sets where it is and what else it has, by the profile that it is of: of a path, which `paths`
 * has looked at, where it went; of a context, those in `contexts` that called it. Other than 0
 * when memory ran out. */
int sl_json_set_tuple(json_t *object, const struct sl_saved_profile *profile,
                      const struct sl_saved_entry *entry, const struct sl_path_view *paths,
                      const struct sl_context_tree *contexts);

#endif
