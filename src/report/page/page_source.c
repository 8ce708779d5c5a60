/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of annotated source (annotation.h): code ranges, the costliest
 * first.
 *
 *     {"columns": [{"name": "instructions", "total": 36877131}],
 *      "parts": [{"file": "/src/primes.c", "of": ["is_prime"], "lines": [
 *          [23, "  if (number % p[i] == 0)", [16775798], [
 *              ["11c3", "div %ecx", [2670968], ""],
 *              ["11c7", "je 0x11d0", [2670968], "taken 4.6%"]]],
 *          [24, "..."], ...]}, ...]}
 *
 * The text of a line is null if its source is not found; a file of null denotes code without line
 * information. The fourth element of an instruction is its remark; a fifth one, if present, says
 * where it was inlined, if that differs from the previous instruction. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "isa.h"
#include "page.h"
#include "source_text.h"

#define COLUMNS 4
#define AROUND 2    /* source lines before and after a code range */
#define SOME 1e-4   /* minimum share of the program for a line's instructions */
#define PART 2e-5   /* minimum share of the program for a code range */
#define FUNCTIONS 4 /* maximum number of functions named per code range */

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

static void write_line(struct writing *w, const struct sl_annotated_line *line)
{
    const struct sl_annotation *a = w->a;
    bool begun = false;
    begin_line(w, line->file, line->line);
    sl_page_value(w->page, ",", costs_of(w, line->cost));
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

/* Writes the names of the functions in a code range. */
static void write_functions(const struct writing *w, const struct sl_annotated_range *part)
{
    const char *name[FUNCTIONS];
    size_t n = 0;
    for (size_t l = part->first; l < part->first + part->n; l++)
        for (size_t i = w->a->line[l].first; i < w->a->line[l].first + w->a->line[l].n; i++) {
            const struct sl_db_function *function = w->a->insn[i].span->function;
            const char *is = function->name ? function->name : function->object_name;
            bool known = !is;
            for (size_t k = 0; k < n; k++)
                known = known || !strcmp(name[k], is);
            if (!known && n < FUNCTIONS)
                name[n++] = is;
        }
    for (size_t i = 0; i < n; i++)
        sl_page_value(w->page, i ? "," : "", sl_page_string(name[i]));
}

static void write_part(struct writing *w, const struct sl_annotated_range *part, bool first)
{
    const struct sl_annotated_line *line = &w->a->line[part->first];
    sl_page_value(w->page, first ? "{\"file\":" : ",\n{\"file\":", sl_page_string(line->file));
    sl_page_put(w->page, ",\"of\":[");
    write_functions(w, part);
    sl_page_put(w->page, "],\n\"lines\":[");
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
    struct writing w = {.page = page,
                        .a = &a,
                        .texts = {.directory = page->config->source,
                                  .n_directories = page->config->n_sources,
                                  .none = page->config->no_source}};
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
