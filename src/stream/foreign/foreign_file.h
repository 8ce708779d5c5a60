/* SPDX-License-Identifier: MIT */
/* A file of another program's, plain or compressed (xz, gzip, zstd), as a stream of bytes: what it
 * is is known by its first ones. Memory stays bounded whatever the file says it will become. */
#ifndef SL_FOREIGN_FILE_H
#define SL_FOREIGN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct sl_foreign_file;

/* "-" is standard input. SL_EIO; SL_EUNSUPPORTED for what is compressed in another way. */
int sl_foreign_open(struct sl_foreign_file **file, const char *path, struct sl_failure *f);

/* Reads `size` bytes, fewer only at the end. Returns how many, or an error: SL_EFORMAT for
 * compressed data that is cut or damaged. */
int64_t sl_foreign_read(struct sl_foreign_file *file, void *data, size_t size,
                        struct sl_failure *f);

void sl_foreign_close(struct sl_foreign_file *file); /* NULL will do */

#endif
