/* SPDX-License-Identifier: MIT */
/* Text report of `sluice annotate`: source lines with their costs, and the instructions of costly
 * lines:
 *
 *     is_prime  2,670,968 instructions, 93.03% of the program's 36,877,131
 *
 *     primes.c
 *       instructions       %
 *                                22      for (int i = 0; i < n; i++)
 *         10,683,872  31.14%     23          if (number % prime[i] == 0)
 *                                      2,670,968  11c3  div %ecx
 *                                      2,670,968  11c7  je 0x11d0     taken 4.6%
 *
 * The costliest code range comes first. Without a source file there are line numbers only; without
 * line information, instructions only. */
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"
#include "shown.h"
#include "source_text.h"
#include "utf8.h"

#define SOME 0.01  /* minimum share of a line whose instructions are printed */
#define PARTS 0.05 /* minimum share of a code range, unless config->n is set */
#define MUCH 0.1   /* minimum share for the colour of hot code */
#define AROUND 1   /* source lines printed before and after a code range */
#define COLUMNS 6  /* maximum number of cost columns */
#define SOURCE 40  /* characters reserved for the source */
#define TEXT 30    /* characters reserved for an instruction */
#define BELOW 4    /* indentation of a remark below its instruction */

struct page {
    const struct sl_annotation *a;
    const struct sl_annotate_config *config;
    size_t width;
    size_t column[COLUMNS]; /* index of the cost; the first is the denominator of shares */
    int column_width[COLUMNS];
    size_t n_columns;
    int address_width;
    int times_width; /* width of execution counts, if the first column is another cost */
    struct sl_disassembler *disassembler;
    struct sl_source_texts texts;
    FILE *out;
};

/* ---- parts of a line ---- */

static void colour(const struct page *p, enum sl_shown_colour how)
{
    if (p->config->colour)
        putc(how, p->out);
}

static enum sl_shown_colour heat(const struct page *p, uint64_t cost)
{
    double share = (double)cost / (double)(p->a->cost[p->a->column] + 1);
    return share >= MUCH ? SL_COLOUR_HOT : share >= SOME ? SL_COLOUR_WARM : SL_COLOUR_PLAIN;
}

/* Prints as much of a text as fits into the line, of which `used` characters are taken. */
static void print_cut(const struct page *p, const char *text, size_t used)
{
    size_t space = p->width > used + 4 ? p->width - used : 4;
    bool fits = sl_utf8_length(text) <= space;
    fprintf(p->out, "%.*s%s", (int)sl_utf8_bytes(text, fits ? space : space - 3), text,
            fits ? "" : "...");
}

/* Prints the cost columns; blank if `cost` is NULL. Returns their width. */
static size_t print_costs(const struct page *p, const uint64_t *cost)
{
    size_t used = 0;
    uint64_t whole = p->a->cost[p->a->column], own = cost ? cost[p->a->column] : 0;
    colour(p, heat(p, own));
    for (size_t i = 0; i < p->n_columns; i++) {
        uint64_t figure = cost ? cost[p->column[i]] : 0;
        used += (size_t)fprintf(p->out, "  %*s", p->column_width[i],
                                figure ? SL_NUMBER(figure) : "");
        if (i)
            continue;
        if (own)
            used += (size_t)fprintf(p->out, "  %6.2f%%", 100 * (double)own / (double)whole);
        else
            used += (size_t)fprintf(p->out, "  %7s", "");
    }
    colour(p, SL_COLOUR_PLAIN);
    return used;
}

/* ---- instructions ---- */

/* Prints a remark below its instruction, broken at "; "; a part is cut only if it does not fit into
 * a line of its own. */
static void print_below(const struct page *p, const char *remark, size_t at)
{
    while (*remark) {
        size_t space = p->width > at + 4 ? p->width - at : 4, n = strlen(remark), end = 0;
        for (const char *stop = remark; n > space && (stop = strstr(stop, "; ")); stop++)
            end = !end || (size_t)(stop - remark) < space ? (size_t)(stop - remark) + 1 : end;
        char *line = strndup(remark, end ? end : n);
        fprintf(p->out, "\n%*s", (int)at, "");
        print_cut(p, line ? line : "", at);
        free(line);
        remark += end ? end + 1 : n;
    }
}

/* Prints a remark after its instruction, which ends at `length`: at `column`, common to all
 * instructions, if it fits there; else directly after it; else below it. */
