/* SPDX-License-Identifier: MIT */
/* Atomic replacement of a file (replacement.h). The temporary file is named NAME.new-RANDOM. A
 * process locks its temporary file, so that other processes recognize and remove the temporary
 * files of killed processes. */
#include "replacement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "utf8.h"

#define HEAD_MAX 128u

int sl_replaceable(const char *path, const char *what, bool (*is_ours)(const uint8_t *head),
                   size_t n, struct sl_failure *f)
{
    struct stat status;
    uint8_t head[HEAD_MAX];
    if (stat(path, &status))
        return errno == ENOENT ? 0 : sl_fail_errno(f, SL_EIO, "cannot write %s", path);
    if (!S_ISREG(status.st_mode))
        return sl_fail(f, SL_EUSAGE, "%s is not a regular file: use another name for %s", path,
                       what);
    if (access(path, W_OK))
        return sl_fail_errno(f, SL_EIO, "cannot replace %s", path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return sl_fail_errno(f, SL_EIO, "cannot read %s to check whether it is %s", path, what);
    ssize_t got = pread(fd, head, n, 0);
    close(fd);
    if (got == 0 || (got == (ssize_t)n && is_ours(head)))
        return 0;
    return sl_fail(f, SL_EUSAGE,
                   "%s exists and is not %s, so it is not overwritten; "
                   "use another name or remove it",
                   path, what);
}

/* Temporary names are the final name, shortened if necessary, MARK and random digits. */
#define MARK ".new-"
#define DIGITS 16u

static size_t length_before_mark(const char *final)
{
    size_t length = strlen(final), capacity = NAME_MAX - strlen(MARK) - DIGITS;
    return length < capacity ? length : capacity;
}

/* Makes a random name in the directory of the final one. */
static bool invent_name(const struct sl_replacement *r, char out[PATH_MAX])
{
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    const char *final = sl_file_name(r->final);
    size_t prefix = (size_t)(final - r->final) + length_before_mark(final);
    int length = snprintf(out, PATH_MAX, "%.*s" MARK "%0*llx", (int)prefix, r->final, (int)DIGITS,
                          (unsigned long long)random);
    if (length > 0 && length < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool is_invented(const char *name, const char *final)
{
    size_t n = length_before_mark(final), mark = strlen(MARK);
    return !strncmp(name, final, n) && !strncmp(name + n, MARK, mark) &&
           strspn(name + n + mark, "0123456789abcdef") == DIGITS && !name[n + mark + DIGITS];
}

/* Removes files of killed processes, which are not locked. */
static void remove_leftovers(const char *folder, const char *final)
{
    DIR *directory = opendir(folder);
    for (const struct dirent *e; directory && (e = readdir(directory));) {
        if (!is_invented(e->d_name, final))
            continue;
        int fd = openat(dirfd(directory), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
            unlinkat(dirfd(directory), e->d_name, 0);
        if (fd >= 0)
            close(fd);
    }
    if (directory)
        closedir(directory);
}

/* Creates the file and locks it until the process ends. */
static void open_locked(struct sl_replacement *r, const char *folder)
{
    r->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    r->named = r->fd < 0;
    if (!r->named)
        snprintf(r->path, sizeof r->path, SL_UNNAMED_PREFIX "%d", r->fd);
    else if (invent_name(r, r->path))
        r->fd = open(r->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (r->fd >= 0)
        flock(r->fd, LOCK_EX); /* without locks, no process removes it */
}

/* True if another process has removed the file before it was locked. */
static bool was_removed(const struct sl_replacement *r)
{
    struct stat status;
    return r->named && r->fd >= 0 && !fstat(r->fd, &status) && !status.st_nlink;
}

int sl_replacement_open(struct sl_replacement *r, const char *path, struct sl_failure *f)
{
    *r = (struct sl_replacement){.fd = -1};
    if (!realpath(path, r->final)) {
        if (errno != ENOENT || strlen(path) >= sizeof r->final)
            return sl_fail_errno(f, SL_EIO, "cannot write %s", path);
        strcpy(r->final, path);
    }
    char folder[PATH_MAX];
    int length = (int)(sl_file_name(r->final) - r->final);
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? r->final : ".");
    remove_leftovers(folder, sl_file_name(r->final));
    for (open_locked(r, folder); was_removed(r); open_locked(r, folder))
        close(r->fd);
    if (r->fd < 0)
        return sl_fail_errno(f, SL_EIO, "cannot write %s", path);
    /* If that is not permitted, only the owner can read the new file. */
    struct stat old;
    if (!stat(r->final, &old) && fchmod(r->fd, old.st_mode & 07777))
        errno = 0;
    return 0;
}

int sl_replacement_commit(struct sl_replacement *r, struct sl_failure *f)
{
    char name[PATH_MAX];
    bool good = !fsync(r->fd);
    if (good && !r->named) {
        good = invent_name(r, name) &&
               !linkat(AT_FDCWD, r->path, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
        if (good) {
            strcpy(r->path, name);
            r->named = true;
        }
    }
    good = good && !rename(r->path, r->final);
    int result = good ? 0 : sl_fail_errno(f, SL_EIO, "cannot write %s", r->final);
    r->named = r->named && !good;
    sl_replacement_abandon(r);
    return result;
}

void sl_replacement_abandon(struct sl_replacement *r)
{
    if (r->named)
        unlink(r->path);
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

FILE *sl_create_anew(const char *path)
{
    return unlink(path) < 0 && errno != ENOENT ? NULL : fopen(path, "wxe");
}
