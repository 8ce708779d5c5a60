/* SPDX-License-Identifier: MIT */
/* Makes rows of costs (costs.h) from profile entries. An entry of a function profile gives one row,
 * and an entry of a block profile gives one row per instruction. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"
#include "grow.h"
#include "transfer_counts.h"
#include "utf8.h"

/* ---- places ---- */

/* A place with printable copies of its texts. */
struct shown {
    struct sl_cost_location place;
    char *text[5];
};

static char *name_function(const struct sl_cost_location *at)
{
    /* All blocks without a symbol share a name, so that a listing is not full of addresses. */
    return at->is_block      ? strdup("???")
           : at->object_name ? sl_asprintf("%s+0x%" PRIx64, at->object_name, at->own_address)
           : at->address     ? sl_asprintf("0x%" PRIx64, at->address)
                             : strdup("(code without a symbol)");
}

/* Returns false if out of memory. Call free_shown() in either case. */
static bool show(struct shown *shown, const struct sl_cost_location *at, bool is_block)
{
    struct sl_cost_location *place = &shown->place;
    const char **const text[] = {&place->function, &place->path, &place->object_name,
                                 &place->function_file, &place->file};
    bool whole = true;
    *shown = (struct shown){.place = *at};
    place->is_block = is_block;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (*text[i]) {
            *text[i] = shown->text[i] = sl_utf8_printable(*text[i]);
            whole = whole && shown->text[i];
        }
    if (whole && !place->function)
        place->function = shown->text[0] = name_function(place);
    return whole && place->function;
}

static void free_shown(struct shown *shown)
{
    for (size_t i = 0; i < sizeof shown->text / sizeof *shown->text; i++)
        free(shown->text[i]);
}

/* ---- rows ---- */

struct row {
    uint64_t address, own_address;
    const struct sl_db_span *span; /* NULL: not known */
    uint32_t shown;                /* without a span: index of the entry's texts */
    bool is_block;
};

struct rows {
    const struct sl_costs *costs;
    struct row *row;
    uint64_t *cost; /* n_columns for each row */
    size_t n, capacity, cost_capacity;
    struct shown *shown;
    size_t n_shown, shown_capacity;
    struct sl_index_map instructions; /* <address, shown + 1, or 0 if there is a span> */
    uint32_t *of_instruction;         /* by number in `instructions`: its row */
    size_t of_instruction_capacity;
    struct sl_failure *f;
};

static struct sl_cost_location place_of(const struct rows *rows, const struct row *row)
{
    const struct sl_db_span *span = row->span;
    if (!span)
        return rows->shown[row->shown].place;
    const struct sl_db_function *function = span->function;
    return (struct sl_cost_location){
        .address = row->address,
        .own_address = row->own_address,
        .object = function->object,
        .path = function->path,
        .object_name = function->object_name,
        .function = function->name ? function->name : "???",
        .function_start = function->name ? function->start : 0,
        .function_file = function->file,
        .file = span->file,
        .line = span->line,
        .inlined = span->inlined,
        .is_block = row->is_block,
    };
}

/* Adds a row. Returns its costs, all 0; NULL if out of memory. */
static uint64_t *add_row(struct rows *rows, const struct row *row)
{
    size_t columns = rows->costs->n_columns;
    if (!SL_GROW(rows->row, rows->capacity, rows->n + 1) ||
        !SL_GROW(rows->cost, rows->cost_capacity, (rows->n + 1) * columns))
        return NULL;
    rows->row[rows->n] = *row;
    return &rows->cost[rows->n++ * columns];
}

static uint64_t *cost_of_instruction(struct rows *rows, const struct row *row)
{
    size_t before = rows->instructions.n_keys;
    uint32_t number = sl_index_add(&rows->instructions, row->address,
                                   row->span ? 0 : row->shown + 1u);
    if (number == SL_NO_INDEX ||
        !SL_GROW(rows->of_instruction, rows->of_instruction_capacity, rows->instructions.n_keys))
        return NULL;
    if (rows->instructions.n_keys == before)
        return &rows->cost[rows->of_instruction[number] * rows->costs->n_columns];
    rows->of_instruction[number] = (uint32_t)rows->n;
    return rows->n < SL_NO_INDEX ? add_row(rows, row) : NULL;
}

