/* SPDX-License-Identifier: MIT */
/* Reads a file that another program wrote as a stream of bytes. The file may be plain or compressed
 * with xz, gzip or zstd; its first bytes determine the compression. The memory needed does not
 * depend on the size of the file. */
#ifndef SL_FOREIGN_FILE_H
#define SL_FOREIGN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct sl_foreign_file;

/* Opens a file; "-" is standard input. Returns 0, SL_EIO, SL_EFORMAT (a directory), SL_EUNSUPPORTED
 * (another compression) or SL_ENOMEM. */
int sl_foreign_open(struct sl_foreign_file **file, const char *path, struct sl_failure *f);

/* Reads `size` bytes, fewer only at the end. Returns their number, SL_EIO, or SL_EFORMAT if the
 * compressed data are truncated or damaged. */
int64_t sl_foreign_read(struct sl_foreign_file *file, void *data, size_t size,
                        struct sl_failure *f);

void sl_foreign_close(struct sl_foreign_file *file); /* NULL is allowed */

#endif