static void print_remark(const struct page *p, const char *remark, size_t indent, size_t length,
                         size_t column)
{
    size_t needed = sl_utf8_length(remark), at = length + 2 > column ? length + 2 : column;
    if (!*remark)
        return;
    colour(p, SL_COLOUR_NOTE);
    if (indent + at + needed > p->width)
        at = length + 2;
    if (indent + at + needed > p->width) {
        print_below(p, remark, indent + BELOW);
        return;
    }
    fprintf(p->out, "%*s", (int)(at - length), "");
    print_cut(p, remark, indent + at);
}

static bool print_insn(const struct page *p, const struct sl_annotated_insn *insn, size_t indent)
{
    char text[256], line[512];
    if (!insn->insn)
        return true;
    char *remark = sl_annotation_remark(p->a, insn);
    if (!remark)
        return false;
    sl_disassemble(p->disassembler, insn->own_address,
                   p->a->costs.code.statics.bytes + insn->insn->bytes_at,
                   sl_insn_stored(&p->a->costs.code.statics, insn->insn), text, sizeof text);
    int space = p->times_width ? p->column_width[0] + 2 : 0;
    snprintf(line, sizeof line, "%*s%*s  %*" PRIx64 "  %s", space,
             space ? SL_NUMBER(insn->cost[p->a->column]) : "",
             space ? p->times_width + 2 : p->column_width[0], SL_NUMBER(insn->cost[p->a->executed]),
             p->address_width, insn->own_address, text);
    size_t length = strlen(line), column = (size_t)(p->column_width[0] + p->times_width) +
                                           (size_t)p->address_width + 4 + TEXT;
    fprintf(p->out, "%*s", (int)indent, "");
    colour(p, heat(p, insn->cost[p->a->column]));
    print_cut(p, line, indent);
    print_remark(p, remark, indent, length, column);
    colour(p, SL_COLOUR_PLAIN);
    putc('\n', p->out);
    free(remark);
    return true;
}

/* ---- lines ---- */

static void print_source(struct page *p, const char *file, int number, const uint64_t *cost)
{
    char *text = sl_source_text_line(&p->texts, file, number);
    if (!text && !cost)
        return;
    size_t used = print_costs(p, cost);
    used += (size_t)fprintf(p->out, "  %5d  ", number);
    if (text && !p->config->width)
        fputs(text, p->out);
    else
        print_cut(p, text ? text : "", used);
    putc('\n', p->out);
    free(text);
}

static void print_inlined(const struct page *p, const struct sl_annotated_insn *insn, size_t indent)
{
    char *text = insn->span->inlined ? sl_annotation_inlined(insn) : NULL;
    if (!text)
        return;
    fprintf(p->out, "%*s", (int)indent, "");
    colour(p, SL_COLOUR_NOTE);
    print_cut(p, text, indent);
    colour(p, SL_COLOUR_PLAIN);
    putc('\n', p->out);
    free(text);
}

static bool print_insns(const struct page *p, const struct sl_annotated_line *line)
{
    size_t indent = 16;
    for (size_t i = line->first; i < line->first + line->n; i++) {
        const struct sl_annotated_insn *insn = &p->a->insn[i];
        bool changes = i == line->first || insn->span->inlined != insn[-1].span->inlined;
        if (changes)
            print_inlined(p, insn, indent);
        else if (insn[-1].insn && insn[-1].address + insn[-1].insn->size != insn->address)
            fprintf(p->out, "%*s...\n", (int)indent, "");
        if (!print_insn(p, insn, indent))
            return false;
    }
    return true;
}

static bool print_line(struct page *p, const struct sl_annotated_line *line)
{
    uint64_t whole = p->a->cost[p->a->column];
    bool worth = p->config->n || (double)line->cost[p->a->column] >= SOME * (double)whole;
    if (line->file)
        print_source(p, line->file, line->line, line->cost);
    else if (worth) {
        print_costs(p, line->cost);
        putc('\n', p->out);
    }
    return !worth || print_insns(p, line);
}

static void print_headings(struct page *p, const struct sl_annotated_line *line)
{
    putc('\n', p->out);
    colour(p, SL_COLOUR_HEADING);
    const char *why = line->file ? sl_source_text_missing(&p->texts, line->file) : NULL;
    fprintf(p->out, why ? "%s (%s)\n" : "%s\n",
            line->file ? line->file : "(code without source lines)", why);
    for (size_t i = 0; i < p->n_columns; i++)
        fprintf(p->out, i ? "  %*s" : "  %*s        %%", p->column_width[i],
                p->a->costs.column[p->column[i]].name);
    colour(p, SL_COLOUR_PLAIN);
    putc('\n', p->out);
}

