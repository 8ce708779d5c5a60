#include "database.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

/* The head of an SQLite file: its magic at 0, application_id at 68, big-endian. */
static bool is_ours(const uint8_t head[72])
{
    uint32_t id = (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 | head[71];
    return !memcmp(head, "SQLite format 3", 16) && id == SL_DATABASE_ID;
}

/* An empty file (from mktemp) holds nothing to lose. */
int sl_database_replaceable(const char *path, struct sl_failure *f)
{
    struct stat status;
    uint8_t head[72];
    if (stat(path, &status))
        return errno == ENOENT ? 0 : sl_fail_errno(f, SL_EIO, "cannot write %s", path);
    if (!S_ISREG(status.st_mode))
        return sl_fail(f, SL_EUSAGE, "%s is not a plain file; give another name for the database", path);
    if (access(path, W_OK))
        return sl_fail_errno(f, SL_EIO, "cannot replace %s", path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return sl_fail_errno(f, SL_EIO, "cannot tell whether %s is a database of sluice", path);
    ssize_t n = pread(fd, head, sizeof head, 0);
    close(fd);
    if (n == 0 || (n == (ssize_t)sizeof head && is_ours(head)))
        return 0;
    return sl_fail(f, SL_EUSAGE,
                   "%s exists and is not a database of sluice, so it is not overwritten; "
                   "give another name or remove it", path);
}

/* Not mkstemp(3): its files are for the owner only, whatever the umask. */
static int create_beside(const char *path, char *out, size_t room)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(out, room, "%s.new-%ld.%d", path, (long)getpid(), attempt);
        if (length < 0 || (size_t)length >= room) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(out, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            close(fd);
            return 0;
        }
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static int write_to(const char *temporary, const char *path, const struct sl_results *results,
                    struct sl_failure *f)
{
    sqlite3 *database = NULL;
    int rc = sqlite3_open_v2(temporary, &database, SQLITE_OPEN_READWRITE, NULL);
    if (rc == SQLITE_OK)
        rc = sl_database_fill(database, results);
    int result = 0;
    if ((rc & 0xff) == SQLITE_NOMEM)
        result = sl_fail(f, SL_ENOMEM, "there is not enough memory to write %s", path);
    else if (rc != SQLITE_OK)
        result = sl_fail(f, SL_EIO, "cannot write %s: %s", path,
                         (rc & 0xff) == SQLITE_FULL ? "no space left on the device"
                         : database                 ? sqlite3_errmsg(database)
                                                    : sqlite3_errstr(rc));
    if (sqlite3_close(database) != SQLITE_OK && !result)
        result = sl_fail(f, SL_EIO, "cannot write %s", path);
    return result;
}

int sl_database_write(const char *path, const struct sl_results *results, struct sl_failure *f)
{
    char temporary[PATH_MAX];
    int result = sl_database_replaceable(path, f);
    if (result)
        return result;
    /* A symbolic link stays one: what it leads to is replaced. */
    char *target = realpath(path, NULL);
    const char *final = target ? target : path;
    if (create_beside(final, temporary, sizeof temporary)) {
        result = sl_fail_errno(f, SL_EIO, "cannot write %s", path);
        free(target);
        return result;
    }
    result = write_to(temporary, path, results, f);
    if (!result && rename(temporary, final))
        result = sl_fail_errno(f, SL_EIO, "cannot write %s", path);
    if (result)
        unlink(temporary);
    free(target);
    return result;
}
