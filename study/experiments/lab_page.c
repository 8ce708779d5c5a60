/* SPDX-License-Identifier: MIT */
#include "lab_page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

void lab_page_fail(const struct lab_page *page, const char *sentence, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    lab_die("%s.md, line %u: %s", page->name, page->line, text);
}

/* ---- queries ---- */

#define MARK "\n-- @"

/* Makes the views, and cuts the queries apart. */
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
    lab_page_fail(page, "%s of %s.sql: %s", query->name, page->name, sqlite3_errmsg(page->sql));
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
    lab_page_fail(page, "%s.sql has no query called %.*s", page->name, (int)length, name);
}

bool lab_page_row(const struct lab_page *page, struct lab_query *query)
{
    int rc = sqlite3_step(query->rows);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fail_query(page, query);
    return rc == SQLITE_ROW;
}

/* ---- values ---- */

void lab_page_value(sqlite3_stmt *row, int column, const char *format, FILE *out)
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

/* "COLUMN:FORMAT" or "COLUMN" of the row that the query is at. */
static void put_column(struct lab_page *page, struct lab_query *query, const char *what,
                       size_t length, FILE *out)
{
    const char *colon = memchr(what, ':', length);
    size_t n = colon ? (size_t)(colon - what) : length;
    char format[3] = {colon ? colon[1] : '\0', colon && length > n + 2 ? colon[2] : '\0', 0};
    for (int i = 0; i < sqlite3_column_count(query->rows); i++) {
        const char *name = sqlite3_column_name(query->rows, i);
        if (!n || (!strncmp(name, what, n) && !name[n])) {
            lab_page_value(query->rows, i, format, out);
            return;
        }
    }
    lab_page_fail(page, "%s has no column called %.*s", query->name, (int)n, what);
}

/* `"; " <setting>: <error:1%>`, for each row. */
static void put_rows(struct lab_page *page, struct lab_query *query, const char *how,
                     const char *end, FILE *out)
{
    const char *between = how + strcspn(how, "\"") + 1;
    size_t gap = strcspn(between, "\"");
    const char *words = between + gap + 2;
    for (bool first = true; lab_page_row(page, query); first = false) {
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
    else if (lab_page_row(page, query))
        put_column(page, query, what + (*what == '.'), (size_t)(end - what - (*what == '.')), out);
    else
        fputs("–", out);
}

void lab_page_fill(struct lab_page *page, const char *text, FILE *out)
{
    for (const char *open; (open = strstr(text, "{{"));) {
        const char *close = strstr(open, "}}");
        if (!close)
            lab_page_fail(page, "{{ without }}");
        fwrite(text, 1, (size_t)(open - text), out);
        put_placeholder(page, open + 2, close, out);
        text = close + 2;
    }
    fputs(text, out);
}

/* ---- the words, piece by piece ---- */

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

/* Cuts the block that begins at `at` out of the words. Returns what is behind it. */
static char *cut_block(struct lab_page *page, char *at, struct lab_block *block)
{
    char *end = line_end(at), *close = strstr(end, "\n```");
    if (!close)
        lab_page_fail(page, "a block without end");
    char *behind = line_end(close + 1);
    *end = '\0';
    close[close == end ? 0 : 1] = '\0';
    block->kind = at + 3;
    block->body = close == end ? end : end + 1;
    block->rest = block->kind + strcspn(block->kind, " ");
    if (*block->rest)
        *block->rest++ = '\0';
    return *behind ? behind + 1 : behind;
}

static void go_over(struct lab_page *page, char *at)
{
    while (*at) {
        char *fence = strstr(at, "\n```"), *behind = fence ? fence + 1 : at + strlen(at);
        if (!strncmp(at, "```", 3)) {
            struct lab_block block;
            behind = cut_block(page, at, &block);
            unsigned lines = 2 + lines_in(block.body);
            if (!lab_block(page, &block))
                fprintf(page->out, "```%s%s%s\n%s```\n", block.kind, *block.rest ? " " : "",
                        block.rest, block.body);
            page->line += lines;
        } else {
            char kept = *behind;
            *behind = '\0';
            lab_page_fill(page, at, page->out);
            page->line += lines_in(at);
            *behind = kept;
        }
        at = behind;
    }
}

/* ---- a page ---- */

/* Who still reads may not write beside others: nothing is kept before all was read. */
static void end_queries(struct lab_page *page)
{
    for (size_t i = 0; i < page->n_queries; i++) {
        if (!page->query[i].rows)
            lab_die("%s.sql: nothing on the page is from %s", page->name, page->query[i].name);
        sqlite3_finalize(page->query[i].rows);
    }
}

/* The claims are known when all has been gone over, and are put in where they belong. */
static void write_page(const struct lab_page *page, const char *text)
{
    char *path = lab_format("%s/%s.md", page->lab->directory, page->name), *whole = NULL;
    size_t size, before = page->claims_at < 0 ? 0 : (size_t)page->claims_at;
    FILE *out = lab_got(open_memstream(&whole, &size));
    fwrite(text, 1, before, out);
    if (page->claims_at >= 0)
        lab_claims_show(page, out);
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
    char *words_name = lab_format("%s.md", name), *words = lab_words(words_name), *text = NULL;
    char *queries_name = lab_format("%s.sql", name), *queries = lab_words(queries_name);
    size_t size;
    page.sql = sl_sweep_store_sql(page.store);
    page.out = lab_got(open_memstream(&text, &size));
    read_queries(&page, queries);
    go_over(&page, words);
    fclose(page.out);
    end_queries(&page);
    if (experiment)
        lab_claims_keep(&page);
    write_page(&page, text);
    sl_sweep_store_close(page.store);
    free(page.query);
    free(text);
    free(queries_name);
    free(queries);
    free(words_name);
    free(words);
}
