/* SPDX-License-Identifier: MIT */
/* What a file is known by, wherever it is. */
#ifndef SL_FILE_HASH_H
#define SL_FILE_HASH_H

#include "sluice-study.h"

/* The hash of its content. SL_EIO, SL_ENOMEM. */
int sl_hash_file(const char *path, uint64_t *hash, struct sl_failure *f);

#endif
