/* SPDX-License-Identifier: MIT */
/* Writer of result pages: reads a template and its queries, inserts values and writes Markdown. The
 * notation of templates is described in lab_page.h. */
#include "lab_page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

void lab_page_fail(const struct lab_page *page, const char *message, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    lab_die("%s.md, line %u: %s", page->name, page->line, text);
}

/* ---- queries ---- */

#define MARK "\n-- @"

/* Creates the views and splits the text into queries. */
static void read_queries(struct lab_page *page, char *text)
{
    char *at = strstr(text, MARK), *next;
    if (at)
        *at = '\0';
    if (sqlite3_exec(page->sql, text, NULL, NULL, NULL) != SQLITE_OK)
        lab_die("%s.sql: %s", page->name, sqlite3_errmsg(page->sql));
    for (; at; at = next) {
        char *name = at + strlen(MARK), *end = name + strcspn(name, "\n");
        next = strstr(end, MARK);
        if (next)
            *next = '\0';
        struct lab_query *query = LAB_ADD(page->query, page->queries_capacity, page->n_queries);
        *query = (struct lab_query){.name = name, .text = end + (*end != 0)};
        *end = '\0';
    }
}

static _Noreturn void fail_query(const struct lab_page *page, const struct lab_query *query)
{
    lab_page_fail(page, "query %s of %s.sql: %s", query->name, page->name,
                  sqlite3_errmsg(page->sql));
}

struct lab_query *lab_page_query(struct lab_page *page, const char *name, size_t length)
{
    for (size_t i = 0; i < page->n_queries; i++) {
        struct lab_query *q = &page->query[i];
        if (strncmp(q->name, name, length) || q->name[length])
            continue;
        if (q->rows)
            sqlite3_reset(q->rows);
        else if (sqlite3_prepare_v2(page->sql, q->text, -1, &q->rows, NULL) != SQLITE_OK)
            fail_query(page, q);
        return q;
    }
    lab_page_fail(page, "%s.sql has no query '%.*s'", page->name, (int)length, name);
}

bool lab_page_next_row(const struct lab_page *page, struct lab_query *query)
{
    int rc = sqlite3_step(query->rows);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fail_query(page, query);
    return rc == SQLITE_ROW;
}

/* ---- values ---- */

void lab_page_write_value(sqlite3_stmt *row, int column, const char *format, FILE *out)
{
    int type = sqlite3_column_type(row, column);
    bool is_share = *format && format[1] == '%';
    char text[400];
    if (type == SQLITE_NULL || type == SQLITE_TEXT || *format < '0' || *format > '9') {
        fputs(type == SQLITE_NULL ? "–" : (const char *)sqlite3_column_text(row, column), out);
        return;
    }
    snprintf(text, sizeof text, "%.*f", *format - '0',
             (is_share ? 100 : 1) * sqlite3_column_double(row, column));
    size_t whole = strcspn(text, ".");
    for (size_t i = 0; text[i]; i++) {
        if (i && i < whole && (whole - i) % 3 == 0 && text[i - 1] != '-')
            fputc(',', out);
        fputc(text[i], out);
    }
    fputs(is_share ? " %" : "", out);
}

/* Writes the column "COLUMN:FORMAT" or "COLUMN" of the query's current row. */
static void put_column(struct lab_page *page, struct lab_query *query, const char *what,
                       size_t length, FILE *out)
{
    const char *colon = memchr(what, ':', length);
    size_t n = colon ? (size_t)(colon - what) : length;
    char format[3] = {colon ? colon[1] : '\0', colon && length > n + 2 ? colon[2] : '\0', 0};
    for (int i = 0; i < sqlite3_column_count(query->rows); i++) {
        const char *name = sqlite3_column_name(query->rows, i);
        if (!n || (!strncmp(name, what, n) && !name[n])) {
            lab_page_write_value(query->rows, i, format, out);
            return;
        }
    }
    lab_page_fail(page, "query %s has no column '%.*s'", query->name, (int)n, what);
}

/* Writes text such as `"; " <setting>: <error:1%>` for each row, with the quoted text between the
 * rows. */
static void put_rows(struct lab_page *page, struct lab_query *query, const char *how,
                     const char *end, FILE *out)
{
    const char *between = how + strcspn(how, "\"") + 1;
    size_t gap = strcspn(between, "\"");
    const char *words = between + gap + 2;
    for (bool first = true; lab_page_next_row(page, query); first = false) {
        fwrite(between, 1, first ? 0 : gap, out);
        for (const char *at = words; at < end; at++) {
            const char *close = *at == '<' ? memchr(at, '>', (size_t)(end - at)) : NULL;
            if (close)
                put_column(page, query, at + 1, (size_t)(close - at - 1), out), at = close;
            else
                fputc(*at, out);
        }
    }
}

