/* SPDX-License-Identifier: MIT */
/* A page of results: words (data/lab/NAME.md) and queries (data/lab/NAME.sql), filled from lab.db.
 *
 * The queries are plain SQL, which `sqlite3 lab.db <NAME.sql` runs by itself: first what makes
 * views, then, each behind a line `-- @QUERY`, one that gives rows. They give numbers; how these
 * are written is a matter of the page. In the words
 *
 *     {{QUERY}} {{QUERY.COLUMN}}       stands for its first row's first, or that, value
 *     {{QUERY "; " <COLUMN> of ...}}   for all rows, each with these words, with "; " between them
 *
 * and these fenced blocks for what they make:
 *
 *     ```table QUERY           columns' names, then their formats, both separated by |: a table
 *     ```plot QUERY Title      commands of gnuplot, which have the rows as the file `data`:
 *                              QUERY.svg and QUERY.png
 *     ```data QUERY            the rows as a file, and nothing on the page
 *     ```claim                 lines `FIELD: words` (lab_claim.c has the fields); a line that
 *                              begins with a blank goes on. Shows verdict, rule and reason
 *     ```claims                all claims of the page side by side
 *
 * Other fences stay as they are. A format is behind a colon, or in a table's second line: digits
 * behind the point, and % for a share in percent; a table also has < (words, to the left) and >.
 * A dash stands for what there is not. The rows of blocks also go to PAGE-QUERY.csv. */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include <sqlite3.h>

#include "lab_inside.h"

struct lab_query {
    const char *name, *text; /* in the queries, cut out */
    sqlite3_stmt *rows;      /* prepared when it is first wanted */
};

struct lab_claims {
    struct lab_claim *claim;
    size_t n, capacity;
};

struct lab_page {
    struct lab *lab;
    struct sl_sweep_store *store; /* the page's own connection, as its views are temporary; */
    sqlite3 *sql;                 /* for its queries */
    const char *name;             /* of the page */
    const char *experiment;       /* NULL: of none, as the overview */
    char *queries;                /* the text */
    struct lab_query *query;
    size_t n_queries, queries_capacity;
    FILE *out;
    unsigned line; /* of the words, for failures */
    struct lab_claims claims;
    long claims_at; /* where they are to be shown; -1: nowhere */
};

/* A fenced block: its kind, what is behind that on the line, and the lines in it, each of
 * them ended; the pieces are in the words, cut out. */
struct lab_block {
    char *kind, *rest, *body;
};

/* Ends the lab, with the page and the line before the sentence. */
_Noreturn __attribute__((format(printf, 2, 3))) void lab_page_fail(const struct lab_page *page,
                                                                   const char *sentence, ...);

/* The rows of a query, from the first. lab_page_row steps: false at the end. */
struct lab_query *lab_page_query(struct lab_page *page, const char *name, size_t length);
bool lab_page_row(const struct lab_page *page, struct lab_query *query);

/* The text with its queries' values put in. */
void lab_page_fill(struct lab_page *page, const char *text, FILE *out);

/* The value of a column of the row, in this format. */
void lab_page_value(sqlite3_stmt *row, int column, const char *format, FILE *out);

/* lab_block.c: what the kinds of blocks make. False if it is none of ours. */
bool lab_block(struct lab_page *page, struct lab_block *block);

/* lab_claim.c: reads and judges one, and shows it; shows all; keeps all, in place of those that
 * the page had before. */
void lab_claim(struct lab_page *page, struct lab_block *block);
void lab_claims_show(const struct lab_page *page, FILE *out);
void lab_claims_keep(const struct lab_page *page);

/* lab_plot.c: a picture in two formats, of rows that are in PAGE-QUERY.csv. Without gnuplot
 * there is none, and the page says so. */
void lab_plot(struct lab_page *page, const char *name, const char *title, const char *commands);

#endif
