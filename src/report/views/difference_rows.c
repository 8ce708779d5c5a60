/* SPDX-License-Identifier: MIT */
/* Rows of a comparison of two databases: makes their keys, merges rows with equal keys, and
 * sorts them (difference_rows.h). A key consists of object, function, file, inlined function and
 * line (or offset), and is the same in both builds. */
#include "difference_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"
#include "entry_view.h"
#include "grow.h"
#include "utf8.h"

/* ---- rows ---- */

static void free_place(struct sl_difference_place *place)
{
    free(place->function);
    free(place->object);
    free(place->file);
}

void sl_difference_row_free(struct sl_difference_row *row)
{
    free(row->key);
    free(row->second);
    free_place(&row->at);
    free_place(&row->to);
}

/* Adds a row, and takes it. A key or function of NULL means out of memory. */
static int add_row(struct sl_difference_part *part, struct sl_difference_row *row,
                   struct sl_failure *f)
{
    if (row->key && row->at.function && SL_GROW(part->row, part->capacity, part->n + 1)) {
        part->row[part->n++] = *row;
        return 0;
    }
    sl_difference_row_free(row);
    return sl_report_no_memory(f);
}

static int by_key(const void *a, const void *b)
{
    const struct sl_difference_row *x = a, *y = b;
    return strcmp(x->key, y->key);
}

static void add_lines(struct sl_difference_place *to, const struct sl_difference_place *from)
{
    for (int side = 0; side < SL_SIDES; side++)
        if (from->line[side])
            to->line[side] = from->line[side];
}

static void merge_row(void *into, void *row)
{
    struct sl_difference_row *to = into, *from = row;
    for (int side = 0; side < SL_SIDES; side++) {
        to->count[side] += from->count[side];
        to->low[side] += from->low[side];
        to->high[side] += from->high[side];
    }
    add_lines(&to->at, &from->at);
    add_lines(&to->to, &from->to);
    sl_difference_row_free(from);
}