static void put_placeholder(struct lab_page *page, const char *at, const char *end, FILE *out)
{
    size_t length = strcspn(at, " .:}\n");
    struct lab_query *query = lab_page_query(page, at, length);
    const char *what = at + length;
    if (*what == ' ')
        put_rows(page, query, what, end, out);
    else if (lab_page_next_row(page, query))
        put_column(page, query, what + (*what == '.'), (size_t)(end - what - (*what == '.')), out);
    else
        fputs("–", out);
}

void lab_page_expand(struct lab_page *page, const char *text, FILE *out)
{
    for (const char *open; (open = strstr(text, "{{"));) {
        const char *close = strstr(open, "}}");
        if (!close)
            lab_page_fail(page, "{{ without a matching }}");
        fwrite(text, 1, (size_t)(open - text), out);
        put_placeholder(page, open + 2, close, out);
        text = close + 2;
    }
    fputs(text, out);
}

/* ---- the template, block by block ---- */

static unsigned lines_in(const char *text)
{
    unsigned lines = 0;
    while ((text = strchr(text, '\n')))
        lines++, text++;
    return lines;
}

static char *line_end(char *at)
{
    return at + strcspn(at, "\n");
}

/* Cuts the block that begins at `at` out of the template. Returns the text after it. */
static char *cut_block(struct lab_page *page, char *at, struct lab_block *block)
{
    char *end = line_end(at), *close = strstr(end, "\n```");
    if (!close)
        lab_page_fail(page, "block without a closing ```");
    char *after = line_end(close + 1);
    *end = '\0';
    close[close == end ? 0 : 1] = '\0';
    block->kind = at + 3;
    block->body = close == end ? end : end + 1;
    block->rest = block->kind + strcspn(block->kind, " ");
    if (*block->rest)
        *block->rest++ = '\0';
    return *after ? after + 1 : after;
}

static void expand_template(struct lab_page *page, char *at)
{
    while (*at) {
        char *fence = strstr(at, "\n```"), *next = fence ? fence + 1 : at + strlen(at);
        if (!strncmp(at, "```", 3)) {
            struct lab_block block;
            next = cut_block(page, at, &block);
            unsigned lines = 2 + lines_in(block.body);
            if (!lab_block(page, &block))
                fprintf(page->out, "```%s%s%s\n%s```\n", block.kind, *block.rest ? " " : "",
                        block.rest, block.body);
            page->line += lines;
        } else {
            char saved = *next;
            *next = '\0';
            lab_page_expand(page, at, page->out);
            page->line += lines_in(at);
            *next = saved;
        }
        at = next;
    }
}

/* ---- a page ---- */

/* Finalizes all queries, because an open query would block the later transaction that stores the
 * claims. Exits if the template does not use a query. */
static void end_queries(struct lab_page *page)
{
    for (size_t i = 0; i < page->n_queries; i++) {
        if (!page->query[i].rows)
            lab_die("%s.sql: the page does not use the query %s", page->name, page->query[i].name);
        sqlite3_finalize(page->query[i].rows);
    }
}

/* Writes the page's file and inserts the table of claims, which is complete only at the end of the
 * template. */
static void write_page(const struct lab_page *page, const char *text)
{
    char *path = lab_format("%s/%s.md", page->lab->directory, page->name), *whole = NULL;
    size_t size, before = page->claims_at < 0 ? 0 : (size_t)page->claims_at;
    FILE *out = lab_check_alloc(open_memstream(&whole, &size));
    fwrite(text, 1, before, out);
    if (page->claims_at >= 0)
        lab_claims_write(page, out);
    fputs(text + before, out);
    fclose(out);
    lab_write_file(path, whole, size);
    free(whole);
    free(path);
}

void lab_page(struct lab *lab, const char *name, const char *experiment)
{
    struct lab_page page = {.lab = lab,
                            .name = name,
                            .experiment = experiment,
                            .line = 1,
                            .claims_at = -1,
                            .store = lab_store_open(lab->database)};
    char *template_name = lab_format("%s.md", name), *text = NULL;
    char *template = lab_read_data_file(template_name);
    char *queries_name = lab_format("%s.sql", name), *queries = lab_read_data_file(queries_name);
    size_t size;
    page.sql = sl_sweep_store_sql(page.store);
    page.out = lab_check_alloc(open_memstream(&text, &size));
    read_queries(&page, queries);
    expand_template(&page, template);
    fclose(page.out);
    end_queries(&page);
    if (experiment)
        lab_claims_store(&page);
    write_page(&page, text);
    sl_sweep_store_close(page.store);
    free(page.query);
    free(text);
    free(queries_name);
    free(queries);
    free(template_name);
    free(template);
}
