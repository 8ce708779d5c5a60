/* SPDX-License-Identifier: MIT */
/* Chooses the cost columns of the export formats from the profiles of a database (costs.h). For
 * each metric, a block profile is preferred to a function profile. For instructions, a block
 * profile with the metric `instructions` is preferred to one with the metric `count`, whose counts
 * are multiplied by the number of instructions per block. */
#include "costs.h"

#include <string.h>

#include "failure.h"
#include "utf8.h"

/* ---- columns ---- */

/* Blocks are better than functions, and counted costs better than scaled executions. */
enum { RANK_NONE, RANK_FUNCTION, RANK_SCALED, RANK_BLOCK };

bool sl_cost_is_inclusive(const struct sl_db_profile *profile)
{
    return sl_detector_counts_functions(profile->detector) && sl_db_overlaps(profile);
}

static bool describe(const struct sl_db_profile *profile, struct sl_cost_column *column)
{
    bool counts = !profile->metric->weigh;
    bool of_blocks = profile->detector->second.type == SL_FIELD_END;
    if ((!of_blocks && !sl_detector_counts_functions(profile->detector)) ||
        sl_cost_is_inclusive(profile))
        return false;
    *column = (struct sl_cost_column){
        .name = !counts     ? profile->metric->name
                : of_blocks ? "instructions"
                            : "entries",
        .unit = profile->metric->unit,
        .profile = profile->id,
        .rank = !of_blocks ? RANK_FUNCTION
                : counts   ? RANK_SCALED
                           : RANK_BLOCK,
        .of_blocks = of_blocks,
        .scaled = of_blocks && counts,
    };
    return true;
}

static void add_column(struct sl_costs *costs, const struct sl_db_profile *profile)
{
    struct sl_cost_column column;
    size_t at = 0;
    if (!describe(profile, &column))
        return;
    while (at < costs->n_columns && strcmp(costs->column[at].name, column.name))
        at++;
    if (at == SL_COST_COLUMNS || costs->column[at].rank >= column.rank)
        return;
    costs->column[at] = column;
    costs->of_blocks = costs->of_blocks || column.of_blocks;
    costs->n_columns += at == costs->n_columns;
}

int sl_costs_open_any(struct sl_costs *costs, struct sl_database *database, uint64_t n,
                      struct sl_failure *f)
{
    *costs = (struct sl_costs){.database = database, .n = n};
    for (size_t i = 0; i < database->profiles.n; i++)
        add_column(costs, &database->profiles.profile[i]);
    int result = costs->n_columns ? sl_db_code(database, &costs->code, f) : 0;
    if (!result && costs->n_columns)
        result = sl_db_lines_load(&costs->lines, database, false, f);
    if (result)
        sl_costs_close(costs);
    return result;
}

int sl_costs_open(struct sl_costs *costs, struct sl_database *database, uint64_t n,
                  struct sl_failure *f)
{
    int result = sl_costs_open_any(costs, database, n, f);
    if (result || costs->n_columns)
        return result;
    return sl_fail(f, SL_EUSAGE,
                   "this format needs a function or block profile, "
                   "and the database has none: run again with the profile function or block");
}

void sl_costs_close(struct sl_costs *costs)
{
    sl_db_code_free(&costs->code);
    sl_db_lines_free(&costs->lines);
}

uint64_t sl_cost_part(uint64_t whole, uint64_t before, uint64_t count, uint64_t n)
{
    unsigned __int128 all = whole;
    return n ? (uint64_t)(all * (before + count) / n - all * before / n) : 0;
}

int sl_compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

size_t sl_costs_block_column(const struct sl_costs *costs, const char *name)
{
    size_t i = 0;
    while (i < costs->n_columns &&
           (!costs->column[i].of_blocks || (name && strcmp(costs->column[i].name, name))))
        i++;
    return i;
}

const char *sl_cost_line(const struct sl_cost_location *at, char buffer[SL_COST_LINE_SIZE])
{
    if (!at->file || !at->line)
        return NULL;
    snprintf(buffer, SL_COST_LINE_SIZE, "%s:%d", sl_file_name(at->file), at->line);
    return buffer;
}

static int inlined_frames(const struct sl_db_inlined *inlined, sl_cost_frame *frame, void *context)
{
    int result = inlined ? inlined_frames(inlined->parent, frame, context) : 0;
    return result || !inlined ? result : frame(context, inlined->name, inlined->file, 0);
}

int sl_cost_frames(const struct sl_cost_location *at, sl_cost_frame *frame, void *context)
{
    char text[SL_COST_LINE_SIZE];
    const char *line = at->is_block ? sl_cost_line(at, text) : NULL;
    int result = frame(context, at->object_name, NULL, 0);
    if (!result)
        result = frame(context, at->function, at->function_file ? at->function_file : at->file, 0);
    if (!result)
        result = inlined_frames(at->inlined, frame, context);
    return !result && line ? frame(context, line, at->file, at->line) : result;
}
