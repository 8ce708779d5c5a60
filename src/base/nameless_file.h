/* SPDX-License-Identifier: MIT */
/* A file for what is ours alone while we live: it has no name, or loses it at once, so that nothing
 * is left behind however the process ends. */
#ifndef SL_NAMELESS_FILE_H
#define SL_NAMELESS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes one in the directory; NULL: in TMPDIR, or where temporary files are that may be large. -1
 * with errno. */
int sl_nameless_file(const char *directory);

/* All of it, or false with errno. */
bool sl_file_write(int file, uint64_t at, const void *from, size_t n);
bool sl_file_read(int file, uint64_t at, void *to, size_t n);

#endif
