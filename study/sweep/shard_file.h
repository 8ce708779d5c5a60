/* SPDX-License-Identifier: MIT */
/* Shares as jobs (job_file.h). */
#ifndef SL_SHARD_FILE_H
#define SL_SHARD_FILE_H

#include "shard.h"

/* A share, and what its stream and machine are known by in the sweep's file. */
struct sl_shard_task {
    struct sl_shard share;
    const char *what, *described;
    /* Of one that was read: */
    struct sl_sweep_how how; /* share.how is this */
    char **text;             /* to be freed */
    size_t n_texts, texts_capacity, specs_capacity;
};

int sl_shard_write(const char *directory, size_t number, const struct sl_shard_task *task,
                   struct sl_failure *f);
/* To be freed in any case. */
int sl_shard_read(const char *directory, size_t number, struct sl_shard_task *task,
                  struct sl_failure *f);
void sl_shard_task_free(struct sl_shard_task *task);

/* Does it, and leaves what came of it. */
int sl_shard_work(const char *directory, size_t number, struct sl_failure *f);

#endif
