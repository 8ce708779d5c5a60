/* SPDX-License-Identifier: MIT */
/* Builds annotated code: selects the instructions, groups them by source line, and groups nearby
 * lines into code ranges (annotation.h). If the program overwrote its code, the instruction that
 * was recorded first at each address is shown. */
#include "annotation.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "utf8.h"

#define NEAR 4 /* maximum distance of consecutive lines in a part */

/* ---- the requested place ---- */

struct place {
    const char *text;
    const char *file; /* of "FILE:LINE", or NULL */
    size_t length;
    int line;
    const struct sl_db_function *hottest; /* if `text` is NULL */
};

static bool is_file(const char *file, const char *name, size_t length)
{
    size_t whole = file ? strlen(file) : 0;
    return file && whole >= length && !strncmp(file + whole - length, name, length) &&
           (whole == length || file[whole - length - 1] == '/' || name[0] == '/');
}

static bool matches(const struct place *place, const struct sl_db_span *span)
{
    if (!place->text)
        return span->function == place->hottest;
    const struct sl_db_function *function = span->function;
    if (sl_is_called(function->name ? function->name : function->object_name, place->text))
        return true;
    for (const struct sl_db_inlined *at = span->inlined; at; at = at->parent)
        if (sl_is_called(at->name, place->text))
            return true;
    return is_file(span->file, place->file, place->length) &&
           (!place->line || place->line == span->line);
}

static struct place read_place(const char *text)
{
    struct place place = {.text = text, .file = text, .length = text ? strlen(text) : 0};
    const char *colon = text ? strrchr(text, ':') : NULL;
    char *end;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    if (colon && line > 0 && line <= INT32_MAX && !*end) {
        place.line = (int)line;
        place.length = (size_t)(colon - text);
    }
    return place;
}

static int fail_unknown(const struct sl_annotation *a, const char *text, struct sl_failure *f)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_BYTES];
    sl_nearest_start(&nearest, text, strlen(text));
    for (size_t i = 0; i < a->costs.lines.n_functions; i++)
        if (a->costs.lines.function[i].name)
            sl_nearest_offer(&nearest, a->costs.lines.function[i].name);
    for (size_t i = 0; i < a->costs.lines.n_inlined; i++)
        sl_nearest_offer(&nearest, a->costs.lines.inlined[i].name);
    sl_nearest_hint(&nearest, question);
    return sl_fail(f, SL_EUSAGE, "no executed function or file is named '%.200s'%s%s", text,
                   nearest.best ? "" : "; the report of this database lists its functions",
                   nearest.best ? question : "");
}

/* ---- instructions ---- */

struct collecting {
    struct sl_annotation *a;
    struct sl_failure *f;
};

static int add_insn(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    const struct collecting *c = context;
    struct sl_annotation *a = c->a;
    const struct sl_db_span *span = at->is_block ? sl_db_span_at(&a->costs.lines, at->address)
                                                 : NULL;
    a->total += at->is_block ? cost[a->column] : 0;
    if (!span)
        return 0;
    if (!SL_GROW(a->insn, a->insns_capacity, a->n_insns + 1))
        return sl_db_fail_memory(c->f);
    struct sl_annotated_insn *insn = &a->insn[a->n_insns++];
    *insn = (struct sl_annotated_insn){at->address, at->own_address, span, NULL, NULL, {0}};
    memcpy(insn->cost, cost, a->costs.n_columns * sizeof *cost);
    return 0;
}

/* The function with the highest cost. Instructions are sorted by function. */
static const struct sl_db_function *find_hottest(const struct sl_annotation *a)
{
    const struct sl_db_function *hottest = NULL, *now = NULL;
    uint64_t most = 0, sum = 0;
    for (size_t i = 0; i < a->n_insns; i++) {
        sum = a->insn[i].span->function == now ? sum : 0;
        now = a->insn[i].span->function;
        sum += a->insn[i].cost[a->column];
        if (sum > most) {
            most = sum;
            hottest = now;
        }
    }
    return hottest;
}

static void remove_others(struct sl_annotation *a, const struct place *place)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->n_insns; i++)
        if (matches(place, a->insn[i].span))
            a->insn[kept++] = a->insn[i];
    a->n_insns = kept;
}

static int by_address(const void *a, const void *b)
{
    const struct sl_annotated_insn *x = a, *y = b;
    return sl_order(x->address, y->address, 0);
}

/* Sets `insn` and `info` of each instruction, which must be sorted by address. */
static void find_insns(struct sl_annotation *a)
{
    const struct sl_statics *statics = &a->costs.code.statics;
    for (size_t i = 0; a->n_insns && i < statics->n_insns; i++) {
        struct sl_annotated_insn key = {.address = statics->insn[i].pc};
        struct sl_annotated_insn *insn = bsearch(&key, a->insn, a->n_insns, sizeof key, by_address);
        if (!insn || insn->insn)
            continue;
        insn->insn = &statics->insn[i];
        insn->info = sl_code_insn(&a->costs.code.code, (uint32_t)i);
    }
}

