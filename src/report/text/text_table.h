/* SPDX-License-Identifier: MIT */
/* Text table: rows of text in aligned columns that fit into a line.
 *
 *       200,000   43.65%  is_prime+0x1c  primes.c:14  -> is_prime+0x10
 *
 * If a table is too wide, the widest of the columns that may shrink is made narrower, one character
 * at a time; its cells are shortened like names (short_name.c). If columns would become narrower
 * than `narrow`, columns that may be left out are left out, from the right. A column that may
 * shrink never takes more than half of a line, so that one long name does not move its neighbours
 * to the far right. */
#ifndef SL_TEXT_TABLE_H
#define SL_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "shown.h"

#define SL_TEXT_COLUMNS_MAX 16
#define SL_TEXT_INDENT 2 /* before a row and between columns */

/* One letter for each column, a capital letter or r if the column is right-aligned: l, r: its width
 * is fixed; s, S: it may shrink; o, O: it may be left out; b, B: both. */
struct sl_text_table {
    char columns[SL_TEXT_COLUMNS_MAX + 1];
    size_t narrow; /* columns are not shrunk below this while one can be left out; 0: 16 */
    size_t width[SL_TEXT_COLUMNS_MAX]; /* 0: left out */
    char **cell;                       /* rows of one cell per column; NULL: empty */
    size_t n_cells, capacity;
    bool failed; /* out of memory: cells are missing */
};

size_t sl_text_n_rows(const struct sl_text_table *table);

/* Add a row of empty cells, or of copies of texts, one per column (NULL: empty). */
void sl_text_row(struct sl_text_table *table);
void sl_text_add_row(struct sl_text_table *table, const char *const *text);

/* Put text, which must be valid UTF-8, into a cell of the last row: a copy of a text (NULL: the
 * cell stays empty); a text that the table then owns (NULL: out of memory); a text made as by
 * printf(3); 1234567 as "1,234,567"; part / whole as "12.34%". If out of memory, they set
 * `failed`. */
void sl_text_put(struct sl_text_table *table, size_t column, const char *text);
void sl_text_put_own(struct sl_text_table *table, size_t column, char *text);
void sl_text_put_format(struct sl_text_table *table, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sl_text_put_number(struct sl_text_table *table, size_t column, uint64_t number);
void sl_text_put_percentage(struct sl_text_table *table, size_t column, uint64_t part,
                            uint64_t whole);

/* Computes the columns' widths for lines of `width` characters. */
void sl_text_fit(struct sl_text_table *table, size_t width);

/* Print a row, counted from 0, or all rows; no line is longer than `width`. Call sl_text_fit()
 * first. */
void sl_text_print_row(struct sl_text_table *table, size_t row, size_t width, FILE *out);
void sl_text_print(struct sl_text_table *table, size_t width, FILE *out);

/* Fits, prints and frees the table. Returns false, and prints nothing, if out of memory. */
bool sl_text_finish(struct sl_text_table *table, size_t width, FILE *out);

void sl_text_free(struct sl_text_table *table);

/* As sl_text_wrap(), for a text made as by printf(3), whose characters are made printable. Prints
 * nothing if out of memory. */
void sl_text_paragraph(FILE *out, size_t width, const char *first, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The last line of a listing: "21.82%  of 8,739,225 instructions; 1,204 more lines". */
struct sl_text_sum {
    uint64_t shown, whole; /* the rows' sum; what percentages refer to */
    const char *units;
    uint64_t more;       /* rows that are not shown */
    const char *more_of; /* what they are, singular or plural as `more` needs it */
    const char *extra;   /* NULL, or text for the end of the line */
};

/* Number of characters of a row up to the end of a column. */
size_t sl_text_end(const struct sl_text_table *table, size_t column);

/* Prints the sum, with the percentage at the end of a column of the table. */
void sl_text_print_sum(const struct sl_text_sum *sum, const struct sl_text_table *table,
                       size_t column, size_t width, FILE *out);

/* As sl_text_finish(), followed by the sum. */
bool sl_text_finish_sum(struct sl_text_table *table, const struct sl_text_sum *sum, size_t column,
                        size_t width, FILE *out);

/* A list under construction, with ", " between its items: "3 entries, 12 bytes". Zeroed before the
 * first item; free with sl_text_line_close(). */
struct sl_text_line {
    char *text;
    size_t length;
    FILE *out;
    bool begun;
};

/* Adds an item, as printf(3) does. */
void sl_text_line_add(struct sl_text_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the text, which the caller frees; NULL if there are no items, or if out of memory. */
char *sl_text_line_close(struct sl_text_line *line);

#endif
