/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of annotated source (annotation.h): code ranges, the costliest
 * first.
 *
 *     {"columns": [{"name": "instructions", "total": 36877131}],
 *      "parts": [{"file": "/src/primes.c", "lines": [
 *          [23, "  if (number % p[i] == 0)", [16775798], 0, [
 *              ["11c3", "div %ecx", [2670968], ""],
 *              ["11c7", "je 0x11d0", [2670968], "taken 4.6%"]]],
 *          [24, "..."], ...]}, ...],
 *      "inlined": [["/src/primes.c", 30, 3, 120000], ...]}
 *
 * The text of a line is null if its source is not found; a file of null denotes code without line
 * information. The number before the instructions is the row of the line's function, or -1. The
 * fourth element of an instruction is its remark; a fifth one, if present, says where it was
 * inlined, if that differs from the previous instruction. `inlined` are the calls that were
 * inlined: file and line of the call, row of the called function, inclusive cost. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "grow.h"
#include "isa.h"
#include "page_code.h"
#include "source_text.h"

#define COLUMNS 4
#define AROUND 2    /* source lines before and after a code range */
#define SOME 1e-4   /* minimum share of the program for a line's instructions */
#define PART 2e-5   /* minimum share of the program for a code range */
#define INLINED 600 /* maximum number of inlined calls */

struct writing {
    struct sl_page *page;
    const struct sl_annotation *a;
    size_t column[COLUMNS], n_columns;
    struct sl_disassembler *disassembler;
    struct sl_source_texts texts;
    bool begun; /* the list of lines has an element */
};

static json_t *costs_of(const struct writing *w, const uint64_t *cost)
{
    json_t *list = json_array();
    for (size_t i = 0; i < w->n_columns; i++)
        sl_json_append(&list, sl_json_number(cost[w->column[i]]));
    return list;
}

static void write_insn(const struct writing *w, const struct sl_annotated_insn *insn, bool first)
{
    char text[256];
    bool inlined = insn->span->inlined && (first || insn[-1].span->inlined != insn->span->inlined);
    sl_disassemble(w->disassembler, insn->own_address,
                   w->a->costs.code.statics.bytes + insn->insn->bytes_at,
                   sl_insn_stored(&w->a->costs.code.statics, insn->insn), text, sizeof text);
    char *remark = sl_annotation_remark(w->a, insn);
    char *where = inlined ? sl_annotation_inlined(insn) : NULL;
    fprintf(w->page->out, "%s[\"%" PRIx64 "\",", first ? "" : ",\n", insn->own_address);
    sl_page_members(w->page, "",
                    json_pack("[o,o,o]", sl_page_string(text), costs_of(w, insn->cost),
                              remark ? sl_page_own_string(remark) : NULL));
    if (inlined)
        sl_page_value(w->page, ",", where ? sl_page_own_string(where) : NULL);
    sl_page_put(w->page, "]");
}

static void begin_line(struct writing *w, const char *file, int number)
{
    char *text = file ? sl_source_text_line(&w->texts, file, number) : NULL;
    fprintf(w->page->out, "%s[%d,", w->begun ? ",\n" : "", number);
    w->begun = true;
    sl_page_value(w->page, "", sl_page_own_string(text));
}

/* Writes source lines without code. */
static void write_between(struct writing *w, const char *file, int from, int to)
{
    char *first = file ? sl_source_text_line(&w->texts, file, 1) : NULL;
    for (int i = from > 1 ? from : 1; first && i < to; i++) {
        begin_line(w, file, i);
        sl_page_put(w->page, "]");
    }
    free(first);
}

/* The row of a function: of an inlined call, or of the symbol that contains the instruction. */
static int64_t row_of(const struct writing *w, const struct sl_db_function *function,
                      const struct sl_db_inlined *inlined)
{
    const struct sl_page_code *code = w->page->code;
    const char *symbol = inlined ? inlined->name : function->name;
    bool stub;
    char *name = symbol ? sl_source_name(symbol, &stub) : NULL;
    uint32_t found = !name ? SL_NO_INDEX
                           : sl_source_functions_find(&code->functions, function->object_name, name,
                                                      inlined ? inlined->file : function->file);
    free(name);
    return sl_page_function(code, found);
}

/* The row of the function that the line's costliest instruction belongs to. */
static int64_t line_function(const struct writing *w, const struct sl_annotated_line *line)
{
    const struct sl_annotated_insn *insn = &w->a->insn[line->first], *most = insn;
    for (size_t i = 1; i < line->n; i++)
        if (insn[i].cost[w->a->column] > most->cost[w->a->column])
            most = &insn[i];
    return row_of(w, most->span->function, most->span->inlined);
}

static void write_line(struct writing *w, const struct sl_annotated_line *line)
{
    const struct sl_annotation *a = w->a;
    bool begun = false;
    begin_line(w, line->file, line->line);
    sl_page_value(w->page, ",", costs_of(w, line->cost));
    fprintf(w->page->out, ",%lld", (long long)line_function(w, line));
    if ((double)line->cost[a->column] >= SOME * (double)a->total) {
        sl_page_put(w->page, ",[");
        for (size_t i = line->first; i < line->first + line->n && sl_page_has_space(w->page); i++)
            if (a->insn[i].insn) {
                write_insn(w, &a->insn[i], !begun);
                begun = true;
            }
        sl_page_put(w->page, "]");
    }
    sl_page_put(w->page, "]");
}

