/* The database of a run: one SQLite file, written in one step. */
#ifndef SL_DATABASE_H
#define SL_DATABASE_H

#include "result.h"

/* Writes `results` to a temporary file beside `path`, then renames it. */
int sl_database_write(const char *path, const struct sl_results *results, struct sl_failure *f);

#endif
