/* A page of results: words with queries in them (data/lab/NAME.md), filled from lab.db.
 *
 * In the words, {{SELECT ...}} stands for the first value that the query gives, a dash if
 * there is none. Fenced blocks of these kinds stand for what they make:
 *
 *     ```sql                   is done, and shows nothing: views for what follows
 *     ```table NAME            a heading line (columns separated by |; one with < before it
 *                              is to the left), then a query: a table, and NAME.csv
 *     ```plot NAME Title       commands of gnuplot, a line ---, then a query: NAME.csv, whose
 *                              path the commands have as `data`, and the picture as
 *                              NAME.svg and NAME.png
 *     ```data NAME Title       a query: NAME.csv alone
 *     ```claim                 lines `what:`, `published:`, `ours:`, `verdict:` (holds,
 *                              partly, does not), `why:` and maybe `plot:` (a NAME); a line
 *                              that begins with a blank goes on. Shows its verdict and why.
 *     ```claims                all claims of the page side by side
 *
 * Other fences stay as they are. File names get the page's name before them. Queries see
 * the tables of the database, `f` (the figures of the page's experiment with their step:
 * step, program, machine, label, measure, x, value) and the functions of lab_sql.h. */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include "lab_inside.h"

struct lab_page {
    struct lab *lab;
    sqlite3 *store;         /* the page's own connection: its views are temporary */
    const char *name;       /* of the page */
    const char *experiment; /* NULL: of none, as the overview */
    char *words;
    FILE *out;
    unsigned line; /* of the words, for failures */
    unsigned claims;
    struct sl_failure *f;
    int error; /* the first: nothing is done after it */
};

/* A fenced block: its kind, what is behind that on the line, and the lines in it, each of
 * them ended; the pieces are in the words, cut out. */
struct lab_block {
    char *kind, *rest, *body;
};

/* lab_block.c: what the kinds of blocks make. False if it is none of ours. */
bool lab_block(struct lab_page *page, struct lab_block *block);

/* Evaluates every claim of the page into the database: before it is written. */
void lab_claim(struct lab_page *page, struct lab_block *block);

/* The text with its queries' values put in; to be freed. NULL after an error. */
char *lab_filled(struct lab_page *page, const char *text);

/* Fails with the page's name and line before what SQLite says. */
void lab_page_fail(struct lab_page *page, const char *query);

/* lab_plot.c: the query's rows as NAME.csv, then the picture in two formats. Without
 * gnuplot there is none, and the page says so. */
void lab_plot(struct lab_page *page, const char *name, const char *title, char *commands,
                 const char *query);
void lab_csv(struct lab_page *page, const char *name, sqlite3_stmt *rows, const char *heading);

#endif
