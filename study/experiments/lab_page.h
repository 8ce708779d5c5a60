/* SPDX-License-Identifier: MIT */
/* Writer of result pages: fills in a template (data/lab/NAME.md) with the values that the
 * template's queries (data/lab/NAME.sql) return from lab.db.
 *
 * The queries are plain SQL, which `sqlite3 lab.db <NAME.sql` also runs. The file begins with
 * statements that create views. Each query follows a line `-- @QUERY`. Queries return numbers; the
 * template specifies their format. In the text of a template
 *
 *     {{QUERY}} {{QUERY.COLUMN}}       is replaced by a value of the first row
 *     {{QUERY "; " <COLUMN> of ...}}   is replaced by the text for each row, separated by "; "
 *
 * and these fenced blocks are replaced:
 *
 *     ```table QUERY           a table: lines with the column headings and with the formats, both
 *                              separated by |
 *     ```plot QUERY Title      a plot: commands of gnuplot, which read the rows from the file
 *                              `data` and write QUERY.svg and QUERY.png
 *     ```data QUERY            nothing; only writes the rows to a file
 *     ```claim                 a claim: lines `FIELD: text` (lab_claim.c lists the fields); a line
 *                              that begins with a blank continues the field
 *     ```claims                a table of all claims of the page
 *
 * Other blocks remain unchanged. A format follows a colon, or is on the second line of a table: the
 * number of decimals, and % for a fraction as a percentage. In tables, < means left-aligned text
 * and > right-aligned. A missing value is written as a dash. The rows of blocks are also written to
 * PAGE-QUERY.csv. */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include <sqlite3.h>

#include "lab_internal.h"

struct lab_query {
    const char *name, *text; /* both point into lab_page.queries */
    sqlite3_stmt *rows;      /* NULL until the first use */
};

struct lab_claims {
    struct lab_claim *claim;
    size_t n, capacity;
};

struct lab_page {
    struct lab *lab;
    struct sl_sweep_store *store; /* a connection of the page, since its views are temporary */
    sqlite3 *sql;                 /* the same connection, for queries */
    const char *name;             /* of the page */
    const char *experiment;       /* NULL: the overview */
    struct lab_query *query;
    size_t n_queries, queries_capacity;
    FILE *out;
    unsigned line; /* current line of the template, for messages */
    struct lab_claims claims;
    long claims_at; /* position of the table of claims in the page; -1: none */
};

/* A fenced block of a template: its kind, the rest of that line, and its lines, each with its
 * newline. The strings point into the template. */
struct lab_block {
    char *kind, *rest, *body;
};

/* Exits with a message that names the template and the line. */
_Noreturn __attribute__((format(printf, 2, 3))) void lab_page_fail(const struct lab_page *page,
                                                                   const char *message, ...);

/* Returns the query with this name, reset to before its first row. Exits if there is none. */
struct lab_query *lab_page_query(struct lab_page *page, const char *name, size_t length);
/* Advances to the next row. Returns false after the last one. */
bool lab_page_next_row(const struct lab_page *page, struct lab_query *query);

/* Writes the text with each {{...}} replaced. */
void lab_page_expand(struct lab_page *page, const char *text, FILE *out);

/* Writes the value of a column in a format. */
void lab_page_write_value(sqlite3_stmt *row, int column, const char *format, FILE *out);

/* lab_block.c: replaces a block. Returns false if the lab does not know its kind. */
bool lab_block(struct lab_page *page, struct lab_block *block);

/* lab_claim.c: reads a claim, checks it and writes it to the page; writes the table of all claims;
 * stores all claims in the database in place of the page's earlier ones. */
void lab_claim(struct lab_page *page, struct lab_block *block);
void lab_claims_write(const struct lab_page *page, FILE *out);
void lab_claims_store(const struct lab_page *page);

/* lab_plot.c: plots the rows of PAGE-QUERY.csv as SVG and PNG. Without gnuplot, the page says that
 * there is no plot. */
void lab_plot(struct lab_page *page, const char *name, const char *title, const char *commands);

#endif