/* ---- lines and parts ---- */

static int by_line(const void *a, const void *b)
{
    const struct sl_annotated_insn *x = a, *y = b;
    int order = sl_compare_texts(x->span->file, y->span->file);
    if (!order)
        order = (x->span->line > y->span->line) - (x->span->line < y->span->line);
    return order ? order : by_address(a, b);
}

static bool follows(const struct sl_annotated_insn *insn)
{
    const struct sl_annotated_insn *last = insn - 1;
    if (sl_compare_texts(last->span->file, insn->span->file))
        return false;
    return insn->span->file ? last->span->line == insn->span->line
                            : last->insn && last->address + last->insn->size == insn->address;
}

static bool make_lines(struct sl_annotation *a)
{
    for (size_t i = 0; i < a->n_insns; i++) {
        const struct sl_annotated_insn *insn = &a->insn[i];
        if (!i || !follows(insn)) {
            if (!SL_GROW(a->line, a->lines_capacity, a->n_lines + 1))
                return false;
            a->line[a->n_lines++] = (struct sl_annotated_line){
                .file = insn->span->file, .line = insn->span->line, .first = i};
        }
        struct sl_annotated_line *line = &a->line[a->n_lines - 1];
        line->n++;
        for (size_t c = 0; c < a->costs.n_columns; c++) {
            line->cost[c] += insn->cost[c];
            a->cost[c] += insn->cost[c];
        }
    }
    return true;
}

static int by_cost(const void *a, const void *b)
{
    const struct sl_annotated_range *x = a, *y = b;
    return sl_order(y->cost, x->cost, sl_order(x->first, y->first, 0));
}

static bool make_parts(struct sl_annotation *a)
{
    for (size_t i = 0; i < a->n_lines; i++) {
        const struct sl_annotated_line *line = &a->line[i], *last = line - 1;
        if (!i || !line->file || sl_compare_texts(line->file, last->file) ||
            line->line - last->line > NEAR) {
            if (!SL_GROW(a->part, a->parts_capacity, a->n_parts + 1))
                return false;
            a->part[a->n_parts++] = (struct sl_annotated_range){.first = i};
        }
        a->part[a->n_parts - 1].n++;
        a->part[a->n_parts - 1].cost += line->cost[a->column];
    }
    SL_SORT(a->part, a->n_parts, by_cost);
    return true;
}

/* ---- the whole annotation ---- */

static int open_costs(struct sl_annotation *a, struct sl_database *database, struct sl_failure *f)
{
    int result = sl_costs_open_any(&a->costs, database, 0, f);
    if (result)
        return result;
    if (!a->costs.of_blocks)
        return sl_fail(f, SL_EUSAGE,
                       "annotate needs a block profile, and the database has none: run again with "
                       "the profile block");
    size_t instructions = sl_costs_block_column(&a->costs, "instructions");
    a->column = instructions < a->costs.n_columns ? instructions
                                                  : sl_costs_block_column(&a->costs, NULL);
    a->executed = a->column;
    return 0;
}

int sl_annotation_make(struct sl_annotation *a, struct sl_database *database, const char *text,
                       bool all, struct sl_failure *f)
{
    struct place place = read_place(text);
    struct collecting collecting = {a, f};
    *a = (struct sl_annotation){.load_windows = database->program.load_sampling_period};
    int result = open_costs(a, database, f);
    if (!result)
        result = sl_costs_each(&a->costs, add_insn, &collecting, f);
    if (!result)
        result = sl_annotation_add_costs(a, database, f);
    if (result)
        return result;
    place.hottest = text || all ? NULL : find_hottest(a);
    if (!text && !all && !place.hottest)
        return sl_fail(f, SL_EUSAGE, "the database has no code");
    if (!all)
        remove_others(a, &place);
    if (!all && !a->n_insns)
        return fail_unknown(a, text ? text : "", f);
    SL_SORT(a->insn, a->n_insns, by_address);
    find_insns(a);
    SL_SORT(a->insn, a->n_insns, by_line);
    const char *what = text ? text : place.hottest ? place.hottest->name : NULL;
    a->what = strdup(what ? what : "(code without a symbol)");
    if (!a->what || !make_lines(a) || !make_parts(a))
        return sl_db_fail_memory(f);
    result = sl_transfer_counts_load_first(&a->edges, database, SL_FIELD_TARGET, true, 0, f);
    if (!result)
        result = sl_transfer_counts_load_first(&a->calls, database, SL_FIELD_CALLEE, false, 0, f);
    return result
               ? result
               : sl_transfer_counts_load_first(&a->values, database, SL_FIELD_VALUE, false, 0, f);
}

void sl_annotation_free(struct sl_annotation *a)
{
    sl_costs_close(&a->costs);
    sl_transfer_counts_free(&a->edges);
    sl_transfer_counts_free(&a->calls);
    sl_transfer_counts_free(&a->values);
    sl_transfer_counts_free(&a->causes);
    free(a->what);
    free(a->insn);
    free(a->line);
    free(a->part);
    *a = (struct sl_annotation){0};
}