void sl_difference_part_sum_up(struct sl_difference_part *part)
{
    part->n = SL_SORT_AND_MERGE(part->row, part->n, by_key, merge_row);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static int by_change(const void *a, const void *b)
{
    const struct sl_difference_row *x = a, *y = b;
    uint64_t of_x = distance(x->count[SL_BEFORE], x->count[SL_AFTER]);
    uint64_t of_y = distance(y->count[SL_BEFORE], y->count[SL_AFTER]);
    return of_x != of_y ? (of_x > of_y ? -1 : 1) : strcmp(x->key, y->key);
}

/* Order of rows that do not add up: by relative change. */
static int by_growth(const void *a, const void *b)
{
    const struct sl_difference_row *x = a, *y = b;
    double of_x = fabs(sl_difference_growth(x->count[SL_BEFORE], x->count[SL_AFTER]));
    double of_y = fabs(sl_difference_growth(y->count[SL_BEFORE], y->count[SL_AFTER]));
    return of_x > of_y ? -1 : of_x < of_y ? 1 : by_change(a, b);
}

void sl_difference_part_sort(struct sl_difference_part *part)
{
    SL_SORT(part->row, part->n, part->units ? by_change : by_growth);
    for (; part->n; part->n--, part->n_same++) {
        struct sl_difference_row *last = &part->row[part->n - 1];
        if (last->count[SL_BEFORE] != last->count[SL_AFTER])
            break;
        sl_difference_row_free(last);
    }
}

/* ---- places ---- */

/* A place with the names of its database. */
struct spot {
    const char *object, *function, *file, *inlined;
    int line;
    bool whole;      /* the function as a whole */
    uint64_t inside; /* offset in the function or object, or the address itself */
};

/* The name of an object; both programs have the name of the first one. */
static const char *known_object(const struct sl_difference_gathering *g, const char *object)
{
    bool renamed = object && g->side == SL_AFTER && g->program[SL_AFTER] && g->program[SL_BEFORE] &&
                   !strcmp(object, g->program[SL_AFTER]);
    return renamed ? g->program[SL_BEFORE] : object ? object : "";
}

static char *group_of(const struct sl_difference_gathering *g, const struct spot *spot)
{
    return sl_asprintf("%s\037%s\037%s", known_object(g, spot->object),
                       spot->function ? spot->function : "",
                       spot->file ? sl_file_name(spot->file) : "");
}

static char *key_of(const struct sl_difference_gathering *g, const struct spot *spot)
{
    char *group = group_of(g, spot), *key = NULL;
    const char *inlined = spot->inlined ? spot->inlined : "";
    if (!group)
        return NULL;
    if (spot->whole) {
        key = sl_asprintf("%s", group);
    } else if (spot->file && spot->line > 0) {
        int was = g->side == SL_AFTER ? sl_line_match_find(&g->lines, group, spot->line)
                                      : spot->line;
        key = sl_asprintf("%s\037%s\037%s%d", group, inlined, was ? "" : "new ",
                          was ? was : spot->line);
    } else {
        key = sl_asprintf("%s\037%s\0370x%" PRIx64, group, inlined, spot->inside);
    }
    free(group);
    return key;
}

static char *name_of(const struct spot *spot)
{
    bool by_line = spot->whole || (spot->file && spot->line > 0);
    char *name = spot->inlined && spot->function
                     ? sl_asprintf("%s, inlined in %s", spot->inlined, spot->function)
                 : spot->function && by_line ? strdup(spot->function)
                 : spot->function || spot->object
                     ? sl_asprintf("%s+0x%" PRIx64, spot->function ? spot->function : spot->object,
                                   spot->inside)
                     : sl_asprintf("0x%" PRIx64, spot->inside);
    return sl_own_printable(name);
}

static struct sl_difference_place place_of(const struct sl_difference_gathering *g,
                                           const struct spot *spot)
{
    struct sl_difference_place place = {
        .function = name_of(spot),
        .object = spot->object ? sl_utf8_printable(spot->object) : NULL,
        .file = spot->file ? sl_utf8_printable(sl_file_name(spot->file)) : NULL,
    };
    place.line[g->side] = place.file && spot->line > 0 ? spot->line : 0;
    return place;
}

static struct spot spot_of(const struct sl_db_location *at, bool whole)
{
    return (struct spot){
        .object = at->object,
        .function = at->function,
        .file = at->file,
        .line = at->line,
        .whole = whole && at->function,
        .inside = at->function ? at->address - at->function_start
                  : at->object ? at->object_address
                               : at->address,
    };
}

/* ---- entries ---- */

struct entries {
    struct sl_difference_gathering *g;
    struct sl_difference_part *part;
    struct sl_entry_view view;
    struct sl_failure *f;
};

/* Sets place and key from the first field. */
static void set_first(const struct entries *e, const struct sl_db_entry *entry,
                      struct sl_difference_row *row)
{
    const struct sl_detector_kind *detector = e->view.profile->detector;
    bool in_loop = detector->first == SL_FIELD_LOOP && entry->value;
    bool whole = detector->first == SL_FIELD_FUNCTION ||
                 (detector->first == SL_FIELD_LOOP && !in_loop);
    if (detector->first == SL_FIELD_EVENTS ||
        (detector->first == SL_FIELD_FUNCTION && !entry->at.address)) {
        row->at.function = sl_own_printable(sl_entry_symbol(e->view.profile, entry));
        row->key = row->at.function ? strdup(row->at.function) : NULL;
        return;
    }
    struct spot spot = spot_of(&entry->at, whole);
    row->at = place_of(e->g, &spot);
    row->key = key_of(e->g, &spot);
}

static void extend_key(struct sl_difference_row *row, char *by)
{
    char *key = row->key && by ? sl_asprintf("%s\036%s", row->key, by) : NULL;
    free(row->key);
    free(by);
    row->key = key;
}

static void set_second(const struct entries *e, const struct sl_db_entry *entry,
                       struct sl_difference_row *row)
{
    const struct sl_field *field = &e->view.profile->detector->second;
    char outcomes[SL_ENTRY_FIELD_SIZE];
    struct sl_entry_strings strings;
    if (field->type == SL_FIELD_NOTHING || (field->type == SL_FIELD_BACK && !entry->value))
        return;
    if (sl_field_is_address(field)) {
        struct spot spot = spot_of(&entry->to, false);
        row->to = place_of(e->g, &spot);
        extend_key(row, key_of(e->g, &spot));
    } else if (field->type == SL_FIELD_OUTCOMES) {
        row->second = strdup(sl_entry_field(field, entry->value, outcomes));
        extend_key(row, row->second ? strdup(row->second) : NULL);
    } else {
        bool good = sl_entry_format(&e->view, &strings);
        row->second = good && strings.second ? strdup(strings.second) : NULL;
        extend_key(row, good ? strdup(strings.second ? strings.second : "") : NULL);
        sl_entry_strings_free(&strings);
    }
}

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    struct entries *e = context;
    struct sl_difference_row row = {0};
    row.count[e->g->side] = entry->count;
    row.low[e->g->side] = entry->low;
    row.high[e->g->side] = entry->high;
    e->view.entry = entry;
    set_first(e, entry, &row);
    set_second(e, entry, &row);
    return add_row(e->part, &row, e->f);
}

static int gather_entries(struct sl_difference_gathering *g, struct sl_difference_part *part,
                          struct sl_database *database, const struct sl_db_profile *profile,
                          struct sl_failure *f)
{
    struct entries e = {.g = g, .part = part, .f = f};
    int result = 0;
    if (profile->detector->second.type == SL_FIELD_OUTCOMES)
        e.view.profile = profile; /* the blocks of a path are not needed */
    else
        result = sl_entry_view_open(&e.view, database, profile, f);
    if (!result)
        result = sl_db_entries(database, profile, 0, add_entry, &e, f);
    sl_entry_view_close(&e.view);
    part->weight[g->side] += profile->weight;
    return result;
}

