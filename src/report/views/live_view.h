/* SPDX-License-Identifier: MIT */
/* A candidate of an interval as an entry of a report, so that it reads like one. */
#ifndef SL_LIVE_VIEW_H
#define SL_LIVE_VIEW_H

#include "entry_view.h"

struct sl_live_view {
    struct sl_saved_profile profile;
    struct sl_entry_view view;
    struct sl_saved_entry entry;
};

/* Without what only a whole database has: the blocks of a path, the callers of a context. Nothing
 * is to be freed; `view` must stay where it is. */
void sl_live_view_look(struct sl_live_view *view, const struct sl_live_candidate *candidate);

#endif
