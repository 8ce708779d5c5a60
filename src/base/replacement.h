/* SPDX-License-Identifier: MIT */
/* Atomic replacement of a file: readers see either the complete old file or the complete new one.
 *
 *     open      creates a file without a name in the same directory (O_TMPFILE), and locks it
 *     ...       the caller writes it, by its `path` or `fd`
 *     commit    syncs it, gives it a random name, and renames it over the old file
 *
 * The file has the random name only during the rename, or, on file systems without O_TMPFILE, from
 * the beginning. If the process is killed then, the file stays, but unlocked: the next replacement
 * of the same file removes unlocked ones.
 *
 * The new file gets the mode of the old one. Without an old one, only its owner can read it, since
 * it has the data of a program. Of a symbolic link, the target is replaced. */
#ifndef SL_REPLACEMENT_H
#define SL_REPLACEMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "failure.h"

#define SL_UNNAMED_PREFIX "/proc/self/fd/" /* of `path` while the file has no name */

struct sl_replacement {
    int fd;
    char path[PATH_MAX];  /* to open the new file by */
    char final[PATH_MAX]; /* its final name */
    bool named;
};

/* Returns 0 if `path` may be replaced: it does not exist, is empty (as from mktemp), or is_ours()
 * accepts its first `n` bytes, 128 at most. `what` is the kind of file with its article, for the
 * message. SL_EUSAGE if it is something else, SL_EIO if it cannot be read or replaced. */
int sl_replaceable(const char *path, const char *what, bool (*is_ours)(const uint8_t *head),
                   size_t n, struct sl_failure *f);

/* Creates the new file. Returns 0 or SL_EIO. */
int sl_replacement_open(struct sl_replacement *r, const char *path, struct sl_failure *f);

/* Replaces the old file. Returns 0, or SL_EIO and leaves the old file. Ends the replacement in
 * either case. */
int sl_replacement_commit(struct sl_replacement *r, struct sl_failure *f);

/* Ends the replacement and leaves the old file. */
void sl_replacement_abandon(struct sl_replacement *r);

/* Creates a file for writing, after removing what had its name, so that a link is not followed. For
 * files in a directory made for them. Returns NULL with errno after an error. */
FILE *sl_create_anew(const char *path);

#endif
