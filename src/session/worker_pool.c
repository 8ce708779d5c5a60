/* SPDX-License-Identifier: MIT */
/* Worker pool: threads that run the groups of a session in parallel.
 *
 *     session   source ─► chunk ─► CPU model, weights, pieces ─► job ┐
 *                                                                    ▼
 *     jobs      ...────────────────────┬────┬────┬────┬────┬────┬────┐  SL_WORKER_POOL_JOBS, a ring
 *     groups     0 has run these ──────────────────►   1 ──────►        each at its own pace
 *
 * Each group runs all jobs in order, in one thread at a time. A free thread takes the group that
 * has run the fewest jobs; when the ring is full, the session's own thread does so, too, instead of
 * waiting. A group reads nothing of other groups, so that results are the same to the bit with any
 * number of threads.
 *
 * A source may write a chunk directly to its job (sl_worker_pool_arrays); chunks that are elsewhere
 * are copied. With one thread nothing is copied.
 *
 * Data that all groups read (static facts, symbols, the log of the CPU model) changes only while no
 * job is in flight: call sl_worker_pool_wait() before.
 *
 * One mutex protects the state of the pool; a worker releases it while it runs a group. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "resources.h"

/* ---- a group and a job ---- */

static uint64_t least_done(const struct sl_worker_pool *c)
{
    uint64_t least = c->posted;
    for (size_t i = 0; i < c->n_groups; i++)
        if (c->progress[i].done < least)
            least = c->progress[i].done;
    return least;
}

/* The idle group that has run the fewest jobs; NULL: none has a job to run. */
static struct sl_worker_pool_progress *choose_group(const struct sl_worker_pool *c)
{
    struct sl_worker_pool_progress *best = NULL;
    for (struct sl_worker_pool_progress *p = c->progress; p < c->progress + c->n_groups; p++)
        if (!p->busy && p->done < c->posted && (!best || p->done < best->done))
            best = p;
    return best;
}

/* A group that has failed skips all further jobs. */
static void run(struct sl_worker_pool *c, struct sl_worker_pool_progress *p,
                struct sl_events *buffer)
{
    struct sl_group *g = &c->group[p - c->progress];
    const struct sl_job *job = &c->job[p->done % c->n_jobs];
    if (!p->failure.code)
        sl_group_run(g, &job->pieces, job->weight, buffer, &p->failure);
}

/* Runs one job of one group, with the lock held on entry and return. Returns false if there is none
 * to run. */
static bool work(struct sl_worker_pool *c, struct sl_events *buffer)
{
    struct sl_worker_pool_progress *p = choose_group(c);
    if (!p)
        return false;
    p->busy = true;
    pthread_mutex_unlock(&c->lock);
    run(c, p, buffer);
    pthread_mutex_lock(&c->lock);
    p->busy = false;
    p->done++;
    pthread_cond_broadcast(&c->less);
    return true;
}

