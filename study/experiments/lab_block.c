/* SPDX-License-Identifier: MIT */
/* Tables of a result page of `sluice lab`: writes the rows that a query returns as a Markdown table
 * or as a CSV file. lab_plot.c writes the plots of a page, and lab_claim.c writes the claims. */
#include <stdlib.h>
#include <string.h>

#include "lab_page.h"

/* Returns the next column of a line separated by |, without surrounding blanks; NULL after the last
 * column. */
static const char *next_column(const char **at, int *length)
{
    if (!*at)
        return NULL;
    const char *start = *at + strspn(*at, " ");
    const char *end = start + strcspn(start, "|\n");
    *at = *end == '|' ? end + 1 : NULL;
    while (end > start && end[-1] == ' ')
        end--;
    *length = (int)(end - start);
    return start;
}

/* Writes the heading of a table from names ("program | error") and formats ("< | 2"). */
static void put_heading(FILE *out, const char *names, const char *formats)
{
    int n;
    fputs("|", out);
    for (const char *name; (name = next_column(&names, &n));)
        fprintf(out, " %.*s |", n, name);
    fputs("\n|", out);
    for (const char *format; (format = next_column(&formats, &n));)
        fputs(*format == '<' ? " --- |" : " ---: |", out);
    fputs("\n", out);
}

/* Writes a cell, with | escaped and newlines replaced by blanks. */
static void put_cell(FILE *out, sqlite3_stmt *row, int column, const char *format)
{
    char *text = NULL;
    size_t size;
    FILE *cell = lab_check_alloc(open_memstream(&text, &size));
    lab_page_write_value(row, column, format, cell);
    fclose(cell);
    fputc(' ', out);
    for (const char *at = text; *at; at++)
        fprintf(out, "%s%c", *at == '|' ? "\\" : "", *at == '\n' ? ' ' : *at);
    fputs(" |", out);
    free(text);
}

static void table(struct lab_page *page, struct lab_query *query, const char *names)
{
    const char *formats = names + strcspn(names, "\n");
    if (!*formats || !formats[1])
        lab_page_fail(page,
                      "a table needs a line with the column headings and a line with the column "
                      "formats");
    put_heading(page->out, names, ++formats);
    while (lab_page_next_row(page, query)) {
        const char *left = formats;
        fputs("|", page->out);
        for (int i = 0, n; i < sqlite3_column_count(query->rows); i++) {
            const char *format = next_column(&left, &n);
            put_cell(page->out, query->rows, i, format ? format + (*format == '<') : "");
        }
        fputs("\n", page->out);
    }
}

/* ---- comma-separated values ---- */

static void put_field(FILE *out, const char *text, int length, bool last)
{
    bool quoted = text[strcspn(text, ",\"\n")] && (int)strcspn(text, ",\"\n") < length;
    fputs(quoted ? "\"" : "", out);
    for (int i = 0; i < length; i++)
        fprintf(out, "%s%c", text[i] == '"' ? "\"" : "", text[i]);
    fprintf(out, "%s%c", quoted ? "\"" : "", last ? '\n' : ',');
}

/* Writes the rows to PAGE-QUERY.csv, with the column headings of a table or, if `names` is NULL, of
 * the query. */
static void csv(struct lab_page *page, struct lab_query *query, const char *names)
{
    char *path = lab_format("%s/%s-%s.csv", page->lab->directory, page->name, query->name);
    char *all = NULL;
    size_t size;
    FILE *out = lab_check_alloc(open_memstream(&all, &size));
    sqlite3_reset(query->rows);
    int columns = sqlite3_column_count(query->rows), length;
    for (int i = 0; i < columns; i++) {
        const char *own = sqlite3_column_name(query->rows, i);
        const char *name = next_column(&names, &length);
        put_field(out, name ? name : own, name ? length : (int)strlen(own), i + 1 == columns);
    }
    while (lab_page_next_row(page, query))
        for (int i = 0; i < columns; i++) {
            const char *text = (const char *)sqlite3_column_text(query->rows, i);
            put_field(out, text ? text : "", text ? (int)strlen(text) : 0, i + 1 == columns);
        }
    fclose(out);
    lab_write_file(path, all, size);
    free(all);
    free(path);
}

/* gnuplot fails on data without a number. The first column may contain names. */
static bool has_numbers(struct lab_page *page, struct lab_query *query)
{
    sqlite3_reset(query->rows);
    while (lab_page_next_row(page, query))
        for (int i = 1; i < sqlite3_column_count(query->rows); i++)
            if (sqlite3_column_type(query->rows, i) == SQLITE_INTEGER ||
                sqlite3_column_type(query->rows, i) == SQLITE_FLOAT)
                return true;
    return false;
}

bool lab_block(struct lab_page *page, struct lab_block *block)
{
    bool is_table = !strcmp(block->kind, "table"), is_plot = !strcmp(block->kind, "plot");
    if (!strcmp(block->kind, "claim")) {
        lab_claim(page, block);
    } else if (!strcmp(block->kind, "claims")) {
        page->claims_at = ftell(page->out);
    } else if (is_table || is_plot || !strcmp(block->kind, "data")) {
        char *title = block->rest + strcspn(block->rest, " ");
        struct lab_query *query = lab_page_query(page, block->rest, (size_t)(title - block->rest));
        if (is_table)
            table(page, query, block->body);
        csv(page, query, is_table ? block->body : NULL);
        if (is_plot && has_numbers(page, query))
            lab_plot(page, query->name, title + (*title == ' '), block->body);
        else if (is_plot)
            fprintf(page->out, "*%s: no data to plot.*\n", title + (*title == ' '));
    } else {
        return false;
    }
    return true;
}
