/* SPDX-License-Identifier: MIT */
/* Prints rows of text in aligned columns that fit into a line, and wraps paragraphs (text_table.h).
 * Widths are in characters; double-width characters count as one. */
#include "text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "sluice.h"
#include "utf8.h"
#include "format.h"

#define NARROW 16 /* default of sl_text_table.narrow */
#define NARROWEST 4

/* Properties of a column, denoted by its letter. */
enum { RIGHT = 1, SHRINKS = 2, OPTIONAL = 4 };

static bool is_column(const struct sl_text_table *table, size_t column, unsigned property)
{
    static const char letters[] = "lrsSoObB"; /* at the sum of the column's properties */
    return (unsigned)(strchr(letters, table->columns[column]) - letters) & property;
}

static size_t n_columns(const struct sl_text_table *table)
{
    return strlen(table->columns);
}

size_t sl_text_n_rows(const struct sl_text_table *table)
{
    return table->n_cells / n_columns(table);
}

void sl_text_row(struct sl_text_table *table)
{
    size_t n = table->n_cells + n_columns(table);
    if (!SL_GROW(table->cell, table->capacity, n))
        table->failed = true;
    else
        while (table->n_cells < n)
            table->cell[table->n_cells++] = NULL;
}

void sl_text_put_own(struct sl_text_table *table, size_t column, char *text)
{
    table->failed = table->failed || !text;
    if (table->failed) {
        free(text);
        return;
    }
    char **cell = &table->cell[table->n_cells - n_columns(table) + column];
    free(*cell);
    *cell = text;
}

void sl_text_put(struct sl_text_table *table, size_t column, const char *text)
{
    if (text)
        sl_text_put_own(table, column, strdup(text));
}

void sl_text_add_row(struct sl_text_table *table, const char *const *text)
{
    sl_text_row(table);
    for (size_t i = 0; i < n_columns(table); i++)
        sl_text_put(table, i, text[i]);
}

void sl_text_put_format(struct sl_text_table *table, size_t column, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    sl_text_put_own(table, column, length < 0 ? NULL : text);
}

void sl_text_put_number(struct sl_text_table *table, size_t column, uint64_t number)
{
    sl_text_put(table, column, SL_NUMBER(number));
}

void sl_text_put_percentage(struct sl_text_table *table, size_t column, uint64_t part,
                            uint64_t whole)
{
    sl_text_put_format(table, column, "%.2f%%", sl_percent(part, whole));
}

size_t sl_text_end(const struct sl_text_table *table, size_t column)
{
    size_t sum = 0;
    for (size_t i = 0; i <= column; i++)
        sum += table->width[i] ? SL_TEXT_INDENT + table->width[i] : 0;
    return sum;
}

static size_t total(const struct sl_text_table *table)
{
    return sl_text_end(table, n_columns(table) - 1);
}

/* Shrinks the widest columns that may shrink, down to `least`. */
static void shrink(struct sl_text_table *table, size_t width, size_t least)
{
    size_t n = n_columns(table);
    while (total(table) > width) {
        size_t widest = n;
        for (size_t i = 0; i < n; i++)
            if (is_column(table, i, SHRINKS) && table->width[i] > least &&
                (widest == n || table->width[i] > table->width[widest]))
                widest = i;
        if (widest == n)
            return;
        table->width[widest]--;
    }
}

void sl_text_fit(struct sl_text_table *table, size_t width)
{
    size_t narrow = table->narrow ? table->narrow : NARROW, n = n_columns(table);
    size_t natural[SL_TEXT_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t column = i % n;
        size_t length = table->cell[i] ? sl_utf8_length(table->cell[i]) : 0;
        if (is_column(table, column, SHRINKS) && length > width / 2)
            length = width / 2;
        if (length > natural[column])
            natural[column] = length;
    }
    memcpy(table->width, natural, sizeof natural);
    shrink(table, width, narrow);
    for (size_t i = n; i-- > 0 && total(table) > width;)
        if (is_column(table, i, OPTIONAL)) {
            natural[i] = 0;
            memcpy(table->width, natural, sizeof natural);
            shrink(table, width, narrow);
        }
    shrink(table, width, NARROWEST);
}

void sl_text_print_row(struct sl_text_table *table, size_t row, size_t width, FILE *out)
{
    size_t pending = 0, used = 0; /* blanks are printed only before other text */
    for (size_t i = 0, n = n_columns(table); i < n; i++) {
        char *cell = table->cell[row * n + i];
        if (!table->width[i])
            continue;
        if (!cell) {
            pending += SL_TEXT_INDENT + table->width[i];
            continue;
        }
        sl_short_name(cell, table->width[i]);
        size_t length = sl_utf8_length(cell), blank = table->width[i] - length;
        bool right = is_column(table, i, RIGHT);
        pending += SL_TEXT_INDENT + (right ? blank : 0);
        if (used + pending + length > width)
            break; /* the numbers alone are wider than the line */
        fprintf(out, "%*s%s", (int)pending, "", cell);
        used += pending + length;
        pending = right ? 0 : blank;
    }
    putc('\n', out);
}

void sl_text_print(struct sl_text_table *table, size_t width, FILE *out)
{
    for (size_t row = 0; row < sl_text_n_rows(table); row++)
        sl_text_print_row(table, row, width, out);
}

bool sl_text_finish(struct sl_text_table *table, size_t width, FILE *out)
{
    return sl_text_finish_sum(table, NULL, 0, width, out);
}

bool sl_text_finish_sum(struct sl_text_table *table, const struct sl_text_sum *sum, size_t column,
                        size_t width, FILE *out)
{
    bool whole = !table->failed;
    if (whole) {
        sl_text_fit(table, width);
        sl_text_print(table, width, out);
    }
    if (whole && sum)
        sl_text_print_sum(sum, table, column, width, out);
    sl_text_free(table);
    return whole;
}

void sl_text_free(struct sl_text_table *table)
{
    for (size_t i = 0; i < table->n_cells; i++)
        free(table->cell[i]);
    free(table->cell);
    *table = (struct sl_text_table){0};
}

void sl_text_paragraph(FILE *out, size_t width, const char *first, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    text = sl_own_printable(length < 0 ? NULL : text);
    if (text)
        sl_text_wrap(text, first, width, out);
    free(text);
}

void sl_text_print_sum(const struct sl_text_sum *sum, const struct sl_text_table *table,
                       size_t column, size_t width, FILE *out)
{
    char percent[32], first[96], more[64] = "";
    snprintf(percent, sizeof percent, "%.2f%%", sl_percent(sum->shown, sum->whole));
    snprintf(first, sizeof first, "%*s  ", (int)sl_text_end(table, column), percent);
    if (sum->more)
        snprintf(more, sizeof more, "; %s more %s", SL_NUMBER(sum->more), sum->more_of);
    sl_text_paragraph(out, width, first, "of %s %s%s%s", SL_NUMBER(sum->whole), sum->units, more,
                      sum->extra ? sum->extra : "");
}

void sl_text_line_add(struct sl_text_line *line, const char *format, ...)
{
    va_list arguments;
    if (!line->begun)
        line->out = open_memstream(&line->text, &line->length);
    if (line->out) {
        va_start(arguments, format);
        fputs(line->begun ? ", " : "", line->out);
        vfprintf(line->out, format, arguments);
        va_end(arguments);
    }
    line->begun = true;
}

char *sl_text_line_close(struct sl_text_line *line)
{
    if (line->out && !fclose(line->out))
        return line->text;
    free(line->text);
    return NULL;
}
