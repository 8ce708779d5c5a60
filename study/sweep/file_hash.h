/* SPDX-License-Identifier: MIT */
/* Hash of the content of a file, by which a sweep identifies a trace even if it was renamed. */
#ifndef SL_FILE_HASH_H
#define SL_FILE_HASH_H

#include "sluice-study.h"

/* Computes the XXH3 hash of the file's content. Returns 0, SL_EIO or SL_ENOMEM. */
int sl_hash_file(const char *path, uint64_t *hash, struct sl_failure *f);

#endif
