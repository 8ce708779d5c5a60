/* SPDX-License-Identifier: MIT */
#include "schema_check.h"

#include <string.h>

/* The statement of the schema that makes this table; NULL: it is none of ours. To SQLite a name
 * is the same however its letters are written. */
static const char *statement_of(const char *schema, const char *name, size_t *length)
{
    static const char creates[] = "CREATE TABLE ";
    size_t n = strlen(name);
    const char *at = schema;
    while ((at = strstr(at, creates))) {
        const char *its_name = at + strlen(creates);
        *length = strcspn(at, ";");
        if (!sqlite3_strnicmp(its_name, name, (int)n) && its_name[n] == ' ')
            return at;
        at += *length;
    }
    return NULL;
}

const char *sl_schema_wrong_with(const char *schema, const char *type, const char *name,
                                 const char *sql, bool is_stored)
{
    size_t length = 0;
    if (!type || !name)
        return "has no name";
    if (strcmp(type, "table") && strcmp(type, "index"))
        return !strcmp(type, "view")      ? "is a view"
               : !strcmp(type, "trigger") ? "is a trigger"
                                          : "is of an unknown kind";
    if (!is_stored)
        return "is a virtual table";
    const char *ours = statement_of(schema, name, &length);
    return ours && (!sql || strncmp(sql, ours, length) || sql[length]) ? "is not as sluice makes it"
                                                                       : NULL;
}

const char *sl_pages_wrong_with(sqlite3_stmt *row)
{
    const char *said = (const char *)sqlite3_column_text(row, 0),
               *line = said ? strchr(said, '\n') : NULL;
    if (said && !strcmp(said, "ok"))
        return NULL;
    return line ? line + 1 : said ? said : "its pages are not what they should be";
}
