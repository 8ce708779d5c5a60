/* SPDX-License-Identifier: MIT */
/* Reader of the rows of an opened database, for the files of src/store. */
#ifndef SL_DB_ROW_H
#define SL_DB_ROW_H

#include "database.h"

/* A query and its current row:
 *
 *     struct sl_rows rows = sl_rows_select(database, SL_DB_PHASE, "ORDER BY id", NULL, 0);
 *     while (sl_rows_next(&rows, &phase))
 *         rows.result = ...;
 *     return sl_rows_end(&rows, f);                                                             */
struct sl_rows {
    struct sl_database *database;
    const struct sl_sql_table *table; /* NULL: the query selects other columns */
    sqlite3_stmt *row;
    int rc;     /* of SQLite */
    int result; /* set by the caller: an error or another value than 0 ends the query */
};

/* Begins a query with `bound` as the values of ?1, ?2, ... Errors are reported by sl_rows_end(). */
struct sl_rows sl_rows_query(struct sl_database *database, const char *sql, const int64_t *bound,
                             int n_bound);

/* The same for all columns of a table. `tail` is the end of the query: "WHERE ... ORDER BY ...". */
struct sl_rows sl_rows_select(struct sl_database *database, enum sl_db_table table,
                              const char *tail, const int64_t *bound, int n_bound);

/* The same for the rows of a profile. */
struct sl_rows sl_rows_of_profile(struct sl_database *database, enum sl_db_table table,
                                  const struct sl_db_profile *profile, const char *order);

/* The parameter of LIMIT or of "rank <= ?" for the first n rows; 0: all. */
static inline int64_t sl_rows_limit(uint64_t n)
{
    return n && n <= INT64_MAX ? (int64_t)n : INT64_MAX;
}

/* Steps to the next row. After sl_rows_select() the row is also copied to the struct `to`, unless
 * that is NULL. Returns false if there are no more rows, an error occurred or rows->result is not
 * 0. */
bool sl_rows_next(struct sl_rows *rows, void *to);

/* Ends the query. Returns rows->result if it is not 0, otherwise 0, SL_EFORMAT or SL_ENOMEM. */
int sl_rows_end(struct sl_rows *rows, struct sl_failure *f);

/* Reads the number in the first column of the first row; leaves *value if there is no row. */
int sl_rows_number(struct sl_database *database, const char *sql, const int64_t *bound, int n_bound,
                   uint64_t *value, struct sl_failure *f);

/* Return the value of a column. If it is NULL, these return NULL and 0. */
const char *sl_column_text(sqlite3_stmt *row, int column);
uint64_t sl_column_uint(sqlite3_stmt *row, int column);
bool sl_is_null(sqlite3_stmt *row, int column);

/* Columns that describe the code address p.address in object a, and the function that reads them.
 * The address itself is not one of them. */
#define SL_LOCATION_COLUMNS(p, a) \
    p ".function, " p ".function_start, " a ".name, " p ".object_address, " p ".file, " p ".line"
#define SL_LOCATION_WIDTH 6
void sl_location_at(sqlite3_stmt *row, int column, uint64_t address, struct sl_db_location *place);

/* Columns that describe both fields of a tuple in table t as code addresses, and the joins for
 * them. */
#define SL_TUPLE_COLUMNS SL_LOCATION_COLUMNS("p", "a") ", " SL_LOCATION_COLUMNS("q", "b")
#define SL_TUPLE_JOINS(t, condition)                                                      \
    " LEFT JOIN location p ON p.address = " t ".pc LEFT JOIN object a ON a.id = p.object" \
    " LEFT JOIN location q ON " condition "q.address = " t                                \
    ".value LEFT JOIN object b ON b.id = q.object"
/* Calls `each`, with the id of the tuple's profile, for the rows of a query whose columns are rank,
 * profile, pc, value, count and SL_TUPLE_COLUMNS. Ends the query and returns as sl_rows_end(). */
int sl_rows_each_tuple(struct sl_rows rows, sl_db_tuple_row *each, void *context,
                       struct sl_failure *f);

/* Sets entry->at and entry->to from these columns. entry->value must be set. */
void sl_tuple_at(sqlite3_stmt *row, int column, uint64_t pc, struct sl_db_entry *entry);

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

/* Returns the profile whose id is in the first column of a row; NULL: there is none. */
struct sl_db_profile *sl_db_profile_of_row(const struct sl_database *database, sqlite3_stmt *row);

void sl_db_program_free(struct sl_db_program *program);
void sl_db_profiles_free(struct sl_db_profiles *profiles);

#endif
