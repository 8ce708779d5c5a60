#include "lab_page.h"

#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "failure.h"
#include "lab_sql.h"

void lab_page_fail(struct lab_page *page, const char *query)
{
    if (page->error >= 0)
        page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: %s in %s", page->name,
                              page->line, sqlite3_errmsg(page->store), query);
}

/* The first value of a query, to be freed. */
static char *value_of(struct lab_page *page, const char *query)
{
    sqlite3_stmt *rows = NULL;
    int rc = sqlite3_prepare_v2(page->store, query, -1, &rows, NULL);
    rc = rc == SQLITE_OK ? sqlite3_step(rows) : rc;
    const char *value = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(rows, 0) : NULL;
    char *copy = NULL;
    if (rc == SQLITE_ROW || rc == SQLITE_DONE)
        copy = strdup(value ? value : "–");
    else
        lab_page_fail(page, query);
    sqlite3_finalize(rows);
    return copy;
}

static unsigned lines_in(const char *text, size_t n)
{
    unsigned lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

char *lab_filled(struct lab_page *page, const char *text)
{
    char *filled = NULL;
    size_t size;
    FILE *out = open_memstream(&filled, &size);
    if (!out) {
        page->error = sl_fail(page->f, SL_ENOMEM, "out of memory");
        return NULL;
    }
    for (const char *open; page->error >= 0 && (open = strstr(text, "{{"));) {
        const char *close = strstr(open, "}}");
        if (!close) {
            page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: {{ without }}", page->name,
                                  page->line);
            break;
        }
        fwrite(text, 1, (size_t)(open - text), out);
        char *query = strndup(open + 2, (size_t)(close - open - 2));
        char *value = query ? value_of(page, query) : NULL;
        fputs(value ? value : "", out);
        free(query);
        free(value);
        text = close + 2;
    }
    fputs(text, out);
    if (fclose(out) || page->error < 0) {
        free(filled);
        return NULL;
    }
    return filled;
}

/* ---- the words, piece by piece -------------------------------------------------------- */

static char *line_end(char *at)
{
    char *end = strchr(at, '\n');
    return end ? end : at + strlen(at);
}

/* Cuts the block that begins at `at` out of the words; NULL if its end is missing. Returns
 * what is behind it. */
static char *cut_block(char *at, struct lab_block *block)
{
    char *end = line_end(at), *close = strstr(end, "\n```");
    if (!close)
        return NULL;
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

static void put_words(struct lab_page *page, char *text)
{
    char *filled = lab_filled(page, text);
    if (filled && page->out)
        fputs(filled, page->out);
    free(filled);
}

static void put_as_it_is(struct lab_page *page, const struct lab_block *block)
{
    if (page->out)
        fprintf(page->out, "```%s%s%s\n%s```\n", block->kind, *block->rest ? " " : "", block->rest,
                block->body);
}

/* Goes over the words: once for the claims (no `out`), once to write. */
static void go_over(struct lab_page *page, const char *all)
{
    char *words = strdup(all), *at = words;
    page->line = 1;
    while (at && *at && page->error >= 0) {
        if (strncmp(at, "```", 3)) {
            char *fence = strstr(at, "\n```"), *behind = fence ? fence + 1 : at + strlen(at);
            char kept = *behind;
            *behind = '\0';
            if (page->out)
                put_words(page, at);
            page->line += lines_in(at, strlen(at));
            *behind = kept;
            at = behind;
            continue;
        }
        struct lab_block block;
        char *behind = cut_block(at, &block);
        if (!behind) {
            page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: a block without end",
                                  page->name, page->line);
            break;
        }
        unsigned lines = 2 + lines_in(block.body, strlen(block.body));
        if (!page->out && !strcmp(block.kind, "claim"))
            lab_claim(page, &block);
        else if ((page->out || !strcmp(block.kind, "sql")) && !lab_block(page, &block))
            put_as_it_is(page, &block);
        page->line += lines;
        at = behind;
    }
    if (!words && page->error >= 0)
        page->error = sl_fail(page->f, SL_ENOMEM, "out of memory");
    free(words);
}

/* ---- a page ------------------------------------------------------------------------------ */

static void prepare(struct lab_page *page)
{
    page->error = lab_store_open(&page->store, page->lab->database, page->f);
    if (page->error < 0)
        return;
    char *setup = sqlite3_mprintf(
        "CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine,"
        " label, measure, x, value FROM step JOIN figure ON step.id = figure.step"
        " WHERE experiment = %Q;"
        " CREATE TEMP TABLE claim AS SELECT * FROM main.claim WHERE experiment <> %Q",
        page->experiment ? page->experiment : "", page->experiment ? page->experiment : "");
    if (!setup || lab_sql(page->store) != SQLITE_OK ||
        sqlite3_exec(page->store, setup, NULL, NULL, NULL) != SQLITE_OK)
        lab_page_fail(page, setup ? setup : "the page's views");
    sqlite3_free(setup);
}

char *lab_words(const char *name, struct sl_failure *f)
{
    char *relative = lab_format("lab/%s.md", name);
    char *path = relative ? sl_data_path(relative) : NULL;
    char *words = NULL;
    if (path)
        words = lab_read_file(path, f);
    else
        sl_fail(f, SL_EIO, "lab/%s.md is not among the files that came with sluice", name);
    free(relative);
    free(path);
    return words;
}

/* Claims of a page that fails stay as they were: until it is whole, they are temporary. */
static void keep_claims(struct lab_page *page)
{
    char *keep = sqlite3_mprintf("BEGIN IMMEDIATE; DELETE FROM main.claim WHERE experiment = %Q;"
                                 "INSERT INTO main.claim SELECT * FROM temp.claim"
                                 " WHERE experiment = %Q; COMMIT", page->experiment,
                                 page->experiment);
    if (!keep || sqlite3_exec(page->store, keep, NULL, NULL, NULL) != SQLITE_OK)
        lab_page_fail(page, keep ? keep : "the claims");
    sqlite3_free(keep);
}

static void write_page(struct lab_page *page, const char *words)
{
    char *path = lab_format("%s/%s.md", page->lab->directory, page->name);
    struct lab_fresh file = {0};
    page->out = path ? lab_fresh(path, &file) : NULL;
    if (page->out) {
        go_over(page, words);
        if (page->error >= 0 && page->experiment)
            keep_claims(page);
        int error = lab_replace(&file, path, page->error >= 0, page->f);
        page->error = page->error < 0 ? page->error : error;
    } else {
        page->error = sl_fail_errno(page->f, SL_EIO, "%s cannot be written", path ? path : "a page");
    }
    free(path);
}

int lab_page(struct lab *lab, const char *name, const char *experiment, struct sl_failure *f)
{
    struct lab_page page = {.lab = lab, .name = name, .experiment = experiment, .f = f};
    char *words = lab_words(name, f);
    if (!words)
        return f->code;
    prepare(&page);
    if (page.error >= 0)
        go_over(&page, words);
    if (page.error >= 0)
        write_page(&page, words);
    sqlite3_close(page.store);
    free(words);
    return page.error;
}
