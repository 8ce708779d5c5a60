/* SPDX-License-Identifier: MIT */
/* Reading rows of an opened database, for the files of src/store. */
#ifndef SL_DB_ROW_H
#define SL_DB_ROW_H

#include "database.h"
#include "db.h"

/* Rows of a query, one at a time:
 *
 *     struct sl_rows rows = sl_rows_select(database, SL_DB_PHASE, "ORDER BY number", NULL, 0);
 *     while (!result && sl_rows_next(&rows, &phase))
 *         result = ...;
 *     return sl_rows_end(&rows, result, f);                                                     */
struct sl_rows {
    struct sl_database *database;
    const struct sl_sql_table *table; /* NULL: the query selects other columns */
    sqlite3_stmt *row;
    int rc;
};

/* Begins a query with `bound` for its ?1, ?2, ...; sl_rows_end() reports errors. */
struct sl_rows sl_rows_query(struct sl_database *database, const char *sql, const int64_t *bound,
                             int n_bound);

/* The same for all columns of a table, with "WHERE ... ORDER BY ..." at the end of the query. */
struct sl_rows sl_rows_select(struct sl_database *database, enum sl_db_table table,
                              const char *tail, const int64_t *bound, int n_bound);

/* The same for the rows of a profile. */
struct sl_rows sl_rows_of_profile(struct sl_database *database, enum sl_db_table table,
                                  const struct sl_db_profile *profile, const char *order);

/* Reads the next row; of sl_rows_select(), also into the struct `to` unless that is NULL. False:
 * there are no more rows, or an error occurred. */
bool sl_rows_next(struct sl_rows *rows, void *to);

/* Ends the query. Returns `result` if that is not 0, otherwise 0, SL_EFORMAT or SL_ENOMEM. */
int sl_rows_end(struct sl_rows *rows, int result, struct sl_failure *f);

/* Reads the number in the first column of the first row; leaves *value if there is no row. */
int sl_rows_number(struct sl_database *database, const char *sql, const int64_t *bound, int n_bound,
                   uint64_t *value, struct sl_failure *f);

/* NULL, 0, 0 and NAN where the column is NULL. */
const char *sl_column_text(sqlite3_stmt *row, int column);
uint64_t sl_column_uint(sqlite3_stmt *row, int column);
double sl_column_real(sqlite3_stmt *row, int column);
bool sl_is_null(sqlite3_stmt *row, int column);

/* Columns of the code address p.address in object a, and the address that they describe, which they
 * do not contain. */
#define SL_PLACE_COLUMNS(p, a) \
    p ".function, " p ".function_start, " a ".name, " p ".object_address, " p ".file, " p ".line"
#define SL_PLACE_WIDTH 6
void sl_place_at(sqlite3_stmt *row, int column, uint64_t address, struct sl_db_place *place);

/* Columns of the two fields of a tuple in table t as code addresses, and the joins for them. */
#define SL_TUPLE_COLUMNS SL_PLACE_COLUMNS("p", "a") ", " SL_PLACE_COLUMNS("q", "b")
#define SL_TUPLE_JOINS(t, condition)                                                   \
    " LEFT JOIN place p ON p.address = " t ".pc LEFT JOIN object a ON a.id = p.object" \
    " LEFT JOIN place q ON " condition "q.address = " t                                \
    ".value LEFT JOIN object b ON b.id = q.object"
/* Sets entry->at and entry->to from these columns; entry->value must be set. */
void sl_tuple_at(sqlite3_stmt *row, int column, uint64_t pc, struct sl_db_entry *entry);

/* Checks that an opened file contains the tables of sluice and nothing that is executed when it is
 * read (db_open.c), and limits the work of all later queries by its size in bytes. */
int sl_db_check(struct sl_database *database, uint64_t bytes, struct sl_failure *f);

/* Opens, like sl_database_open(), a database that is stored in a cell of another one. */
int sl_db_open_cell(struct sl_database **database, struct sl_database *within, sqlite3_stmt *row,
                    int column, struct sl_failure *f);

/* Its file, for messages. */
const char *sl_db_name(const struct sl_database *database);

/* Parts that sl_database_open() reads. */
int sl_db_program(struct sl_database *database, struct sl_failure *f);
int sl_db_machine(struct sl_database *database, struct sl_failure *f);
int sl_db_profiles(struct sl_database *database, struct sl_failure *f);
int sl_db_deliveries(struct sl_database *database, struct sl_failure *f);
void sl_db_program_free(struct sl_db_program *program);
void sl_db_profiles_free(struct sl_db_profiles *profiles);

#endif
