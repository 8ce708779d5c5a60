/* SPDX-License-Identifier: MIT */
/* Generates SQL statements, row conversions and checks from table descriptions (schema.h). A
 * database is accepted only if its tables were created by exactly the statements that sluice
 * generates. */
#include "schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "utf8.h"

size_t sl_sql_columns(const struct sl_sql_table *table)
{
    size_t n = 0;
    while (n < SL_COLUMNS_MAX && table->column[n].name)
        n++;
    return n;
}

int sl_sql_column(const struct sl_sql_table *table, const char *name)
{
    int i = 0;
    while (strcmp(table->column[i].name, name))
        i++;
    return i;
}

/* ---- statements ---- */

/* Finishes a statement's text; NULL: out of memory. */
static char *finish(sqlite3_str *sql, const char *end)
{
    sqlite3_str_appendall(sql, end);
    return sqlite3_str_finish(sql);
}

/* Returns "CREATE TABLE ...", which the caller frees with sqlite3_free(). NULL: out of memory. */
static char *create_statement(const struct sl_sql_table *table)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "CREATE TABLE %s", table->name);
    for (size_t i = 0; i < sl_sql_columns(table); i++)
        sqlite3_str_appendf(sql, "%s%s%s%s", i ? ", " : " (", table->column[i].name,
                            *table->column[i].type ? " " : "", table->column[i].type);
    return finish(sql, table->end ? table->end : ")");
}

int sl_sql_create_all(sqlite3 *database, const struct sl_sql_table *table, size_t n)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < n && rc == SQLITE_OK; i++) {
        char *sql = create_statement(&table[i]);
        rc = sql ? sqlite3_exec(database, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
    }
    return rc;
}

