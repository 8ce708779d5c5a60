/* SPDX-License-Identifier: MIT */
/* Shares as jobs (job_file.h). */
#ifndef SL_SHARE_FILE_H
#define SL_SHARE_FILE_H

#include "share.h"

/* A share, and what its stream and machine are known by in the sweep's file. */
struct sl_share_task {
    struct sl_share share;
    const char *what, *described;
    /* Of one that was read: */
    struct sl_sweep_how how; /* share.how is this */
    char **text;             /* to be freed */
    size_t n_texts, room_texts, room_specs;
};

int sl_share_write(const char *directory, size_t number, const struct sl_share_task *task,
                   struct sl_failure *f);
/* To be freed in any case. */
int sl_share_read(const char *directory, size_t number, struct sl_share_task *task,
                  struct sl_failure *f);
void sl_share_task_free(struct sl_share_task *task);

/* Does it, and leaves what came of it. */
int sl_share_work(const char *directory, size_t number, struct sl_failure *f);

#endif
