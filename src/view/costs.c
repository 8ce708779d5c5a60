#include "costs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "passage.h"
#include "utf8.h"

/* ---- columns ----------------------------------------------------------- */

/* Finer is better, and what was counted is better than what was worked out. */
enum { RANK_NONE, RANK_FUNCTION, RANK_SCALED, RANK_BLOCK };

bool sl_cost_is_inclusive(const struct sl_saved_profile *profile)
{
    return profile->detector == &sl_detector_function && sl_saved_overlaps(profile);
}

static bool describe(const struct sl_saved_profile *profile, struct sl_cost_column *column)
{
    bool counts = !profile->metric->weigh;
    bool of_blocks = profile->detector == &sl_detector_block;
    if ((!of_blocks && profile->detector != &sl_detector_function) || sl_cost_is_inclusive(profile))
        return false;
    *column = (struct sl_cost_column){
        .name = !counts ? profile->metric->name : of_blocks ? "instructions" : "entries",
        .unit = profile->metric->unit,
        .profile = profile->id,
        .rank = !of_blocks ? RANK_FUNCTION : counts ? RANK_SCALED : RANK_BLOCK,
        .of_blocks = of_blocks,
        .scaled = of_blocks && counts,
    };
    return true;
}

static void add_column(struct sl_costs *costs, const struct sl_saved_profile *profile)
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

int sl_costs_open(struct sl_costs *costs, struct sl_database *database,
                  const struct sl_report_config *config, struct sl_failure *f)
{
    *costs = (struct sl_costs){.database = database, .n = config->n};
    for (size_t i = 0; i < database->profiles.n; i++)
        add_column(costs, &database->profiles.profile[i]);
    if (!costs->n_columns)
        return sl_fail(f, SL_EUSAGE, "this format is made from profiles of functions or blocks, "
                         "and the database has none; record it with the profile function or block");
    return sl_saved_code(database, &costs->code, f);
}

void sl_costs_close(struct sl_costs *costs)
{
    sl_saved_code_free(&costs->code);
}

/* ---- places ------------------------------------------------------------ */

/* A place with its texts, made printable. */
struct shown {
    struct sl_cost_place place;
    char *path, *object_name, *function, *function_file, *file;
};

static char *name_function(const struct sl_cost_place *at)
{
    /* A block has no name of its own, and a file full of them should not look so. */
    return at->is_block      ? strdup("???")
           : at->object_name ? sl_own_format("%s+0x%" PRIx64, at->object_name, at->own_address)
           : at->address     ? sl_own_format("0x%" PRIx64, at->address)
                             : strdup("(code without a symbol)");
}

static char *copy(const char *text, bool *whole)
{
    char *clean = text ? sl_utf8_printable(text) : NULL;
    *whole = *whole && (clean || !text);
    return clean;
}

/* False when memory ran out; to be freed in any case. */
static bool show(struct shown *shown, const struct sl_cost_place *at, bool is_block)
{
    bool whole = true;
    *shown = (struct shown){*at, copy(at->path, &whole), copy(at->object_name, &whole),
                            copy(at->function, &whole), copy(at->function_file, &whole),
                            copy(at->file, &whole)};
    struct sl_cost_place *place = &shown->place;
    place->path = shown->path;
    place->object_name = shown->object_name;
    place->is_block = is_block;
    if (whole && !shown->function)
        whole = (shown->function = name_function(place));
    place->function = shown->function;
    place->function_file = shown->function_file;
    place->file = shown->file;
    return whole;
}

static void free_shown(struct shown *shown)
{
    free(shown->path);
    free(shown->object_name);
    free(shown->function);
    free(shown->function_file);
    free(shown->file);
}

const char *sl_cost_line(const struct sl_cost_place *at, char room[SL_COST_LINE_ROOM])
{
    if (!at->file || !at->line)
        return NULL;
    const char *slash = strrchr(at->file, '/');
    snprintf(room, SL_COST_LINE_ROOM, "%s:%d", slash ? slash + 1 : at->file, at->line);
    return room;
}

/* ---- rows --------------------------------------------------------------- */

struct reading {
    const struct sl_costs *costs;
    int (*each)(void *context, const struct sl_cost_place *at, const uint64_t *cost);
    int (*passage)(void *context, const struct sl_cost_place *from,
                   const struct sl_cost_place *to, uint64_t count);
    void *context;
    struct sl_failure *f;
};

static uint64_t instructions(const struct sl_saved_code *code, uint64_t first, uint64_t last)
{
    const struct sl_statics *statics = &code->statics;
    size_t b = sl_saved_code_at(code, first);
    for (; b < statics->n_blocks && statics->block[b].pc == first; b++)
        if (sl_saved_code_last(code, b) == last)
            return statics->block[b].n_insns;
    return 1; /* a made-up stream has no code */
}

static int give_cost(void *context, const struct sl_cost_place *at, uint64_t value,
                     const uint64_t *count)
{
    const struct reading *reading = context;
    const struct sl_costs *costs = reading->costs;
    uint64_t cost[SL_COST_COLUMNS];
    struct shown shown;
    bool of_blocks = false;
    for (size_t i = 0; i < costs->n_columns; i++) {
        cost[i] = count[i];
        of_blocks = of_blocks || (cost[i] && costs->column[i].of_blocks);
        if (cost[i] && costs->column[i].scaled)
            cost[i] *= instructions(&costs->code, at->address, value);
    }
    int result = show(&shown, at, of_blocks) ? reading->each(reading->context, &shown.place, cost)
                                             : sl_saved_fail_memory(reading->f);
    free_shown(&shown);
    return result;
}

int sl_costs_each(const struct sl_costs *costs,
                  int (*each)(void *context, const struct sl_cost_place *at, const uint64_t *cost),
                  void *context, struct sl_failure *f)
{
    struct reading reading = {.costs = costs, .each = each, .context = context, .f = f};
    int64_t profile[SL_COST_COLUMNS];
    for (size_t i = 0; i < costs->n_columns; i++)
        profile[i] = costs->column[i].profile;
    return sl_saved_costs(costs->database, profile, costs->n_columns, costs->n, give_cost, &reading,
                          f);
}

static int give_passage(void *context, const struct sl_cost_place *from,
                        const struct sl_cost_place *to, uint64_t count)
{
    const struct reading *reading = context;
    struct shown shown, to_shown;
    bool whole = show(&shown, from, reading->costs->of_blocks);
    whole = show(&to_shown, to, reading->costs->of_blocks) && whole;
    int result = whole ? reading->passage(reading->context, &shown.place, &to_shown.place, count)
                       : sl_saved_fail_memory(reading->f);
    free_shown(&shown);
    free_shown(&to_shown);
    return result;
}

int sl_costs_passages(const struct sl_costs *costs, const struct sl_detector_kind *detector,
                      int (*each)(void *context, const struct sl_cost_place *from,
                                  const struct sl_cost_place *to, uint64_t count),
                      void *context, struct sl_failure *f)
{
    struct reading reading = {.costs = costs, .passage = each, .context = context, .f = f};
    const struct sl_saved_profile *found =
        sl_passages_profile(&costs->database->profiles, detector);
    return found ? sl_saved_passages(costs->database, found, costs->n, give_passage, &reading, f)
                 : 0;
}
