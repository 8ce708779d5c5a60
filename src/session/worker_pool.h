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
 * job is in flight: call sl_worker_pool_wait() before. */
#ifndef SL_WORKER_POOL_H
#define SL_WORKER_POOL_H

#include <pthread.h>

#include "group.h"

#define SL_WORKER_POOL_JOBS 16u

/* A chunk, for all groups. */
struct sl_job {
    struct sl_chunk chunk;
    struct sl_pieces pieces;
    struct sl_exits *exits;         /* its function exits; NULL: no plan needs block pairs */
    uint64_t **weight;              /* of its blocks, by metric */
    struct sl_chunk_arrays *arrays; /* owns the chunk's arrays; NULL: the source owns them */
};

struct sl_worker_pool {
    struct sl_group *group; /* the session's */
    size_t n_groups, n_weights;
    struct sl_worker_pool_progress { /* progress of a group */
        uint64_t done;               /* jobs that it has run */
        bool busy;
        struct sl_failure failure; /* code 0: none */
    } * progress;
    struct sl_job job[SL_WORKER_POOL_JOBS];
    size_t n_jobs; /* in use: 1 without threads */
    uint64_t posted;
    struct sl_worker { /* a worker; the first is the session's own thread */
        struct sl_worker_pool *pool;
        pthread_t thread;
        struct sl_events buffer;
    } * worker;
    size_t n_workers, workers_capacity; /* running; allocated */
    bool ending;
    pthread_mutex_t lock;
    pthread_cond_t more, less; /* a job was posted; a group has run one */
};

/* `threads`, or the number of CPUs that the process may use if that is 0. */
unsigned sl_worker_pool_threads(unsigned threads);

/* Starts the workers: `threads` in total; 0: one per CPU, less one if another thread or process is
 * busy at the same time (`other_busy`), as a guest is. At most one per group in addition to the
 * session's own. Each job has `n_weights` arrays of weights and, if `exits`, function exits. The
 * groups must outlive the pool. Returns 0 or SL_ENOMEM; call
 * sl_worker_pool_close() in either case. */
int sl_worker_pool_open(struct sl_worker_pool *pool, struct sl_group *group, size_t n_groups,
                        size_t n_weights, bool exits, unsigned threads, bool other_busy,
                        struct sl_failure *f);

/* Arrays for the chunk of the next job; waits until a job is free. NULL: the chunk may stay in the
 * source's memory. */
struct sl_chunk_arrays *sl_worker_pool_arrays(struct sl_worker_pool *pool);

/* The next job, with `chunk` in it; the caller fills in the rest and then calls
 * sl_worker_pool_post(). */
struct sl_job *sl_worker_pool_job(struct sl_worker_pool *pool, const struct sl_chunk *chunk);

/* Posts the job; without threads, runs it. Returns 0 or an error of any group in an earlier job. */
int sl_worker_pool_post(struct sl_worker_pool *pool, struct sl_failure *f);

/* Waits until all groups have run all jobs. */
void sl_worker_pool_wait(struct sl_worker_pool *pool);

/* Waits for the jobs and ends the threads. A zeroed pool is allowed. */
void sl_worker_pool_close(struct sl_worker_pool *pool);

#endif