static int prepare(sqlite3 *database, char *sql, sqlite3_stmt **statement)
{
    *statement = NULL;
    int rc = sql ? sqlite3_prepare_v2(database, sql, -1, statement, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return rc;
}

int sl_sql_prepare_insert(sqlite3 *database, const struct sl_sql_table *table, const char *verb,
                          sqlite3_stmt **statement)
{
    sqlite3_str *sql = sqlite3_str_new(database);
    sqlite3_str_appendf(sql, "%s %s VALUES ", verb, table->name);
    for (size_t i = 0; i < sl_sql_columns(table); i++)
        sqlite3_str_appendall(sql, i ? ",?" : "(?");
    return prepare(database, finish(sql, ")"), statement);
}

int sl_sql_prepare_select(sqlite3 *database, const struct sl_sql_table *table, const char *tail,
                          sqlite3_stmt **statement)
{
    sqlite3_str *sql = sqlite3_str_new(database);
    for (size_t i = 0; i < sl_sql_columns(table); i++)
        sqlite3_str_appendf(sql, "%s%s", i ? ", " : "SELECT ", table->column[i].name);
    sqlite3_str_appendf(sql, " FROM %s ", table->name);
    return prepare(database, finish(sql, tail), statement);
}

/* ---- rows and structs ---- */

int sl_sql_bind(const struct sl_sql_table *table, sqlite3_stmt *insert, const void *from)
{
    int rc = SQLITE_OK;
    for (int i = 0; i < SL_COLUMNS_MAX && table->column[i].name && rc == SQLITE_OK; i++) {
        const struct sl_column *c = &table->column[i];
        const void *member = (const char *)from + c->offset;
        bool flag = c->flag && *(const bool *)((const char *)from + c->flag);
        uint64_t number = 0;
        bool is_null = false;
        switch (c->field) {
        case SL_FIELD_NONE:
            continue;
        case SL_FIELD_REAL:
            rc = sqlite3_bind_double(insert, i + 1, *(const double *)member);
            continue;
        case SL_FIELD_TEXT:
            rc = sqlite3_bind_text(insert, i + 1, *(const char *const *)member, -1, SQLITE_STATIC);
            continue;
        case SL_FIELD_BOOL:
            number = *(const bool *)member;
            break;
        case SL_FIELD_INT_IF:
            number = (uint64_t) * (const int *)member;
            is_null = !flag;
            break;
        case SL_FIELD_UINT:
        case SL_FIELD_UINT_OR_NULL:
        case SL_FIELD_UINT_IF:
            number = *(const uint64_t *)member;
            is_null = c->field == SL_FIELD_UINT_OR_NULL ? !number
                                                        : c->field != SL_FIELD_UINT && !flag;
        }
        /* Two's complement: SQLite has no unsigned integers. */
        rc = is_null ? sqlite3_bind_null(insert, i + 1)
                     : sqlite3_bind_int64(insert, i + 1, (int64_t)number);
    }
    return rc;
}

void sl_sql_read(const struct sl_sql_table *table, sqlite3_stmt *row, void *to)
{
    for (int i = 0; i < SL_COLUMNS_MAX && table->column[i].name; i++) {
        const struct sl_column *c = &table->column[i];
        void *member = (char *)to + c->offset;
        bool is_null = c->field && sqlite3_column_type(row, i) == SQLITE_NULL;
        if (c->field == SL_FIELD_UINT_IF || c->field == SL_FIELD_INT_IF)
            *(bool *)((char *)to + c->flag) = !is_null;
        switch (c->field) {
        case SL_FIELD_NONE:
            break;
        case SL_FIELD_REAL:
            *(double *)member = is_null ? (double)NAN : sqlite3_column_double(row, i);
            break;
        case SL_FIELD_TEXT:
            *(const char **)member = (const char *)sqlite3_column_text(row, i);
            if (!*(const char **)member && strstr(c->type, "NOT NULL"))
                *(const char **)member = "";
            break;
        case SL_FIELD_BOOL:
            *(bool *)member = sqlite3_column_int(row, i) != 0;
            break;
        case SL_FIELD_INT_IF:
            *(int *)member = sqlite3_column_int(row, i);
            break;
        case SL_FIELD_UINT:
        case SL_FIELD_UINT_OR_NULL:
        case SL_FIELD_UINT_IF:
            *(uint64_t *)member = (uint64_t)sqlite3_column_int64(row, i);
        }
    }
}

/* Returns the struct member of column i if it is a text, otherwise NULL. */
static char **text_member(const struct sl_sql_table *table, size_t i, void *of)
{
    const struct sl_column *c = &table->column[i];
    return c->field == SL_FIELD_TEXT ? (char **)((char *)of + c->offset) : NULL;
}

bool sl_sql_copy_texts(const struct sl_sql_table *table, void *of)
{
    bool good = true;
    for (size_t i = 0; i < sl_sql_columns(table); i++) {
        char **text = text_member(table, i, of);
        bool has_text = text && *text;
        if (has_text)
            *text = good ? strdup(*text) : NULL;
        good = good && (!has_text || *text);
    }
    return good;
}

void sl_sql_free_texts(const struct sl_sql_table *table, void *of)
{
    for (size_t i = 0; i < sl_sql_columns(table); i++) {
        char **text = text_member(table, i, of);
        if (text) {
            free(*text);
            *text = NULL;
        }
    }
}

/* ---- merging ---- */

void sl_sql_merge(const struct sl_sql_table *table, void *sum, const void *one)
{
    for (size_t i = 0; i < sl_sql_columns(table); i++) {
        const struct sl_column *c = &table->column[i];
        unsigned rule = c->merge & SL_MERGE_RULE;
        void *to = (char *)sum + c->offset;
        const void *from = (const char *)one + c->offset;
        bool *flag = (bool *)((char *)sum + c->flag);
        if (rule == SL_MERGE_NULL && c->field == SL_FIELD_TEXT)
            *(const char **)to = NULL;
        else if (rule == SL_MERGE_NULL)
            *flag = false;
        if (!c->field || !one)
            continue;
        if (rule == SL_MERGE_SUM)
            *(uint64_t *)to += *(const uint64_t *)from;
        else if (rule == SL_MERGE_OR)
            *(bool *)to = *(bool *)to || *(const bool *)from;
        else if (rule == SL_MERGE_SAME && c->field == SL_FIELD_INT_IF)
            *flag = *flag && *(const bool *)((const char *)one + c->flag) &&
                    *(int *)to == *(const int *)from;
        else if (rule == SL_MERGE_SAME && !sl_same_text(*(char **)to, *(char *const *)from))
            *(const char **)to = NULL;
        else if (rule == SL_MERGE_FIRST_OF_ANY && !*(char **)to)
            *(const char **)to = *(const char *const *)from;
    }
}

/* ---- the check of an opened database ---- */

/* Checks a row of sqlite_schema: type, name, statement, root page. Returns what is wrong with it,
 * or NULL. */
static const char *find_wrong_schema(const struct sl_sql_table *table, size_t n, sqlite3_stmt *row)
{
    const char *type = (const char *)sqlite3_column_text(row, 0);
    const char *name = (const char *)sqlite3_column_text(row, 1);
    const char *sql = (const char *)sqlite3_column_text(row, 2);
    size_t i = 0;
    if (!type || !name)
        return "the object has no name";
    if (strcmp(type, "table") && strcmp(type, "index"))
        return !strcmp(type, "view")      ? "the object is a view"
               : !strcmp(type, "trigger") ? "the object is a trigger"
                                          : "the object has an unknown type";
    if (sqlite3_column_int64(row, 3) <= 0)
        return "the object is a virtual table";
    while (i < n && sqlite3_stricmp(table[i].name, name)) /* SQL ignores the case of names */
        i++;
    if (i == n)
        return NULL;
    char *ours = create_statement(&table[i]);
    bool good = sql && ours && !strcmp(sql, ours);
    sqlite3_free(ours);
    return good ? NULL : "the table differs from the table that sluice creates";
}

/* Returns the damage that a row of SQLite's quick_check reports, or NULL. */
static const char *find_damage(sqlite3_stmt *row)
{
    const char *report = (const char *)sqlite3_column_text(row, 0),
               *line = report ? strchr(report, '\n') : NULL;
    if (report && !strcmp(report, "ok"))
        return NULL;
    return line ? line + 1 : report ? report : "its pages are inconsistent";
}

int sl_schema_check(sqlite3 *database, const struct sl_sql_table *table, size_t n, const char *name,
                    const char *kind, int *rc, struct sl_failure *f)
{
    sqlite3_stmt *row = NULL;
    const char *wrong = NULL;
    int result = 0;
    *rc = sqlite3_prepare_v2(database, "SELECT type, name, sql, rootpage FROM sqlite_schema", -1,
                             &row, NULL);
    while (!result && *rc == SQLITE_OK && (*rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *object = (const char *)sqlite3_column_text(row, 1);
        *rc = SQLITE_OK;
        if ((wrong = find_wrong_schema(table, n, row)))
            result = sl_fail(f, SL_EFORMAT,
                             "%s was not written by sluice: object %.100s of the SQL schema: %s",
                             name, object ? object : "without a name", wrong);
    }
    sqlite3_finalize(row);
    if (result || *rc != SQLITE_DONE)
        return result;
    *rc = sqlite3_prepare_v2(database, "PRAGMA quick_check(1)", -1, &row, NULL);
    while (!result && *rc == SQLITE_OK && (*rc = sqlite3_step(row)) == SQLITE_ROW) {
        *rc = SQLITE_OK;
        if ((wrong = find_damage(row)))
            result = sl_fail(f, SL_EFORMAT, "%s%s is damaged: %.200s", kind, name, wrong);
    }
    sqlite3_finalize(row);
    return result;
}
