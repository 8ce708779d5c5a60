/* SPDX-License-Identifier: MIT */
/* A file that is replaced in one step: readers see the old one or the new one, whole, and
 * whoever is killed meanwhile leaves nothing behind for long.
 *
 *     open      a file without a name beside the old one (O_TMPFILE), locked (flock)
 *     ...       is written, under `path` or through `fd`
 *     commit    is synced, gets a name, and takes the old one's place
 *
 * Between the last two steps the file has a name that nobody knows, for as long as a rename
 * takes. On file systems without O_TMPFILE it has that name from the beginning. A death
 * leaves it there, but unlocked: the next one who replaces the same file removes those that
 * nobody has locked.
 *
 * The old file's mode is kept; a new one is for its owner alone, as it holds what a program
 * has loaded. A symbolic link stays one: what it leads to is replaced. */
#ifndef SL_REPLACEMENT_H
#define SL_REPLACEMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "failure.h"

#define SL_UNNAMED_PREFIX "/proc/self/fd/" /* of `path` while it has no name */

struct sl_replacement {
    int fd;
    char path[PATH_MAX];  /* to open it by */
    char final[PATH_MAX]; /* what it will be called */
    bool named;
};

/* Whether `path` may be replaced by one of the same kind: nothing is there, or an empty file
 * (mktemp makes such), or one that `is_ours` says yes to, from its first `n` (up to 128) bytes.
 * `what` is the kind with its article, for the sentence.
 *
 * SL_EUSAGE  something else is there
 * SL_EIO     that cannot be found out, or not be replaced */
int sl_replaceable(const char *path, const char *what, bool (*is_ours)(const uint8_t *head),
                   size_t n, struct sl_failure *f);

/* SL_EIO: the system does not allow it. */
int sl_replacement_open(struct sl_replacement *r, const char *path, struct sl_failure *f);

/* Ends it, with the new file in place of the old one, or with the old one as it was. */
int sl_replacement_commit(struct sl_replacement *r, struct sl_failure *f);

/* Ends it, and nothing has happened. */
void sl_replacement_abandon(struct sl_replacement *r);

/* One of several files of a directory that is made for them: whatever had its name is gone first,
 * so that a link that somebody has put there is not followed. NULL with errno. */
FILE *sl_create_anew(const char *path);

#endif
