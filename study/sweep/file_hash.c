/* SPDX-License-Identifier: MIT */
/* Computes a hash of the content of a file, by which a sweep identifies a trace even if it was
 * renamed. */
#include "file_hash.h"

#include <stdlib.h>
#include <xxhash.h>

#include "failure.h"

int sl_hash_file(const char *path, uint64_t *hash, struct sl_failure *f)
{
    static const size_t capacity = 1 << 20;
    XXH3_state_t *state = XXH3_createState();
    char *buffer = malloc(capacity);
    FILE *file = state && buffer ? fopen(path, "re") : NULL;
    int error = 0;
    if (!state || !buffer)
        error = sl_out_of_memory(f);
    else if (!file)
        error = sl_fail_errno(f, SL_EIO, "cannot read %s", path);
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