/* ---- lines ---- */

struct lines {
    struct sl_difference_gathering *g;
    struct sl_difference_part *part; /* NULL: adds lines to g->lines instead */
    size_t column;
    struct sl_failure *f;
};

static int add_line(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    const struct lines *lines = context;
    struct sl_difference_gathering *g = lines->g;
    struct spot spot = {.object = at->object_name,
                        .function = strcmp(at->function, "???") ? at->function : NULL,
                        .file = at->file,
                        .line = at->line,
                        .inlined = at->inlined ? at->inlined->name : NULL,
                        .whole = true}; /* without a line, the cost is the function's */
    struct sl_difference_row row = {0};
    if (!cost[lines->column])
        return 0;
    if (!lines->part) {
        char *group = group_of(g, &spot);
        bool good = group && (!at->file || sl_line_match_add(&g->lines, g->side, group, at->line,
                                                             cost[lines->column]));
        free(group);
        return good ? 0 : sl_report_no_memory(lines->f);
    }
    if (spot.file && spot.line > 0)
        spot.whole = false;
    else if (!spot.function)
        spot.function = spot.object ? known_object(g, spot.object) : "(code without a symbol)";
    row.at = place_of(g, &spot);
    row.key = key_of(g, &spot);
    row.count[g->side] = cost[lines->column];
    lines->part->weight[g->side] += cost[lines->column];
    return add_row(lines->part, &row, lines->f);
}

/* Adds the lines of the column `by`; NULL: of the first one. */
static int gather_column(struct sl_difference_gathering *g, struct sl_difference_part *part,
                         const struct sl_costs *costs, const char *by, struct sl_failure *f)
{
    struct lines lines = {.g = g, .part = part, .column = sl_costs_block_column(costs, by), .f = f};
    return lines.column < costs->n_columns ? sl_costs_lines(costs, add_line, &lines, f) : 0;
}

static int add_place(void *context, const struct sl_db_entry *entry)
{
    const struct lines *lines = context;
    struct spot spot = spot_of(&entry->at, false);
    char *group = group_of(lines->g, &spot);
    bool good = group && (!spot.file || sl_line_match_add(&lines->g->lines, lines->g->side, group,
                                                          spot.line, entry->count));
    free(group);
    return good ? 0 : sl_report_no_memory(lines->f);
}

const struct sl_db_profile *sl_difference_profile(const struct sl_database *database,
                                                  const struct sl_detector_kind *detector,
                                                  const char *spec)
{
    for (size_t i = 0; i < database->profiles.n; i++) {
        const struct sl_db_profile *profile = &database->profiles.profile[i];
        if (profile->detector == detector && !strcmp(profile->spec, spec))
            return profile;
    }
    return NULL;
}

int sl_difference_gather_lines(struct sl_difference_gathering *g, struct sl_database *database,
                               struct sl_failure *f)
{
    struct lines lines = {.g = g, .f = f};
    struct sl_costs costs;
    const struct sl_db_profile *by = g->by ? sl_difference_profile(database, g->by->detector,
                                                                   g->by->spec)
                                           : NULL;
    int result = sl_costs_open_any(&costs, database, 0, f);
    if (!result && costs.of_blocks)
        result = gather_column(g, NULL, &costs, NULL, f);
    else if (!result && by)
        result = sl_db_entries(database, by, 0, add_place, &lines, f);
    sl_costs_close(&costs);
    return result;
}

/* ---- all of a database ---- */

int sl_difference_gather_rows(struct sl_difference_gathering *g, struct sl_database *database,
                              struct sl_failure *f)
{
    struct sl_costs costs;
    int result = sl_costs_open_any(&costs, database, 0, f);
    for (size_t i = 0; !result && i < g->difference->n; i++) {
        struct sl_difference_part *part = &g->difference->part[i];
        const struct sl_db_profile *profile = sl_difference_profile(database, part->detector,
                                                                    part->name);
        if (part->of_lines && costs.of_blocks)
            result = gather_column(g, part, &costs, part->name + strlen("line:"), f);
        else if (profile)
            result = gather_entries(g, part, database, profile, f);
        sl_difference_part_sum_up(part);
    }
    sl_costs_close(&costs);
    return result;
}

int sl_difference_gather_name(const struct sl_difference_gathering *g,
                              struct sl_difference_part *part, const char *name, uint64_t count,
                              struct sl_failure *f)
{
    struct sl_difference_row row = {.key = name ? strdup(name) : NULL,
                                    .at.function = name ? sl_utf8_printable(name) : NULL};
    row.count[g->side] = count;
    return add_row(part, &row, f);
}
