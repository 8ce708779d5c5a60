/* SPDX-License-Identifier: MIT */
/* Runs a sweep on a Slurm cluster, with one job per shard. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "job_file.h"
#include "jobs.h"
#include "shard_file.h"
#include "sweep.h"

#define POINTS_DEFAULT 200u

/* Finds the points of this sweep that the task measured. Returns false if it does not belong to
 * this sweep. */
static bool recognize(const struct sl_sweep *s, const struct sl_shard_task *task,
                      struct sl_sweep_batch *batch)
{
    size_t stream = 0;
    while (stream < s->n_streams && strcmp(s->stream[stream].what, task->what))
        stream++;
    *batch = (struct sl_sweep_batch){.stream = stream, .n = task->shard.n};
    if (stream == s->n_streams || !(batch->point = malloc(batch->n * sizeof *batch->point)))
        return false;
    for (size_t i = 0; i < batch->n; i++) {
        size_t k = 0;
        while (k < s->n_points && (strcmp(s->point[k].spec, task->shard.spec[i]) ||
                                   strcmp(s->point[k].described, task->described)))
            k++;
        if (k == s->n_points) {
            free(batch->point);
            return false;
        }
        batch->point[i] = k;
    }
    return true;
}

/* Stores the results of a job that an earlier process submitted. A job file that cannot be read is
 * ignored. */
static int find(void *context, const char *directory, size_t number, struct sl_failure *f)
{
    struct sl_sweep *s = context;
    struct sl_shard_task task;
    struct sl_job_results figures = {0};
    struct sl_sweep_batch batch;
    int error = 0;
    if (sl_shard_read(directory, number, &task, NULL) >= 0 && recognize(s, &task, &batch)) {
        if (sl_job_collect(directory, number, &figures, NULL) >= 0)
            error = sl_sweep_add_results(s, &batch, &figures, f);
        s->n_done = 0; /* these results were not counted as work to do */
        s->effort = (struct sl_sweep_effort){0};
        free(batch.point);
    }
    sl_job_results_free(&figures);
    sl_shard_task_free(&task);
    return error;
}

static uint64_t bytes(const void *context, size_t job)
{
    return ((const struct sl_sweep *)context)->batch[job].bytes;
}

static int write_shard(void *context, size_t job, const char *directory, size_t number,
                       struct sl_failure *f)
{
    const struct sl_sweep *s = context;
    const struct sl_sweep_batch *batch = &s->batch[job];
    struct sl_shard_task task = {.what = s->stream[batch->stream].what,
                                 .described = s->point[batch->point[0]].described};
    int error = sl_sweep_shard(s, batch, &task.shard) ? sl_shard_write(directory, number, &task, f)
                                                      : sl_out_of_memory(f);
    free((void *)task.shard.spec);
    return error;
}

static int store_results(void *context, size_t job, const char *directory, size_t number,
                         struct sl_failure *f)
{
    struct sl_sweep *s = context;
    struct sl_job_results figures = {0};
    int error = sl_job_collect(directory, number, &figures, f);
    if (error >= 0)
        error = sl_sweep_add_results(s, &s->batch[job], &figures, f);
    sl_job_results_free(&figures);
    if (error >= 0 && s->config->progress)
        s->config->progress(s->config->context, s->n_done, s->n_todo);
    return error;
}

/* Stored after each failed attempt, so that the file has the reason even if this process dies
 * before a retry succeeds. */
static int store_failure(void *context, size_t job, const char *why, bool final,
                         struct sl_failure *f)
{
    struct sl_sweep *s = context;
    (void) final;
    return sl_sweep_add_failure(s, &s->batch[job], why, f);
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
                           .write = write_shard,
                           .store_results = store_results,
                           .store_failure = store_failure,
                           .find = find};
    int error = sl_jobs_collect_leftover(&jobs, f);
    if (error >= 0)
        error = sl_sweep_batch(s, UINT64_MAX, c->shard ? c->shard : POINTS_DEFAULT, 1, f);
    jobs.n = s->n_batches;
    return error < 0 ? error : sl_jobs_slurm(&jobs, f);
}
