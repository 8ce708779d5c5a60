/* SPDX-License-Identifier: MIT */
/* Writes a database to a temporary file, which then replaces an older database (database.h). */
#include "database.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "replacement.h"
#include "utf8.h"

/* An SQLite file begins with a magic text and has the application_id at 68, big-endian. */
#define HEAD_SIZE 72
static bool is_ours(const uint8_t *head)
{
    uint32_t id = (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 |
                  head[71];
    return !memcmp(head, "SQLite format 3", 16) && id == SL_DATABASE_ID;
}

int sl_database_check_journal(const char *path, struct sl_failure *f)
{
    static const char *const kinds[] = {"-journal", "-wal"};
    struct stat status;
    for (size_t i = 0; i < 2; i++) {
        char *journal = sl_asprintf("%s%s", path, kinds[i]);
        if (!journal)
            return sl_out_of_memory(f);
        bool found = !stat(journal, &status) && status.st_size > 0;
        if (found)
            sl_fail(f, SL_EFORMAT,
                    "%s exists, probably because a write to the database was interrupted: recover "
                    "the database with: sqlite3 %s 'PRAGMA schema_version'",
                    journal, path);
        free(journal);
        if (found)
            return SL_EFORMAT;
    }
    return 0;
}

int sl_database_replaceable(const char *path, struct sl_failure *f)
{
    int error = sl_replaceable(path, "a database of sluice", is_ours, HEAD_SIZE, f);
    return error ? error : sl_database_check_journal(path, f);
}

/* By default SQLite resolves symbolic links and refuses to open them. The unnamed temporary file
 * can be opened only through a link in /proc. The next two functions allow only that link. */
static int open_link(const char *name, int flags, int mode)
{
    if (!strncmp(name, SL_UNNAMED_PREFIX, strlen(SL_UNNAMED_PREFIX)))
        flags &= ~O_NOFOLLOW;
    return open(name, flags, mode);
}

static int copy_name(sqlite3_vfs *vfs, const char *name, int capacity, char *out)
{
    (void)vfs;
    sqlite3_snprintf(capacity, out, "%s", name);
    return SQLITE_OK;
}

static int open_unnamed(const char *path, sqlite3 **database)
{
    static sqlite3_vfs vfs;
    if (!vfs.zName) {
        vfs = *sqlite3_vfs_find(NULL);
        vfs.pNext = NULL;
        vfs.zName = "sluice-unnamed";
        vfs.xFullPathname = copy_name;
        vfs.xSetSystemCall(&vfs, "open", (sqlite3_syscall_ptr)open_link);
        sqlite3_vfs_register(&vfs, 0);
    }
    return sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, vfs.zName);
}

int sl_database_check_write(sqlite3 *database, const char *path, int rc, struct sl_failure *f)
{
    return rc == SQLITE_OK ? 0
           : (rc & 0xff) == SQLITE_NOMEM
               ? sl_fail(f, SL_ENOMEM, "out of memory while writing %s", path)
               : sl_fail(f, SL_EIO, "cannot write %s: %s", path,
                         (rc & 0xff) == SQLITE_FULL ? "no space left on the device"
                         : database                 ? sqlite3_errmsg(database)
                                                    : sqlite3_errstr(rc));
}

static int write_to(const char *temporary, const char *path,
                    int (*fill)(sqlite3 *database, void *context), void *context,
                    struct sl_failure *f)
{
    sqlite3 *database = NULL;
    int rc = open_unnamed(temporary, &database);
    if (rc == SQLITE_OK)
        rc = fill(database, context);
    int result = sl_database_check_write(database, path, rc, f);
    if (sqlite3_close(database) != SQLITE_OK && !result)
        result = sl_fail(f, SL_EIO, "cannot write %s", path);
    return result;
}

int sl_database_write_by(const char *path, int (*fill)(sqlite3 *database, void *context),
                         void *context, struct sl_failure *f)
{
    struct sl_replacement replacement;
    int result = sl_database_replaceable(path, f);
    if (!result)
        result = sl_replacement_open(&replacement, path, f);
    if (result)
        return result;
    result = write_to(replacement.path, path, fill, context, f);
    if (result)
        sl_replacement_abandon(&replacement);
    else
        result = sl_replacement_commit(&replacement, f);
    return result;
}
