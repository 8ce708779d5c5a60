/* SPDX-License-Identifier: MIT */
/* Prints rows of text in aligned columns that fit into a line, and wraps paragraphs (text_table.h).
 * Widths are in characters; double-width characters count as one. */
#include "text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "short_name.h"
#include "utf8.h"
#include "format.h"

#define NARROW 16 /* default of sl_text_table.narrow */
#define NARROWEST 4

void sl_text_row(struct sl_text_table *table)
{
    if (!SL_GROW(table->cell, table->capacity, table->n_cells + table->n_columns))
        table->failed = true;
    else
        for (size_t i = 0; i < table->n_columns; i++)
            table->cell[table->n_cells++] = NULL;
}

void sl_text_put_own(struct sl_text_table *table, size_t column, char *text)
{
    table->failed = table->failed || !text;
    if (table->failed) {
        free(text);
        return;
    }
    char **cell = &table->cell[table->n_cells - table->n_columns + column];
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
    for (size_t i = 0; i < table->n_columns; i++)
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
    char buffer[SL_FORMAT_SIZE];
    sl_text_put(table, column, sl_format_number(number, buffer));
}

void sl_text_put_percentage(struct sl_text_table *table, size_t column, uint64_t part,
                            uint64_t whole)
{
    sl_text_put_format(table, column, "%.2f%%", sl_percent(part, whole));
}

static size_t total(const struct sl_text_table *table)
{
    size_t sum = 0;
    for (size_t i = 0; i < table->n_columns; i++)
        sum += table->width[i] ? SL_TEXT_INDENT + table->width[i] : 0;
    return sum;
}

/* Shrinks the widest columns that may shrink, down to `least`. */
static void shrink(struct sl_text_table *table, size_t width, size_t least)
{
    while (total(table) > width) {
        size_t widest = table->n_columns;
        for (size_t i = 0; i < table->n_columns; i++)
            if ((table->column[i] & SL_COLUMN_SHRINKS) && table->width[i] > least &&
                (widest == table->n_columns || table->width[i] > table->width[widest]))
                widest = i;
        if (widest == table->n_columns)
            return;
        table->width[widest]--;
    }
}

void sl_text_fit(struct sl_text_table *table, size_t width)
{
    size_t narrow = table->narrow ? table->narrow : NARROW;
    size_t natural[SL_TEXT_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t column = i % table->n_columns;
        size_t length = table->cell[i] ? sl_utf8_length(table->cell[i]) : 0;
        if ((table->column[column] & SL_COLUMN_SHRINKS) && length > width / 2)
            length = width / 2;
        if (length > natural[column])
            natural[column] = length;
    }
    memcpy(table->width, natural, sizeof natural);
    shrink(table, width, narrow);
    for (size_t i = table->n_columns; i-- > 0 && total(table) > width;)
        if (table->column[i] & SL_COLUMN_OPTIONAL) {
            natural[i] = 0;
            memcpy(table->width, natural, sizeof natural);
            shrink(table, width, narrow);
        }
    shrink(table, width, NARROWEST);
}

static void pad(FILE *out, size_t n)
{
    fprintf(out, "%*s", (int)n, "");
}

void sl_text_print_row(struct sl_text_table *table, size_t row, size_t width, FILE *out)
{
    size_t pending = 0, used = 0; /* blanks are printed only before other text */
    for (size_t i = 0; i < table->n_columns; i++) {
        char *cell = table->cell[row * table->n_columns + i];
        if (!table->width[i])
            continue;
        if (!cell) {
            pending += SL_TEXT_INDENT + table->width[i];
            continue;
        }
        sl_short_name(cell, table->width[i]);
        size_t length = sl_utf8_length(cell), blank = table->width[i] - length;
        bool right = table->column[i] & SL_COLUMN_RIGHT;
        pending += SL_TEXT_INDENT + (right ? blank : 0);
        if (used + pending + length > width)
            break; /* the numbers alone are wider than the line */
        pad(out, pending);
        fputs(cell, out);
        used += pending + length;
        pending = right ? 0 : blank;
    }
    putc('\n', out);
}

void sl_text_print(struct sl_text_table *table, size_t width, FILE *out)
{
    for (size_t row = 0; row < table->n_cells / table->n_columns; row++)
        sl_text_print_row(table, row, width, out);
}

bool sl_text_finish(struct sl_text_table *table, size_t width, FILE *out)
{
    bool whole = !table->failed;
    if (whole) {
        sl_text_fit(table, width);
        sl_text_print(table, width, out);
    }
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

/* Number of bytes of the first n characters. */
static size_t bytes_of(const char *text, size_t n)
{
    size_t i = 0;
    while (text[i] && n--)
        for (i++; (text[i] & 0xc0) == 0x80; i++)
            ;
    return i;
}

size_t sl_text_wrap(const char *text, const char *first, size_t width, FILE *out)
{
    size_t indent = sl_utf8_length(first), lines = 0;
    size_t fits = width > indent ? width - indent : 1;
    while (*text == ' ')
        text++;
    do {
        size_t end = bytes_of(text, fits);
        if (text[end] && text[end] != ' ') { /* within a word: back to its start */
            size_t space = end;
            while (space && text[space] != ' ')
                space--;
            end = space ? space : end;
        }
        if (out) {
            fputs(lines ? "" : first, out);
            fprintf(out, "%*s%.*s\n", lines ? (int)indent : 0, "", (int)end, text);
        }
        text += end;
        while (*text == ' ')
            text++;
        lines++;
    } while (*text);
    return lines;
}

void sl_text_print_sum(const struct sl_text_sum *sum, size_t indent, size_t width, FILE *out)
{
    char percent[32], first[96], line[256], number[SL_FORMAT_SIZE];
    snprintf(percent, sizeof percent, "%.2f%%", sl_percent(sum->shown, sum->whole));
    snprintf(first, sizeof first, "%*s  ", (int)indent, percent);
    size_t used = (size_t)snprintf(line, sizeof line, "of %s %s",
                                   sl_format_number(sum->whole, number), sum->units);
    if (sum->more)
        used += (size_t)snprintf(line + used, sizeof line - used, "; %s more %s",
                                 sl_format_number(sum->more, number), sum->more_of);
    if (sum->extra)
        snprintf(line + used, sizeof line - used, "%s", sum->extra);
    sl_text_wrap(line, first, width, out);
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