static void write_part(struct writing *w, const struct sl_annotated_range *part, bool first)
{
    const struct sl_annotated_line *line = &w->a->line[part->first];
    sl_page_value(w->page, first ? "{\"file\":" : ",\n{\"file\":", sl_page_string(line->file));
    sl_page_put(w->page, ",\n\"lines\":[");
    w->begun = false;
    write_between(w, line->file, line->line - AROUND, line->line);
    for (size_t i = 0; i < part->n && sl_page_has_space(w->page); i++) {
        if (i)
            write_between(w, line->file, line[i - 1].line + 1, line[i].line);
        write_line(w, &line[i]);
    }
    write_between(w, line->file, line[part->n - 1].line + 1, line[part->n - 1].line + 1 + AROUND);
    sl_page_put(w->page, "]}");
}

static void choose_columns(struct writing *w)
{
    const struct sl_annotation *a = w->a;
    for (size_t i = 0; i < a->costs.n_columns && w->n_columns < COLUMNS; i++) {
        size_t column = i ? (i <= a->column ? i - 1 : i) : a->column;
        if (a->costs.column[column].of_blocks)
            w->column[w->n_columns++] = column;
    }
}

/* ---- inlined calls ---- */

struct inlined_call {
    const char *file;
    int line;
    int64_t function;
    uint64_t cost;
};

static int costlier_call(const void *left, const void *right)
{
    const struct inlined_call *a = left, *b = right;
    int order = (a->cost < b->cost) - (a->cost > b->cost);
    order = order ? order : sl_compare_texts(a->file, b->file);
    order = order ? order : a->line - b->line;
    return order ? order : (a->function > b->function) - (a->function < b->function);
}

/* Adds up the cost of the inlined calls at each source line. */
static bool add_calls(const struct writing *w, struct sl_index_map *known,
                      struct inlined_call **call)
{
    size_t capacity = 0;
    for (const struct sl_annotated_insn *insn = w->a->insn; insn < w->a->insn + w->a->n_insns;
         insn++)
        for (const struct sl_db_inlined *in = insn->span->inlined; in; in = in->parent) {
            int64_t function = in->call_file ? row_of(w, insn->span->function, in) : -1;
            if (function < 0)
                continue;
            uint32_t i = sl_index_add(known, (uint64_t)(uintptr_t)in->call_file,
                                      (uint64_t)in->call_line << 32 | (uint64_t)function);
            if (i == SL_NO_INDEX || !SL_GROW(*call, capacity, (size_t)i + 1))
                return false;
            (*call)[i].file = in->call_file;
            (*call)[i].line = in->call_line;
            (*call)[i].function = function;
            (*call)[i].cost += insn->cost[w->a->column];
        }
    return true;
}

static void write_inlined(const struct writing *w)
{
    struct sl_index_map known = {0};
    struct inlined_call *call = NULL;
    if (!add_calls(w, &known, &call))
        sl_page_fail(w->page, sl_report_no_memory(w->page->f));
    SL_SORT(call, known.n_keys, costlier_call);
    for (size_t i = 0; i < known.n_keys && i < INLINED && !w->page->result; i++)
        sl_page_value(w->page, i ? ",\n" : "",
                      json_pack("[o,i,I,I]", sl_page_string(call[i].file), call[i].line,
                                (json_int_t)call[i].function, (json_int_t)call[i].cost));
    sl_index_free(&known);
    free(call);
}

static void write_source(struct writing *w)
{
    const struct sl_annotation *a = w->a;
    struct sl_page *page = w->page;
    uint64_t left = 0;
    size_t written = 0;
    choose_columns(w);
    sl_page_put(page, "{\"columns\":[");
    for (size_t i = 0; i < w->n_columns; i++)
        sl_page_value(page, i ? "," : "",
                      json_pack("{s:s,s:I}", "name", a->costs.column[w->column[i]].name, "total",
                                (json_int_t)a->cost[w->column[i]]));
    sl_page_put(page, "],\n\"parts\":[");
    for (size_t i = 0; i < a->n_parts; i++) {
        bool worth = (double)a->part[i].cost >= PART * (double)a->total && sl_page_has_space(page);
        if (worth)
            write_part(w, &a->part[i], !written++);
        left += worth ? 0 : a->part[i].cost;
    }
    sl_page_put(page, "],\n\"inlined\":[");
    write_inlined(w);
    sl_page_put(page, "]}");
    if (left)
        sl_page_left_out(
            page,
            "Source: the costliest %zu of %zu code ranges. The other ranges have %.2g%% of the %s.",
            written, a->n_parts, 100 * (double)left / (double)(a->total ? a->total : 1),
            a->costs.column[a->column].name);
}

void sl_page_source(struct sl_page *page)
{
    struct sl_annotation a;
    int result = sl_annotation_make(&a, page->database, NULL, true, page->f);
    struct writing w = {.page = page, .a = &a, .texts = sl_source_texts_of(page->config)};
    w.disassembler = result ? NULL : sl_disassembler_open(a.costs.code.statics.program.arch);
    if (!result && !w.disassembler)
        result = sl_report_no_memory(page->f);
    if (result)
        sl_page_nothing(page, result);
    else
        write_source(&w);
    sl_disassembler_close(w.disassembler);
    sl_source_texts_free(&w.texts);
    sl_annotation_free(&a);
}
