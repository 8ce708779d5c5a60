/* SPDX-License-Identifier: MIT */
/* Rows of a saved database, for those who know its columns: saved.c, and the other files
 * that read a part of it by themselves. */
#ifndef SL_SAVED_ROW_H
#define SL_SAVED_ROW_H

#include <sqlite3.h>

#include "saved.h"

/* Whether it is what we write: our tables as we make them, and nothing that does something when it
 * is read (saved_check.c). From then on it may take no more work than a file of `bytes` explains.
 */
int sl_saved_check(struct sl_database *database, uint64_t bytes, struct sl_failure *f);

/* Opens, like sl_database_open, the database that is in a cell of another one. */
int sl_saved_open_cell(struct sl_database **database, struct sl_database *within, sqlite3_stmt *row,
                       int column, struct sl_failure *f);

/* What to call it in messages: its file. */
const char *sl_saved_name(const struct sl_database *database);

/* The parts of a database that is being opened (saved.c, saved_machine.c), and their ends. */
int sl_saved_program(struct sl_database *database, struct sl_failure *f);
int sl_saved_machine(struct sl_database *database, struct sl_failure *f);
int sl_saved_profiles(struct sl_database *database, struct sl_failure *f);

/* Into what is known of these: gaps between messages, queues, convergence. */
int sl_saved_deliveries(struct sl_database *database, struct sl_failure *f);
void sl_saved_program_free(struct sl_saved_program *program);
void sl_saved_machine_free(struct sl_saved_machine *machine);
void sl_saved_profiles_free(struct sl_saved_profiles *profiles);

/* SL_EFORMAT with what SQLite says, or SL_ENOMEM. */
int sl_saved_fail(struct sl_database *database, struct sl_failure *f);

/* NULL, 0 and NAN where the column is NULL. */
const char *sl_text_at(sqlite3_stmt *row, int column);
uint64_t sl_number_at(sqlite3_stmt *row, int column);
double sl_real_at(sqlite3_stmt *row, int column);

/* An address in code, described by the six columns from `column` on: function,
 * function_start, the object's name, object_address, file, line. */
void sl_place_at(sqlite3_stmt *row, int column, uint64_t address, struct sl_saved_place *place);

/* Calls `each` for every row of a query with `bound` for its ?1, ?2, ...; stops when
 * that returns other than 0, and returns it. */
int sl_saved_rows(struct sl_database *database, const char *sql, const int64_t *bound, int n_bound,
                  int (*each)(void *context, sqlite3_stmt *row), void *context,
                  struct sl_failure *f);

#endif
