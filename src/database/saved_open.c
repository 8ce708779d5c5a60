/* A database that is to be read: opened, and seen to be one of ours. */
#include <stdlib.h>
#include <sys/stat.h>

#include "database.h"
#include "failure.h"
#include "saved_row.h"

static int pragma(sqlite3 *database, const char *sql, int *value)
{
    sqlite3_stmt *row;
    int rc = sqlite3_prepare_v2(database, sql, -1, &row, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW)
        *value = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    return rc == SQLITE_ROW ? 0 : -1;
}

static int check(sqlite3 *database, const char *path, struct sl_failure *f)
{
    int id = 0, version = 0;
    /* A database from somewhere else must not run anything through its views. */
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (pragma(database, "PRAGMA application_id", &id) ||
        pragma(database, "PRAGMA user_version", &version) || id != SL_DATABASE_ID)
        return sl_fail(f, SL_EFORMAT, "%s is not a database of sluice", path);
    if (version != SL_DATABASE_VERSION)
        return sl_fail(f, SL_EFORMAT,
                       "%s was written by another version of sluice (its tables are version %d, "
                       "this one reads %d); use that one, or profile again",
                       path, version, SL_DATABASE_VERSION);
    return 0;
}

static int open_checked(const char *path, sqlite3 **database, struct sl_failure *f)
{
    struct stat status;
    *database = NULL;
    if (stat(path, &status))
        return sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    if (!S_ISREG(status.st_mode))
        return sl_fail(f, SL_EFORMAT, "%s is not a database of sluice", path);
    if (sqlite3_open_v2(path, database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return sl_fail(f, SL_EIO, "cannot read %s: %s", path,
                       *database ? sqlite3_errmsg(*database) : "out of memory");
    return check(*database, path, f);
}

int sl_database_open(struct sl_database **database, const char *path, struct sl_failure *f)
{
    *database = calloc(1, sizeof **database);
    int result = *database ? open_checked(path, &(*database)->sql, f) : sl_saved_fail_memory(f);
    if (!result)
        result = sl_saved_program(*database, f);
    if (!result)
        result = sl_saved_machine(*database, f);
    if (!result)
        result = sl_saved_profiles(*database, f);
    if (result) {
        sl_database_close(*database);
        *database = NULL;
    }
    return result;
}

void sl_database_close(struct sl_database *database)
{
    if (!database)
        return;
    sl_saved_program_free(&database->program);
    sl_saved_machine_free(&database->machine);
    sl_saved_profiles_free(&database->profiles);
    sqlite3_close(database->sql);
    free(database);
}
