/* What the fenced blocks of a page make: tables, claims, views. Plots are in lab_plot.c. */
#include <stdlib.h>
#include <string.h>

#include "database_row.h"
#include "failure.h"
#include "lab_page.h"

/* ---- tables ----------------------------------------------------------------------------- */

/* "program | <what | error": the names, and the rule below them. */
static void put_heading(FILE *out, const char *heading)
{
    const char *at = heading;
    fputs("|", out);
    for (; *at; at += strspn(at, "|")) {
        at += strspn(at, " <");
        size_t n = strcspn(at, "|");
        fprintf(out, " %.*s%s|", (int)n, at, n && at[n - 1] == ' ' ? "" : " ");
        at += n;
    }
    fputs("\n|", out);
    bool first = true;
    for (at = heading; *at; at += strcspn(at, "|"), at += strspn(at, "|"), first = false)
        fputs(first || at[strspn(at, " ")] == '<' ? " --- |" : " ---: |", out);
    fputs("\n", out);
}

/* What would end a cell or its line. */
static void put_cell(FILE *out, const char *text)
{
    fputc(' ', out);
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputs(" |", out);
}

static void put_rows(struct lab_page *page, sqlite3_stmt *rows, const char *query)
{
    int rc;
    while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
        fputs("|", page->out);
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *text = (const char *)sqlite3_column_text(rows, i);
            put_cell(page->out, text ? text : "–");
        }
        fputs("\n", page->out);
    }
    if (rc != SQLITE_DONE)
        lab_page_fail(page, query);
}

static void table(struct lab_page *page, const char *name, const char *heading,
                  const char *query)
{
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(page->store, query, -1, &rows, NULL) != SQLITE_OK) {
        lab_page_fail(page, query);
        return;
    }
    put_heading(page->out, heading);
    put_rows(page, rows, query);
    if (*name && page->error >= 0) {
        sqlite3_reset(rows);
        lab_csv(page, name, rows, heading);
    }
    sqlite3_finalize(rows);
}

/* ---- claims ----------------------------------------------------------------------------- */

enum field { WHAT, PUBLISHED, OURS, VERDICT, WHY, PLOT, FIELDS };
static const char *const field_names[FIELDS] = {"what", "published", "ours", "verdict", "why",
                                                "plot"};

/* The lines "name: text" of a block, each with those below it that begin with a blank. */
static bool read_fields(struct lab_page *page, const char *body, char *field[FIELDS])
{
    while (*body) {
        size_t i = 0, length = 0;
        for (; i < FIELDS; i++)
            if (length = strlen(field_names[i]), !strncmp(body, field_names[i], length) &&
                                                     body[length] == ':')
                break;
        if (i == FIELDS || field[i]) {
            page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: a claim has what, "
                                  "published, ours, verdict, why and plot, each once", page->name,
                                  page->line);
            return false;
        }
        const char *start = body + length + 1, *end = start + strcspn(start, "\n");
        while (end[0] && end[1] == ' ')
            end += 1 + strcspn(end + 1, "\n");
        start += strspn(start, " ");
        char *raw = strndup(start, (size_t)(end - start));
        field[i] = raw ? lab_filled(page, raw) : NULL;
        free(raw);
        if (!field[i])
            return false;
        for (char *blank = field[i]; (blank = strstr(blank, "\n ")); blank++)
            memmove(blank, blank + 1, strlen(blank)), *blank = '\n';
        body = *end ? end + 1 : end;
    }
    return page->error >= 0;
}

static void put_claim(struct lab_page *page, char *const field[FIELDS])
{
    struct sl_row row = sl_row_prepare(page->store, "INSERT INTO claim(experiment, number, what,"
                                       " published, ours, verdict, why, plot)"
                                       " VALUES (?,?,?,?,?,?,?,?)");
    sl_row_text(&row, page->experiment ? page->experiment : "");
    sl_row_number(&row, ++page->claims);
    for (size_t i = 0; i < FIELDS; i++)
        sl_row_text(&row, field[i]);
    sl_row_put(&row);
    if (sl_row_finish(&row) != SQLITE_OK)
        lab_page_fail(page, "a claim");
}

