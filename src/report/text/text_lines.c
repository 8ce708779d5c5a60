/* SPDX-License-Identifier: MIT */
/* Text report of the costs of source lines, from a block profile:
 *
 *     1,115,203  12.76%  weigh, inlined in main  in.c:4
 *       792,009   9.06%  cmp                     in.c:3
 *                 21.82%  of 8,739,225 instructions; 1,204 more lines
 *
 * A line that was inlined in several functions has a row for each of them. Code without line
 * information is one row per function. */
#include "text.h"

#include <string.h>

#include "hot_lines.h"

enum column { COST, SHARE, FUNCTION, LINE };

bool sl_text_is_lines(const struct sl_db_profiles *profiles, size_t i)
{
    const struct sl_db_profile *profile = &profiles->profile[i];
    for (size_t k = 0; k < i; k++)
        if (profiles->profile[k].detector == profile->detector &&
            profiles->profile[k].metric == profile->metric)
            return false;
    return profile->detector->second.type == SL_FIELD_END && profile->metric->weigh &&
           !profile->shared && !strcmp(profile->table, "exact");
}

static int print(const struct sl_output *o, const struct sl_hot_lines *lines,
                 const struct sl_db_profile *profile, size_t n)
{
    struct sl_text_table table = {.columns = "rrss"};
    uint64_t shown = 0, more = lines->n - n;
    for (size_t i = 0; i < n; i++) {
        const struct sl_hot_line *line = &lines->line[i];
        sl_text_row(&table);
        sl_text_put_number(&table, COST, line->cost);
        sl_text_put_percentage(&table, SHARE, line->cost, profile->weight);
        sl_text_put(&table, FUNCTION, line->function);
        sl_text_put(&table, LINE, line->where);
        shown += line->cost;
    }
    const struct sl_text_sum sum = {
        shown, profile->weight, profile->metric->units, more, more == 1 ? "line" : "lines", NULL};
    return sl_text_finish_sum(&table, &sum, SHARE, o->width, o->out) ? 0
                                                                     : sl_report_no_memory(o->f);
}

int sl_text_lines(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n)
{
    struct sl_hot_lines lines;
    int result = sl_hot_lines_load(&lines, o->database, profile->metric->name, true, o->f);
    if (!result)
        result = print(o, &lines, profile, n && n < lines.n ? n : lines.n);
    sl_hot_lines_free(&lines);
    return result;
}
