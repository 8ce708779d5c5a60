/* SPDX-License-Identifier: MIT */
/* Test helpers for reports: querying a database, printing a report as text, and comparing it with
 * golden files.
 *
 * After an intended change: GOLDEN=write build/tests/unit/NAME.t, then read the difference. */
#ifndef SL_TESTS_REPORT_SUPPORT_H
#define SL_TESTS_REPORT_SUPPORT_H

#include <sqlite3.h>
#include <string.h>

#include "sluice.h"
#include "tap.h"

#define UNUSED __attribute__((unused))

static char path[128]; /* of the database */

/* All rows of a query, columns divided by "|", rows by a blank. */
UNUSED static const char *ask(const char *sql)
{
    static char answer[8192];
    sqlite3 *database;
    sqlite3_stmt *row;
    size_t used = 0;
    answer[0] = '\0';
    sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL);
    if (sqlite3_prepare_v2(database, sql, -1, &row, NULL))
        snprintf(answer, sizeof answer, "%s", sqlite3_errmsg(database));
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(row) && used < sizeof answer; i++) {
            const char *text = (const char *)sqlite3_column_text(row, i);
            used += (size_t)snprintf(answer + used, sizeof answer - used, "%s%s",
                                     i      ? "|"
                                     : used ? " "
                                            : "",
                                     text ? text : "NULL");
        }
    sqlite3_finalize(row);
    sqlite3_close(database);
    return answer;
}

UNUSED static void is(const char *sql, const char *wanted, const char *name)
{
    const char *answer = ask(sql);
    if (!ok(!strcmp(answer, wanted), "%s", name))
        printf("# %s\n# got:      %s\n# expected: %s\n", sql, answer, wanted);
}

/* The report, to be freed. */
UNUSED static char *report(const char *format, size_t n, unsigned width)
{
    struct sl_report_config config = {
        .size = sizeof config, .format = format, .n = n, .width = width};
    struct sl_failure f;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (sl_report(path, &config, out, &f))
        fprintf(out, "# %s\n", f.text);
    fclose(out);
    return text;
}

/* Frees the text. */
UNUSED static void golden_text(const char *name, char *text)
{
    char file[128], *wanted = NULL;
    size_t size = 0;
    snprintf(file, sizeof file, "tests/golden/%s", name);
    if (getenv("GOLDEN")) {
        FILE *out = fopen(file, "w");
        fputs(text, out);
        fclose(out);
    }
    FILE *in = fopen(file, "r");
    if (!in || getdelim(&wanted, &size, '\0', in) < 0)
        wanted = strdup("");
    if (in)
        fclose(in);
    if (!ok(!strcmp(text, wanted), "%s is as it was", name))
        printf("# ---- now:\n%s# ---- it was:\n%s", text, wanted);
    free(wanted);
    free(text);
}

UNUSED static void golden(const char *name, const char *format, size_t n, unsigned width)
{
    golden_text(name, report(format, n, width));
}

/* In characters: continued bytes of UTF-8 are none. */
UNUSED static size_t longest_line(const char *text, size_t *lines)
{
    size_t longest = 0, length = 0;
    *lines = 0;
    for (; *text; text++) {
        length = *text == '\n' ? 0 : length + ((*text & 0xc0) != 0x80);
        *lines += *text == '\n';
        longest = length > longest ? length : longest;
    }
    return longest;
}

UNUSED static void test_widths(void)
{
    size_t lines;
    int too_long = 0;
    for (unsigned width = 40; width < 300; width++) {
        char *text = report("text", 0, width);
        too_long += longest_line(text, &lines) > width;
        free(text);
    }
    ok(!too_long, "no line is longer than requested, from 40 to 300 columns");
}

#endif
