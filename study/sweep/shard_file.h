/* SPDX-License-Identifier: MIT */
/* Stores the description of a shard (part) of a sweep as a job file, from which another process
 * runs the shard (job_file.h). */
#ifndef SL_SHARD_FILE_H
#define SL_SHARD_FILE_H

#include "shard.h"

/* A shard, and the identities of its stream and CPU model in the sweep's file. */
struct sl_shard_task {
    struct sl_shard shard;
    const char *what, *described;
    /* Only after sl_shard_read(): */
    struct sl_sweep_how how; /* shard.how points to it */
    char **text;             /* owned */
    size_t n_texts, texts_capacity, specs_capacity;
};

int sl_shard_write(const char *directory, size_t number, const struct sl_shard_task *task,
                   struct sl_failure *f);
/* Reads a job file. Returns 0, SL_EIO, SL_ENOMEM, or SL_EFORMAT if it is incomplete or of another
 * version. Call sl_shard_task_free() in any case. */
int sl_shard_read(const char *directory, size_t number, struct sl_shard_task *task,
                  struct sl_failure *f);
void sl_shard_task_free(struct sl_shard_task *task);

/* Runs the job and writes its results or its failure to the directory. Returns 0 or the error. */
int sl_shard_work(const char *directory, size_t number, struct sl_failure *f);

#endif