static void free_fields(char *field[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++)
        free(field[i]);
}

static bool is_verdict(const char *text)
{
    return text && (!strcmp(text, "holds") || !strcmp(text, "partly") ||
                    !strcmp(text, "does not") || !strcmp(text, "–"));
}

void lab_claim(struct lab_page *page, struct lab_block *block)
{
    char *field[FIELDS] = {NULL};
    if (read_fields(page, block->body, field)) {
        if (field[WHAT] && field[PUBLISHED] && field[OURS] && is_verdict(field[VERDICT]))
            put_claim(page, field);
        else
            page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: a claim needs what, "
                                  "published, ours, and a verdict that is holds, partly or does "
                                  "not", page->name, page->line);
    }
    free_fields(field);
}

static void show_claim(struct lab_page *page, const char *body)
{
    char *field[FIELDS] = {NULL};
    if (read_fields(page, body, field))
        fprintf(page->out, "**%s: %s%s** %s%s\n", field[WHAT],
                field[VERDICT], strcmp(field[VERDICT], "does not") ? "." : " hold.",
                field[WHY] ? "" : "Published: ", field[WHY] ? field[WHY] : field[PUBLISHED]);
    free_fields(field);
}

static void show_claims(struct lab_page *page)
{
    char *query = sqlite3_mprintf("SELECT what, published, ours, verdict FROM claim "
                                  "WHERE experiment = %Q ORDER BY number",
                                  page->experiment ? page->experiment : "");
    if (query)
        table(page, "claims", "claim | <published | <ours | <verdict", query);
    sqlite3_free(query);
}

/* ---- all kinds ---------------------------------------------------------------------------- */

static void do_sql(struct lab_page *page, const char *body)
{
    if (sqlite3_exec(page->store, body, NULL, NULL, NULL) != SQLITE_OK)
        lab_page_fail(page, body);
}

static void do_table(struct lab_page *page, struct lab_block *block)
{
    char *end = strchr(block->body, '\n');
    if (!end) {
        page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: a table has a heading line and "
                              "a query", page->name, page->line);
        return;
    }
    *end = '\0';
    table(page, block->rest, block->body, end + 1);
    *end = '\n';
}

static void do_plot(struct lab_page *page, struct lab_block *block)
{
    char *title = block->rest + strcspn(block->rest, " "), *rule = strstr(block->body, "---\n");
    if (!rule || !*title) {
        page->error = sl_fail(page->f, SL_EFORMAT, "%s.md, line %u: a plot has a name and a title, "
                              "commands, a line ---, and a query", page->name, page->line);
        return;
    }
    *title++ = '\0';
    *rule = '\0';
    lab_plot(page, block->rest, title, block->body, rule + strlen("---\n"));
}

static void do_data(struct lab_page *page, struct lab_block *block)
{
    char *title = block->rest + strcspn(block->rest, " ");
    sqlite3_stmt *rows = NULL;
    if (*title)
        *title++ = '\0';
    if (sqlite3_prepare_v2(page->store, block->body, -1, &rows, NULL) != SQLITE_OK) {
        lab_page_fail(page, block->body);
        return;
    }
    lab_csv(page, block->rest, rows, NULL);
    sqlite3_finalize(rows);
    fprintf(page->out, "%s: [%s-%s.csv](%s-%s.csv)\n", *title ? title : block->rest, page->name,
            block->rest, page->name, block->rest);
}

bool lab_block(struct lab_page *page, struct lab_block *block)
{
    if (!strcmp(block->kind, "sql")) {
        if (!page->out) /* views are made once, before the claims */
            do_sql(page, block->body);
    } else if (!strcmp(block->kind, "table")) {
        do_table(page, block);
    } else if (!strcmp(block->kind, "data")) {
        do_data(page, block);
    } else if (!strcmp(block->kind, "plot")) {
        do_plot(page, block);
    } else if (!strcmp(block->kind, "claim")) {
        show_claim(page, block->body);
    } else if (!strcmp(block->kind, "claims")) {
        show_claims(page);
    } else {
        return false;
    }
    return true;
}
