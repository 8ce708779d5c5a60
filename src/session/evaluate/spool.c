/* SPDX-License-Identifier: MIT */
/* Spool: a list of records of equal size. Older records are in an unnamed file, newer records in
 * memory (intervals.h). */
#include "intervals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grow.h"
#include "unnamed_file.h"

static bool open_file(struct sl_spool *s)
{
    if (s->file_bytes)
        return s->owner == getpid();
    s->owner = getpid();
    return (s->file = sl_nameless_file(s->directory)) >= 0;
}

/* Truncates the file after a failed write. */
static bool truncate_file(const struct sl_spool *s)
{
    return s->file_bytes ? !ftruncate(s->file, (off_t)s->file_bytes) : !close(s->file);
}

static bool write_tail(struct sl_spool *s)
{
    if (!open_file(s))
        return false;
    if (!sl_file_write(s->file, s->file_bytes, s->tail, s->tail_bytes)) {
        truncate_file(s);
        return false;
    }
    s->file_bytes += s->tail_bytes;
    s->tail_bytes = 0;
    return true;
}

bool sl_spool_add(struct sl_spool *s, const void *record, size_t size)
{
    if (s->tail_bytes + size > SL_SPOOL_BYTES && !s->refused)
        s->refused = !write_tail(s);
    if (!SL_GROW(s->tail, s->capacity, s->tail_bytes + size))
        return false;
    memcpy(s->tail + s->tail_bytes, record, size);
    s->tail_bytes += size;
    s->n++;
    return true;
}

void *sl_spool_read(const struct sl_spool *s)
{
    char *all = malloc(s->file_bytes + s->tail_bytes + 1);
    if (!all)
        return NULL;
    if (s->file_bytes && !sl_file_read(s->file, 0, all, s->file_bytes)) {
        free(all);
        return NULL;
    }
    if (s->tail_bytes)
        memcpy(all + s->file_bytes, s->tail, s->tail_bytes);
    return all;
}

void sl_spool_free(struct sl_spool *s)
{
    if (s->file_bytes)
        close(s->file);
    free(s->tail);
    *s = (struct sl_spool){.directory = s->directory};
}
