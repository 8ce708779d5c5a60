/* SPDX-License-Identifier: MIT */
/* Descriptions of SQL tables: one array of columns per table. The CREATE TABLE, INSERT and SELECT
 * statements, the conversion between a row and a C struct, the merging of rows, the check of an
 * opened database and the reference in docs/database.md are derived from these descriptions.
 * schema_tables.c has the tables of a run's database. */
#ifndef SL_SCHEMA_H
#define SL_SCHEMA_H

#include <sqlite3.h>

#include "sluice.h"

/* C type of the struct member that a column is written from and read into. */
enum sl_field_kind {
    SL_FIELD_NONE, /* no member: the code that writes or reads the table handles the column */
    SL_FIELD_UINT, /* uint64_t, int64_t, or size_t */
    SL_FIELD_UINT_OR_NULL, /* the same; 0 is written as NULL */
    SL_FIELD_UINT_IF,      /* the same; NULL unless the flag is set, which reading sets, too */
    SL_FIELD_INT_IF,       /* the same with an int */
    SL_FIELD_BOOL,
    SL_FIELD_REAL, /* double; NAN is written as NULL and NULL is read as NAN */
    SL_FIELD_TEXT, /* const char *; NULL is NULL */
};

/* How the merged database gets its value of a column from those of the inputs. */
enum sl_merge_rule {
    SL_MERGE_FIRST,        /* value of the first input; also for tables copied row by row */
    SL_MERGE_FIRST_OF_ANY, /* the first value that is not NULL */
    SL_MERGE_SAME,         /* the common value, or NULL if the inputs differ */
    SL_MERGE_SUM,
    SL_MERGE_OR,
    SL_MERGE_NULL, /* NULL, because the value describes one run; a text or a flagged member */
    /* For tables copied row by row: ids and addresses are translated to the merged database. */
    SL_MERGE_ID,      /* id of the row, assigned in the order of copying */
    SL_MERGE_ADDRESS, /* code address; moves with the mapping that contains it */
    SL_MERGE_OBJECT,  /* references to rows of other tables */
    SL_MERGE_SOURCE,
    SL_MERGE_FUNCTION,
    SL_MERGE_INLINED,
    SL_MERGE_RULE = 0xff,
    SL_MERGE_KEY = 0x100, /* flag: rows with equal values in all key columns become one row */
};

struct sl_column {
    const char *name; /* as in SQL statements: keywords are quoted */
    const char *type; /* declared type and constraints: "INTEGER NOT NULL" */
    const char *meaning;
    unsigned merge; /* enum sl_merge_rule, with or without SL_MERGE_KEY */
    enum sl_field_kind field;
    uint32_t offset, flag; /* offsets of the member and of its bool (SL_FIELD_UINT_IF, ...) */
};

#define SL_COLUMNS_MAX 32

struct sl_sql_table {
    const char *name;
    const char *meaning; /* describes a row */
    const char *end;     /* end of CREATE TABLE: table constraints and ")"; NULL: only ")" */
    struct sl_column column[SL_COLUMNS_MAX]; /* ends at the first column without a name */
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

/* Number of columns. */
size_t sl_sql_columns(const struct sl_sql_table *table);

/* Index of the column with this name, which the table must have. */
int sl_sql_column(const struct sl_sql_table *table, const char *name);

/* Creates n tables. Returns SQLite's result code. */
int sl_sql_create_all(sqlite3 *database, const struct sl_sql_table *table, size_t n);

/* Prepares "VERB table VALUES (?,...)" with all columns. `verb` is "INSERT INTO" or a variant, for
 * example "INSERT OR IGNORE INTO". Returns SQLite's result code. */
int sl_sql_prepare_insert(sqlite3 *database, const struct sl_sql_table *table, const char *verb,
                          sqlite3_stmt **statement);

/* Prepares "SELECT (all columns) FROM table TAIL". Returns SQLite's result code. */
int sl_sql_prepare_select(sqlite3 *database, const struct sl_sql_table *table, const char *tail,
                          sqlite3_stmt **statement);

/* ---- rows and structs ---- */

/* Binds each column that has a struct member to its parameter of an INSERT that was prepared by
 * sl_sql_prepare_insert(). Texts must stay valid until the statement is reset. Returns SQLite's
 * result code. */
int sl_sql_bind(const struct sl_sql_table *table, sqlite3_stmt *insert, const void *from);

/* Sets each struct member that has a column from the current row of a SELECT that was prepared by
 * sl_sql_prepare_select(). Texts belong to SQLite and are valid until the next step. A NULL that
 * the type excludes is read as "". */
void sl_sql_read(const struct sl_sql_table *table, sqlite3_stmt *row, void *to);

/* Replaces the texts of a struct by copies. Returns false if out of memory; then the texts that
 * were not copied are NULL, so that sl_sql_free_texts() may be called. */
bool sl_sql_copy_texts(const struct sl_sql_table *table, void *of);
void sl_sql_free_texts(const struct sl_sql_table *table, void *of);

/* Adds the struct `one` to `sum` by the merge rules of the columns. If `one` is NULL, it only
 * clears the members with the rule SL_MERGE_NULL. Texts are not copied. */
void sl_sql_merge(const struct sl_sql_table *table, void *sum, const void *one);

/* ---- the check of an opened database ---- */

/* Checks that an opened database has the n tables as sl_sql_create_all() creates them, no views,
 * triggers or virtual tables, and no damaged pages. Other tables and indices are allowed. SQLite's
 * check of pages (a few milliseconds per megabyte) also finds pages that are linked more than once,
 * with which a small file could have an unbounded number of rows.
 *
 * Returns 0, or SL_EFORMAT with a message about the file `name`, which begins with `kind` ("the
 * database " or ""). *rc is SQLite's result code: SQLITE_OK, SQLITE_DONE, or an error that the
 * caller has to report. */
int sl_schema_check(sqlite3 *database, const struct sl_sql_table *table, size_t n, const char *name,
                    const char *kind, int *rc, struct sl_failure *f);

#endif
