/* SPDX-License-Identifier: MIT */
/* Heavy hitters of a running program as entries of a report. */
#include "entry_view.h"

#include "live.h"

void sl_live_view_look(struct sl_live_view *v, const struct sl_live_candidate *c)
{
    *v = (struct sl_live_view){
        .profile = {.detector = c->of->kind, .config = c->of->config},
        .view = {.profile = &v->profile},
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

void sl_live_text(const struct sl_live_candidate *candidate, char *what, size_t what_room,
                  char *where, size_t where_room)
{
    struct sl_live_view v;
    struct sl_entry_strings said;
    sl_live_view_look(&v, candidate);
    bool whole = sl_entry_format(&v.view, &v.entry, &said);
    bool more = whole && said.second && said.second[0];
    snprintf(what, what_room, "%s%s%s", whole ? said.where : "", more ? " " : "",
             more ? said.second : "");
    snprintf(where, where_room, "%s", said.line ? said.line : "");
    sl_entry_strings_free(&said);
}
