/* SPDX-License-Identifier: MIT */
/* Computes a hash of the content of a file, by which a sweep identifies a trace even if it was
 * renamed. */
#include "file_hash.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "failure.h"

int sl_regular_file_open(FILE **file, const char *path, struct sl_failure *f)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *file = NULL;
    if (fd < 0 || fstat(fd, &status))
        sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    else if (!S_ISREG(status.st_mode))
        sl_fail(f, SL_EIO, "cannot read %s: it is not a regular file", path);
    else if (!(*file = fdopen(fd, "r")))
        sl_out_of_memory(f);
    if (fd >= 0 && !*file)
        close(fd);
    return *file ? 0 : SL_EIO;
}

int sl_hash_file(const char *path, uint64_t *hash, struct sl_failure *f)
{
    static const size_t capacity = 1 << 20;
    XXH3_state_t *state = XXH3_createState();
    char *buffer = malloc(capacity);
    FILE *file = NULL;
    int error = state && buffer ? sl_regular_file_open(&file, path, f) : sl_out_of_memory(f);
    if (!error) {
        XXH3_64bits_reset(state);
        for (size_t n; (n = fread(buffer, 1, capacity, file));)
            XXH3_64bits_update(state, buffer, n);
        if (ferror(file))
            error = sl_fail_errno(f, SL_EIO, "cannot read %s", path);
        *hash = XXH3_64bits_digest(state);
    }
    if (file)
        fclose(file);
    free(buffer);
    XXH3_freeState(state);
    return error;
}
