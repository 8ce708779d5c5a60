/* SPDX-License-Identifier: MIT */
/* Opening and hashing of files: a sweep identifies a trace by the hash of its content, even if the
 * trace was renamed. */
#ifndef SL_FILE_HASH_H
#define SL_FILE_HASH_H

#include "sluice-study.h"

/* Opens a regular file for reading: a pipe could block, and a device has no end. Returns 0, or
 * SL_EIO and sets *file to NULL. */
int sl_regular_file_open(FILE **file, const char *path, struct sl_failure *f);

/* Computes the XXH3 hash of the file's content. Returns 0, SL_EIO or SL_ENOMEM. */
int sl_hash_file(const char *path, uint64_t *hash, struct sl_failure *f);

#endif
