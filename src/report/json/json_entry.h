/* SPDX-License-Identifier: MIT */
/* What an entry is about, in the JSON reports. */
#ifndef SL_JSON_ENTRY_H
#define SL_JSON_ENTRY_H

#include <jansson.h>

#include "entry_view.h"

/* Sets all that is known of an entry that the view has looked at, as sl_json_set does. */
void sl_json_set_tuple(json_t **object, const struct sl_entry_view *view,
                       const struct sl_saved_entry *entry);

#endif