/* The block with these first and last instructions; NULL: a synthetic stream has no code. */
static const struct sl_block *block_of(const struct sl_db_code *code, uint64_t first, uint64_t last)
{
    const struct sl_statics *statics = &code->statics;
    size_t b = sl_db_code_at(code, first);
    for (; b < statics->n_blocks && statics->block[b].pc == first; b++)
        if (sl_db_code_last(code, b) == last)
            return &statics->block[b];
    return NULL;
}

static bool spread(struct rows *rows, const struct sl_cost_location *at,
                   const struct sl_block *block, uint32_t shown, const uint64_t *count)
{
    const struct sl_costs *costs = rows->costs;
    const struct sl_statics *statics = &costs->code.statics;
    size_t n = block ? block->n_insns : 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t pc = block ? statics->insn[statics->block_insn[block->insns_at + i]].pc
                            : at->address;
        struct row row = {.address = pc,
                          .own_address = at->own_address + (pc - at->address),
                          .span = sl_db_span_at(&costs->lines, pc),
                          .shown = shown,
                          .is_block = true};
        uint64_t *cost = cost_of_instruction(rows, &row);
        if (!cost)
            return false;
        for (size_t c = 0; c < costs->n_columns; c++)
            if (costs->column[c].of_blocks)
                cost[c] += costs->column[c].scaled ? count[c] : sl_cost_part(count[c], i, 1, n);
    }
    return true;
}

static bool add_function(struct rows *rows, const struct sl_cost_location *at, uint32_t shown,
                         const uint64_t *count)
{
    const struct sl_costs *costs = rows->costs;
    struct row row = {at->address, at->own_address, NULL, shown, false};
    uint64_t *cost = add_row(rows, &row);
    for (size_t c = 0; cost && c < costs->n_columns; c++)
        cost[c] = costs->column[c].of_blocks ? 0 : count[c];
    return cost;
}

static int add_entry(void *context, const struct sl_cost_location *at, uint64_t value,
                     const uint64_t *count)
{
    struct rows *rows = context;
    const struct sl_costs *costs = rows->costs;
    bool of_blocks = false, of_functions = false;
    for (size_t c = 0; c < costs->n_columns; c++) {
        of_blocks = of_blocks || (count[c] && costs->column[c].of_blocks);
        of_functions = of_functions || (count[c] && !costs->column[c].of_blocks);
    }
    uint32_t shown = (uint32_t)rows->n_shown;
    const struct sl_block *block = of_blocks ? block_of(&costs->code, at->address, value) : NULL;
    /* Instructions of a block with a span get their names from the span. */
    bool good = true;
    if (of_functions || !block || !sl_db_span_at(&costs->lines, at->address)) {
        good = SL_GROW(rows->shown, rows->shown_capacity, rows->n_shown + 1);
        if (good)
            good = show(&rows->shown[rows->n_shown++], at, of_blocks);
    }
    if (good && of_blocks)
        good = spread(rows, at, block, shown, count);
    if (good && of_functions)
        good = add_function(rows, at, shown, count);
    return good ? 0 : sl_db_fail_memory(rows->f);
}

/* ---- their order ---- */

static int in_order(const void *a, const void *b, void *context)
{
    const struct rows *rows = context;
    const struct row *row_a = &rows->row[*(const uint32_t *)a];
    const struct row *row_b = &rows->row[*(const uint32_t *)b];
    if (row_a->span && row_a->span == row_b->span)
        return sl_order(row_a->address, row_b->address, 0);
    struct sl_cost_location x = place_of(rows, row_a), y = place_of(rows, row_b);
    int order = sl_compare_texts(x.path, y.path);
    if (!order)
        order = sl_compare_texts(x.function, y.function);
    if (!order)
        order = sl_order(x.function_start, y.function_start, 0);
    if (!order)
        order = sl_db_inlined_order(x.inlined, y.inlined);
    if (!order)
        order = sl_compare_texts(x.file, y.file);
    if (!order)
        order = sl_order((uint64_t)x.line, (uint64_t)y.line, 0);
    if (!order) /* calls from several lines */
        order = sl_order((uintptr_t)x.inlined, (uintptr_t)y.inlined, 0);
    if (!order)
        order = sl_order(x.address, y.address, 0);
    return order ? order : sl_order(*(const uint32_t *)a, *(const uint32_t *)b, 0);
}

