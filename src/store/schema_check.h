/* SPDX-License-Identifier: MIT */
/* Whether what a database has besides data is what we would have made. */
#ifndef SL_SCHEMA_CHECK_H
#define SL_SCHEMA_CHECK_H

#include <stdbool.h>

#include <sqlite3.h>

/* Says what is wrong with a thing of a database whose tables were made by `schema`: a row of
 * sqlite_schema, and whether it has pages of its own. Tables and indices that somebody has added
 * for himself may stay. NULL: nothing. */
const char *sl_schema_wrong_with(const char *schema, const char *type, const char *name,
                                 const char *sql, bool is_stored);

/* SQLite's own check, of which a row is given to sl_pages_wrong_with(): what is wrong, as long as
 * the row is there, or NULL. It finds pages and cells that are there twice: a page that is a
 * hundred times the child of another, and that a hundred times the child of a third, gives a small
 * file rows without number. It takes a few milliseconds for a megabyte. */
#define SL_CHECK_PAGES "PRAGMA quick_check(1)"
const char *sl_pages_wrong_with(sqlite3_stmt *row);

#endif
