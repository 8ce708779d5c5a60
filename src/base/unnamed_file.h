/* SPDX-License-Identifier: MIT */
/* Temporary files without a name, which the kernel deletes when the process ends, and functions
 * that repeat pread(2) and pwrite(2) until all bytes are transferred. */
#ifndef SL_UNNAMED_FILE_H
#define SL_UNNAMED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates one in the directory; NULL: in TMPDIR, else in /var/tmp or /tmp. Returns its descriptor,
 * or -1 with errno. */
int sl_nameless_file(const char *directory);

/* Write and read all `n` bytes at offset `at`; return false with errno after an error. Reading
 * beyond the end of the file is one (EIO). */
bool sl_file_write(int file, uint64_t at, const void *from, size_t n);
bool sl_file_read(int file, uint64_t at, void *to, size_t n);

#endif