static int each_row(const struct rows *rows, sl_costs_row *each, void *context)
{
    int result = 0;
    uint32_t *order = malloc((rows->n + 1) * sizeof *order);
    if (!order)
        return sl_db_fail_memory(rows->f);
    for (size_t i = 0; i < rows->n; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, rows->n, sizeof *order, in_order, (void *)rows);
    for (size_t i = 0; i < rows->n && !result; i++) {
        struct sl_cost_location at = place_of(rows, &rows->row[order[i]]);
        result = each(context, &at, &rows->cost[order[i] * rows->costs->n_columns]);
    }
    free(order);
    return result;
}

/* ---- lines ---- */

struct line {
    sl_costs_row *each;
    void *context;
    struct sl_cost_location at;
    uint64_t cost[SL_COST_COLUMNS];
    size_t n_columns;
    bool begun;
};

static int end_line(struct line *line)
{
    return line->begun ? line->each(line->context, &line->at, line->cost) : 0;
}

static int add_to_line(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct line *line = context;
    const struct sl_cost_location *last = &line->at;
    bool same = line->begun && last->is_block && at->is_block && last->object == at->object &&
                last->function_start == at->function_start && last->inlined == at->inlined &&
                last->line == at->line && !sl_compare_texts(last->file, at->file) &&
                !sl_compare_texts(last->function, at->function);
    int result = same ? 0 : end_line(line);
    for (size_t c = 0; c < line->n_columns; c++)
        line->cost[c] = (same ? line->cost[c] : 0) + cost[c];
    if (!same)
        line->at = *at;
    line->begun = true;
    return result;
}

static int each_line(const struct rows *rows, sl_costs_row *each, void *context)
{
    struct line line = {.each = each, .context = context, .n_columns = rows->costs->n_columns};
    int result = each_row(rows, add_to_line, &line);
    return result ? result : end_line(&line);
}

/* ---- reading ---- */

static int read_rows(const struct sl_costs *costs,
                     int (*call_each)(const struct rows *rows, sl_costs_row *each, void *context),
                     sl_costs_row *each, void *context, struct sl_failure *f)
{
    struct rows rows = {.costs = costs, .f = f};
    int64_t profile[SL_COST_COLUMNS];
    for (size_t i = 0; i < costs->n_columns; i++)
        profile[i] = costs->column[i].profile;
    int result = sl_db_costs(costs->database, profile, costs->n_columns, costs->n, add_entry, &rows,
                             f);
    if (!result)
        result = call_each(&rows, each, context);
    for (size_t i = 0; i < rows.n_shown; i++)
        free_shown(&rows.shown[i]);
    sl_index_free(&rows.instructions);
    free(rows.of_instruction);
    free(rows.shown);
    free(rows.cost);
    free(rows.row);
    return result;
}

int sl_costs_each(const struct sl_costs *costs, sl_costs_row *each, void *context,
                  struct sl_failure *f)
{
    return read_rows(costs, each_row, each, context, f);
}

int sl_costs_lines(const struct sl_costs *costs, sl_costs_row *each, void *context,
                   struct sl_failure *f)
{
    return read_rows(costs, each_line, each, context, f);
}

/* ---- transfers ---- */

struct reading {
    const struct sl_costs *costs;
    sl_cost_transfer *transfer;
    void *context;
    struct sl_failure *f;
};

static int call_transfer(void *context, const struct sl_cost_location *from,
                         const struct sl_cost_location *to, uint64_t count)
{
    const struct reading *reading = context;
    struct shown shown, to_shown;
    bool whole = show(&shown, from, reading->costs->of_blocks);
    whole = show(&to_shown, to, reading->costs->of_blocks) && whole;
    int result = whole ? reading->transfer(reading->context, &shown.place, &to_shown.place, count)
                       : sl_db_fail_memory(reading->f);
    free_shown(&shown);
    free_shown(&to_shown);
    return result;
}

int sl_costs_transfers(const struct sl_costs *costs, enum sl_field_type second,
                       sl_cost_transfer *each, void *context, struct sl_failure *f)
{
    struct reading reading = {.costs = costs, .transfer = each, .context = context, .f = f};
    const struct sl_db_profile *found = sl_transfer_counts_profile(&costs->database->profiles,
                                                                   second, false);
    return found ? sl_db_transfers(costs->database, found, costs->n, call_transfer, &reading, f)
                 : 0;
}
