/* SPDX-License-Identifier: MIT */
/* A list of records of one size that grows with a run and is read when that is over.
 *
 *     file      | records | records | ... |            without a name; what is there never changes
 *     memory                              | records |  at most SL_SPOOL_BYTES
 *
 * While it is short it is in memory alone, and so it is where no file can be made or written: then
 * it grows there. A process that was forked meanwhile reads the file, which is its parent's, and
 * keeps what it adds in memory. */
#ifndef SL_SPOOL_H
#define SL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SL_SPOOL_BYTES ((size_t)1 << 20)

/* All zero, but for `directory`, before its first use. */
struct sl_spool {
    const char *directory; /* for the file; NULL: any (nameless_file.h) */
    size_t n;              /* records */
    char *tail;            /* the last of them */
    size_t tail_bytes, room;
    uint64_t file_bytes;
    int file;     /* if it has any */
    pid_t owner;  /* of the file */
    bool refused; /* nothing more goes there */
};

/* False, and nothing has happened, when memory ran out. */
bool sl_spool_add(struct sl_spool *spool, const void *record, size_t size);

/* All records, in an array that is to be freed. NULL without memory, or if the file cannot be read.
 */
void *sl_spool_read(const struct sl_spool *spool);

void sl_spool_free(struct sl_spool *spool);

#endif
