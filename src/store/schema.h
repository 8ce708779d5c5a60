/* SPDX-License-Identifier: MIT */
/* Descriptions of SQL tables: one array of columns per table, from which follow the CREATE TABLE
 * statement, the INSERT and SELECT statements, the conversion between a row and a C struct, the
 * rule by which rows of two databases are merged, the check of an opened database, and the
 * reference in docs/database.md. schema_tables.c has the tables of a run's database. */
#ifndef SL_SCHEMA_H
#define SL_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice.h"

/* C type of the struct member that a column is written from and read into. */
enum sl_field_kind {
    SL_FIELD_NONE, /* no member: the code that writes or reads the table handles the column */
    SL_FIELD_UINT, /* uint64_t, int64_t, or size_t */
    SL_FIELD_UINT_OR_NULL,   /* the same; 0 is written as NULL */
    SL_FIELD_UINT_IF,        /* the same; written as NULL unless the flag is set */
    SL_FIELD_UINT_SETS_FLAG, /* the same; reading it also sets the flag: the column is not NULL */
    SL_FIELD_INT_SETS_FLAG,  /* the same with an int */
    SL_FIELD_BOOL,
    SL_FIELD_REAL, /* double; NAN is written as NULL and NULL is read as NAN */
    SL_FIELD_TEXT, /* const char *; NULL is NULL */
};

/* How a column of the merged database follows from those of the inputs. */
enum sl_merge_rule {
    SL_MERGE_FIRST,        /* the first input's; also: copied row by row */
    SL_MERGE_FIRST_OF_ANY, /* the first that is not NULL */
    SL_MERGE_SAME,         /* the first input's if all agree, otherwise NULL */
    SL_MERGE_SUM,
    SL_MERGE_OR,
    SL_MERGE_NULL, /* NULL: it describes one run; the column is a text or has a flag */
    /* Of rows that are copied: translated to the numbers of the merged database. */
    SL_MERGE_ID,      /* number of the row, assigned in order of appearance */
    SL_MERGE_ADDRESS, /* code address; moves with the mapping that contains it */
    SL_MERGE_OBJECT,  /* references to rows of other tables */
    SL_MERGE_SOURCE,
    SL_MERGE_FUNCTION,
    SL_MERGE_INLINED,
    SL_MERGE_RULE = 0xff,
    SL_MERGE_KEY = 0x100, /* flag: rows that agree in these columns are one row */
};

struct sl_column {
    const char *name; /* in SQL: quoted where it is a keyword */
    const char *type; /* declared type and constraints: "INTEGER NOT NULL" */
    const char *meaning;
    unsigned merge; /* enum sl_merge_rule, with or without SL_MERGE_KEY */
    enum sl_field_kind field;
    uint32_t offset, flag; /* of the member, and of the bool that goes with it */
};

#define SL_COLUMNS_MAX 32

struct sl_sql_table {
    const char *name;
    const char *meaning; /* what a row is */
    const char *end;     /* of CREATE TABLE, after the last column: ")" or constraints first */
    struct sl_column column[SL_COLUMNS_MAX]; /* up to the first without a name */
};

/* Initializer of a column without a field. */
#define SL_COLUMN(n, t, m)                 \
    {                                      \
        .name = n, .type = t, .meaning = m \
    }

/* Initializers of a struct sl_column's last members, for member `m` of struct type T. */
#define SL_FIELD_AT(kind, T, m) .field = kind, .offset = offsetof(T, m)
#define SL_FIELD(T, m)                            \
    SL_FIELD_AT(_Generic(((T *)0)->m, uint64_t    \
                         : SL_FIELD_UINT, int64_t \
                         : SL_FIELD_UINT, bool    \
                         : SL_FIELD_BOOL, double  \
                         : SL_FIELD_REAL, default \
                         : SL_FIELD_TEXT),        \
                T, m)
#define SL_FIELD_FLAGGED(kind, T, m, flag_member) \
    SL_FIELD_AT(kind, T, m), .flag = offsetof(T, flag_member)

/* ---- statements ---- */

size_t sl_sql_columns(const struct sl_sql_table *table);

/* Index of the column that is named so in the description; the table must have it. */
int sl_sql_column(const struct sl_sql_table *table, const char *name);

/* Creates n tables. Returns SQLite's result code. */
int sl_sql_create_all(sqlite3 *database, const struct sl_sql_table *const *table, size_t n);

/* Prepares "VERB table VALUES (?,...)" with all columns; `verb` is "INSERT INTO" or
 * "INSERT OR IGNORE INTO" or the like. Returns SQLite's result code. */
int sl_sql_prepare_insert(sqlite3 *database, const struct sl_sql_table *table, const char *verb,
                          sqlite3_stmt **statement);

/* Prepares "SELECT (all columns) FROM table TAIL". Returns SQLite's result code. */
int sl_sql_prepare_select(sqlite3 *database, const struct sl_sql_table *table, const char *tail,
                          sqlite3_stmt **statement);

/* ---- rows and structs ---- */

/* Binds every column that has a field to its parameter of an INSERT by sl_sql_prepare_insert();
 * texts must stay valid until the statement is reset. Returns SQLite's result code. */
int sl_sql_bind(const struct sl_sql_table *table, sqlite3_stmt *insert, const void *from);

/* Sets every member that has a column, from the row of a SELECT by sl_sql_prepare_select(). Texts
 * are SQLite's and valid until the next step; a NULL that the type excludes is read as "". */
void sl_sql_read(const struct sl_sql_table *table, sqlite3_stmt *row, void *to);

/* Replaces the texts of a struct by copies. False: out of memory, with the copies made so far in
 * place and the other texts NULL. */
bool sl_sql_copy_texts(const struct sl_sql_table *table, void *of);
void sl_sql_free_texts(const struct sl_sql_table *table, void *of);

/* Adds the struct `one` to `sum` by the merge rules of the columns; NULL: only sets to NULL what a
 * merged database does not have. Texts are not copied. */
void sl_sql_merge(const struct sl_sql_table *table, void *sum, const void *one);

/* ---- the check of an opened database ---- */

/* Checks that an opened database has our tables as sl_sql_create_all() creates them, no views,
 * triggers or virtual tables, and no damaged pages. Other tables and indices are allowed. SQLite's
 * check of pages also finds pages that are linked more than once: a hundred links to a page with a
 * hundred links to a third would give a small file an unbounded number of rows. It takes a few
 * milliseconds per megabyte.
 *
 * Returns 0, or SL_EFORMAT with a message about the file `name`, which `kind` ("the database " or
 * "") precedes. *rc is SQLite's result code: SQLITE_OK, SQLITE_DONE, or an error of its own, of
 * which there is no message yet. */
int sl_schema_check(sqlite3 *database, const struct sl_sql_table *const *table, size_t n,
                    const char *name, const char *kind, int *rc, struct sl_failure *f);

#endif