static void *run_worker(void *context)
{
    struct sl_worker *worker = context;
    struct sl_worker_pool *c = worker->pool;
    pthread_mutex_lock(&c->lock);
    while (!c->ending)
        if (!work(c, &worker->buffer))
            pthread_cond_wait(&c->more, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Waits until at most `most` jobs are in flight; the session's own thread helps. */
static void wait_for(struct sl_worker_pool *c, uint64_t most)
{
    pthread_mutex_lock(&c->lock);
    while (c->posted - least_done(c) > most)
        if (!work(c, &c->worker[0].buffer))
            pthread_cond_wait(&c->less, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void sl_worker_pool_wait(struct sl_worker_pool *c)
{
    if (c->n_workers > 1)
        wait_for(c, 0);
}

/* ---- jobs ---- */

/* Copies an array of a chunk to the job's own, `to`, unless it is part of the job's arrays. */
static const void *copy_array(const struct sl_chunk_arrays *a, void *to, const void *from, size_t n,
                              size_t size)
{
    bool there = (uintptr_t)from - (uintptr_t)a < sizeof *a;
    return from && !there ? memcpy(to, from, n * size) : from;
}

struct sl_chunk_arrays *sl_worker_pool_arrays(struct sl_worker_pool *c)
{
    if (c->n_workers > 1)
        wait_for(c, c->n_jobs - 1);
    return c->job[c->posted % c->n_jobs].arrays;
}

struct sl_job *sl_worker_pool_job(struct sl_worker_pool *c, const struct sl_chunk *chunk)
{
    struct sl_chunk_arrays *a = sl_worker_pool_arrays(c);
    struct sl_job *job = &c->job[c->posted % c->n_jobs];
    job->chunk = *chunk;
    if (a) {
        job->chunk.block = copy_array(a, a->block, chunk->block, chunk->n_blocks, 4);
        job->chunk.block_mem = copy_array(a, a->block_mem, chunk->block_mem, chunk->n_blocks, 4);
        job->chunk.mem_insn = copy_array(a, a->mem_insn, chunk->mem_insn, chunk->n_mems, 4);
        job->chunk.mem_value = copy_array(a, a->mem_value, chunk->mem_value, chunk->n_mems, 8);
        job->chunk.mem_addr = copy_array(a, a->mem_addr, chunk->mem_addr, chunk->n_mems, 8);
    }
    return job;
}

int sl_worker_pool_post(struct sl_worker_pool *c, struct sl_failure *f)
{
    const struct sl_failure *failure = NULL;
    if (c->n_workers > 1) {
        pthread_mutex_lock(&c->lock);
        c->posted++;
        pthread_cond_broadcast(&c->more);
    }
    for (size_t i = 0; i < c->n_groups; i++) {
        if (c->n_workers == 1)
            run(c, &c->progress[i], &c->worker[0].buffer);
        /* The failure of a busy group may be written at this moment. */
        if (!failure && !c->progress[i].busy && c->progress[i].failure.code)
            failure = &c->progress[i].failure;
    }
    if (c->n_workers > 1)
        pthread_mutex_unlock(&c->lock);
    return failure ? sl_fail(f, failure->code, "%s", failure->text) : 0;
}

/* ---- open and close ---- */

static bool make_job(struct sl_worker_pool *c, struct sl_job *job, bool copies, bool exits)
{
    bool good = !exits || (job->exits = malloc(sizeof *job->exits));
    job->arrays = copies ? malloc(sizeof *job->arrays) : NULL;
    job->weight = calloc(c->n_weights + 1, sizeof *job->weight);
    for (size_t i = 0; i < c->n_weights && job->weight; i++)
        good &= (job->weight[i] = malloc(SL_CHUNK_BLOCKS * sizeof **job->weight)) != NULL;
    return good && job->weight && (job->arrays || !copies);
}

int sl_worker_pool_open(struct sl_worker_pool *c, struct sl_group *group, size_t n_groups,
                        size_t n_weights, bool exits, unsigned threads, bool other_busy,
                        struct sl_failure *f)
{
    size_t n = sl_cpus(threads);
    if (!threads && other_busy && n > 1)
        n--;
    n = n > n_groups + 1 ? n_groups + 1 : n;
    *c = (struct sl_worker_pool){.group = group,
                                 .n_groups = n_groups,
                                 .n_weights = n_weights,
                                 .n_jobs = n > 1 ? SL_WORKER_POOL_JOBS : 1,
                                 .workers_capacity = n};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    pthread_cond_init(&c->less, NULL);
    c->progress = calloc(n_groups + 1, sizeof *c->progress);
    c->worker = calloc(n, sizeof *c->worker);
    bool good = c->progress && c->worker;
    for (size_t i = 0; i < c->n_jobs && good; i++)
        good = make_job(c, &c->job[i], n > 1, exits);
    for (size_t i = 0; i < n && good; i++) {
        c->worker[i].pool = c;
        good = sl_events_allocate(&c->worker[i].buffer, SL_EVENTS_MAX, false);
        if (good && i && pthread_create(&c->worker[i].thread, NULL, run_worker, &c->worker[i]))
            return sl_fail(f, SL_ENOMEM, "cannot start a thread: use fewer threads");
        c->n_workers += good;
    }
    return good ? 0 : sl_out_of_memory(f);
}

void sl_worker_pool_close(struct sl_worker_pool *c)
{
    if (!c->n_jobs)
        return;
    sl_worker_pool_wait(c);
    pthread_mutex_lock(&c->lock);
    c->ending = true;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 1; i < c->n_workers; i++)
        pthread_join(c->worker[i].thread, NULL);
    for (size_t i = 0; i < c->workers_capacity && c->worker; i++) {
        c->worker[i].buffer.position = NULL; /* a detector set owns it */
        sl_events_free(&c->worker[i].buffer);
    }
    for (size_t i = 0; i < c->n_jobs; i++) {
        for (size_t k = 0; c->job[i].weight && k < c->n_weights; k++)
            free(c->job[i].weight[k]);
        free(c->job[i].weight);
        free(c->job[i].exits);
        free(c->job[i].arrays);
        free(c->job[i].pieces.piece);
    }
    free(c->worker);
    free(c->progress);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->more);
    pthread_cond_destroy(&c->less);
    *c = (struct sl_worker_pool){0};
}
