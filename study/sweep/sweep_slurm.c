/* SPDX-License-Identifier: MIT */
/* A sweep in jobs of a cluster: a share each. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "job_file.h"
#include "jobs.h"
#include "shard_file.h"
#include "sweep.h"

#define POINTS_DEFAULT 200u

/* The share as one of this sweep; false if it is none. */
static bool recognize(const struct sl_sweep *s, const struct sl_shard_task *task,
                      struct sl_sweep_batch *deal)
{
    size_t stream = 0;
    while (stream < s->n_streams && strcmp(s->stream[stream].what, task->what))
        stream++;
    *deal = (struct sl_sweep_batch){.stream = stream, .n = task->share.n};
    if (stream == s->n_streams || !(deal->point = malloc(deal->n * sizeof *deal->point)))
        return false;
    for (size_t i = 0; i < deal->n; i++) {
        size_t k = 0;
        while (k < s->n_points && (strcmp(s->point[k].spec, task->share.spec[i]) ||
                                   strcmp(s->point[k].described, task->described)))
            k++;
        if (k == s->n_points) {
            free(deal->point);
            return false;
        }
        deal->point[i] = k;
    }
    return true;
}

/* A share that cannot be read is none. */
static int find(void *context, const char *directory, size_t number, struct sl_failure *f)
{
    struct sl_sweep *s = context;
    struct sl_shard_task task;
    struct sl_job_figures figures = {0};
    struct sl_sweep_batch deal;
    int error = 0;
    if (sl_shard_read(directory, number, &task, NULL) >= 0 && recognize(s, &task, &deal)) {
        if (sl_job_collect(directory, number, &figures, NULL) >= 0)
            error = sl_sweep_keep(s, &deal, &figures, f);
        s->n_done = 0; /* it was not to be done */
        s->effort = (struct sl_sweep_effort){0};
        free(deal.point);
    }
    sl_job_figures_free(&figures);
    sl_shard_task_free(&task);
    return error;
}

static uint64_t bytes(const void *context, size_t job)
{
    return ((const struct sl_sweep *)context)->deal[job].bytes;
}

static int write_share(void *context, size_t job, const char *directory, size_t number,
                       struct sl_failure *f)
{
    const struct sl_sweep *s = context;
    const struct sl_sweep_batch *deal = &s->deal[job];
    struct sl_shard_task task = {.what = s->stream[deal->stream].what,
                                 .described = s->point[deal->point[0]].described};
    int error = sl_sweep_shard(s, deal, &task.share) ? sl_shard_write(directory, number, &task, f)
                                                     : sl_out_of_memory(f);
    free((void *)task.share.spec);
    return error;
}

static int keep(void *context, size_t job, const char *directory, size_t number,
                struct sl_failure *f)
{
    struct sl_sweep *s = context;
    struct sl_job_figures figures = {0};
    int error = sl_job_collect(directory, number, &figures, f);
    if (error >= 0)
        error = sl_sweep_keep(s, &s->deal[job], &figures, f);
    sl_job_figures_free(&figures);
    if (error >= 0 && s->config->progress)
        s->config->progress(s->config->context, s->n_done, s->n_todo);
    return error;
}

/* Should we die before a job succeeds, the file says so much. */
static int keep_failure(void *context, size_t job, const char *why, bool in_the_end,
                        struct sl_failure *f)
{
    struct sl_sweep *s = context;
    (void)in_the_end;
    return sl_sweep_keep_failure(s, &s->deal[job], why, f);
}

int sl_sweep_slurm(struct sl_sweep *s, struct sl_failure *f)
{
    const struct sl_sweep_config *c = s->config;
    struct sl_jobs jobs = {.context = s,
                           .file = s->path,
                           .command = "sweep",
                           .at_once = c->threads,
                           .memory_bytes = c->memory_bytes,
                           .minutes = c->minutes,
                           .slurm = c->slurm,
                           .bytes = bytes,
                           .write = write_share,
                           .keep = keep,
                           .keep_failure = keep_failure,
                           .find = find};
    int error = sl_jobs_take_left(&jobs, f);
    if (error >= 0)
        error = sl_sweep_batch(s, UINT64_MAX, c->shard ? c->shard : POINTS_DEFAULT, 1, f);
    jobs.n = s->n_deals;
    return error < 0 ? error : sl_jobs_slurm(&jobs, f);
}
