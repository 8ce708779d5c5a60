/* SPDX-License-Identifier: MIT */
/* Temporary files without a name, and complete reads and writes at an offset (unnamed_file.h). On
 * file systems without O_TMPFILE, a file is created with a name and unlinked at once. */
#include "unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define CALL_MOST ((size_t)1 << 26) /* bytes per call, so that signals are not delayed */

static int make_in(const char *directory)
{
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    char *name; /* the file system has no O_TMPFILE */
    if (asprintf(&name, "%s/sluice-XXXXXX", directory) < 0)
        return -1;
    if ((file = mkostemp(name, O_CLOEXEC)) >= 0)
        unlink(name);
    free(name);
    return file;
}

int sl_nameless_file(const char *directory)
{
    const char *wanted = directory ? directory : getenv("TMPDIR");
    if (wanted && *wanted)
        return make_in(wanted);
    int file = make_in("/var/tmp"); /* /tmp is often in memory */
    return file >= 0 ? file : make_in("/tmp");
}

/* Writes `from` or, if that is NULL, reads to `to`. */
static bool transfer(int file, uint64_t at, const char *from, char *to, size_t n)
{
    for (size_t done = 0; done < n;) {
        size_t left = n - done < CALL_MOST ? n - done : CALL_MOST;
        off_t offset = (off_t)(at + done);
        ssize_t moved = TEMP_FAILURE_RETRY(from ? pwrite(file, from + done, left, offset)
                                                : pread(file, to + done, left, offset));
        if (moved <= 0) {
            errno = moved ? errno : from ? ENOSPC : EIO;
            return false;
        }
        done += (size_t)moved;
    }
    return true;
}

bool sl_file_write(int file, uint64_t at, const void *from, size_t n)
{
    return transfer(file, at, from, NULL, n);
}

bool sl_file_read(int file, uint64_t at, void *to, size_t n)
{
    return transfer(file, at, NULL, to, n);
}