static bool print_part(struct page *p, const struct sl_annotated_range *part)
{
    const struct sl_annotated_line *line = &p->a->line[part->first];
    print_headings(p, line);
    for (int before = AROUND; line->file && before; before--)
        if (line->line > before)
            print_source(p, line->file, line->line - before, NULL);
    for (size_t i = 0; i < part->n; i++) {
        for (int between = i ? line[i - 1].line + 1 : line->line;
             line->file && between < line[i].line; between++)
            print_source(p, line->file, between, NULL);
        if (!print_line(p, &line[i]))
            return false;
    }
    for (int after = 1; line->file && after <= AROUND; after++)
        print_source(p, line->file, line[part->n - 1].line + after, NULL);
    return true;
}

/* ---- the whole report ---- */

static void choose_columns(struct page *p)
{
    const struct sl_annotation *a = p->a;
    int used = 9;
    for (size_t i = 0; i < a->costs.n_columns && p->n_columns < COLUMNS; i++) {
        size_t c = i ? (i <= a->column ? i - 1 : i) : a->column;
        if (!a->costs.column[c].of_blocks || !a->cost[c])
            continue;
        int width = (int)strlen(a->costs.column[c].name);
        int figures = (int)strlen(SL_NUMBER(a->cost[c]));
        int needed = figures > width ? figures : width;
        if (i && used + needed + 2 + SOURCE > (int)p->width)
            continue;
        used += needed + 2;
        p->column[p->n_columns] = c;
        p->column_width[p->n_columns++] = needed;
        if (c == a->executed && c != a->column)
            p->times_width = needed;
    }
    uint64_t highest = 0;
    for (size_t i = 0; i < a->n_insns; i++)
        highest = a->insn[i].own_address > highest ? a->insn[i].own_address : highest;
    p->address_width = snprintf(NULL, 0, "%" PRIx64, highest);
}

static void print_head(const struct page *p)
{
    const struct sl_annotation *a = p->a;
    char *what = sl_utf8_printable(a->what);
    colour(p, SL_COLOUR_HEADING);
    print_cut(p, what ? what : "", 0);
    colour(p, SL_COLOUR_PLAIN);
    fprintf(p->out, "\n%s %s, %.2f%% of the program's %s\n", SL_NUMBER(a->cost[a->column]),
            a->costs.column[a->column].name, sl_percent(a->cost[a->column], a->total),
            SL_NUMBER(a->total));
    free(what);
}

static void print_foot(const struct page *p, size_t shown)
{
    const struct sl_annotation *a = p->a;
    uint64_t rest = 0;
    for (size_t i = shown; i < a->n_parts; i++)
        rest += a->part[i].cost;
    if (shown == a->n_parts)
        return;
    fprintf(p->out, "\n%zu more code range%s with %s %s (%.2f%%)\n", a->n_parts - shown,
            a->n_parts - shown == 1 ? "" : "s", SL_NUMBER(rest), a->costs.column[a->column].name,
            sl_percent(rest, a->cost[a->column]));
}

int sl_text_annotation(const struct sl_annotation *a, const struct sl_annotate_config *config,
                       FILE *out, struct sl_failure *f)
{
    struct page p = {.a = a,
                     .config = config,
                     .width = config->width ? config->width : 100,
                     .disassembler = sl_disassembler_open(a->costs.code.statics.program.arch),
                     .texts = {.directory = config->source,
                               .n_directories = config->n_sources,
                               .none = config->no_source},
                     .out = out};
    bool good = p.disassembler;
    size_t shown = 0;
    choose_columns(&p);
    print_head(&p);
    for (; good && shown < a->n_parts; shown++) {
        double share = (double)a->part[shown].cost / (double)(a->cost[a->column] + 1);
        if (config->n ? shown >= config->n : shown && share < PARTS)
            break;
        good = print_part(&p, &a->part[shown]);
    }
    print_foot(&p, shown);
    sl_source_texts_free(&p.texts);
    sl_disassembler_close(p.disassembler);
    return good ? 0 : sl_report_no_memory(f);
}
