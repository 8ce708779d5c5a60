/* SPDX-License-Identifier: MIT */
/* Runs a sweep on this computer: each thread of a pool runs one shard at a time in its own
 * session. The threads share only the file of the sweep, which a lock protects. */
#include <pthread.h>
#include <stdlib.h>

#include "clocks.h"
#include "failure.h"
#include "resources.h"
#include "sweep.h"

#define THREADS_MAX 256u
#define DEFAULT_POINTS SIZE_MAX
#define SHARDS_EACH 4u /* at most, per thread, if the shards cannot be divided evenly */

struct worker_pool {
    struct sl_sweep *sweep;
    pthread_mutex_t lock; /* protects all members below, the sweep and its file */
    size_t next;
    struct sl_failure failure; /* of the file; code 0: none so far */
};

size_t sl_sweep_threads(const struct sl_sweep *s)
{
    return sl_cpus(s->config->threads);
}

/* Stores the outcome of a shard; the caller holds the lock. The failure of a shard is stored in
 * the file; an error of the file ends the sweep. */
static void store_results(struct worker_pool *c, struct sl_sweep_batch *batch, int error,
                          const struct sl_job_results *figures, const struct sl_failure *why)
{
    struct sl_sweep *s = c->sweep;
    if (c->failure.code)
        return;
    if (error < 0)
        sl_sweep_add_failure(s, batch, why->text, &c->failure);
    else
        sl_sweep_add_results(s, batch, figures, &c->failure);
    if (s->config->progress)
        s->config->progress(s->config->context, s->n_done, s->n_todo);
}

static void do_shard(struct worker_pool *c, struct sl_sweep_batch *batch)
{
    struct sl_job_results figures = {0};
    struct sl_failure why = {0};
    struct sl_shard shard;
    int error = sl_sweep_shard(c->sweep, batch, &shard) ? sl_shard_run(&shard, &figures, &why)
                                                        : sl_out_of_memory(&why);
    free((void *)shard.spec);
    pthread_mutex_lock(&c->lock);
    store_results(c, batch, error, &figures, &why);
    pthread_mutex_unlock(&c->lock);
    sl_job_results_free(&figures);
}

static void *work(void *context)
{
    struct worker_pool *c = context;
    struct sl_sweep *s = c->sweep;
    pthread_mutex_lock(&c->lock);
    while (c->next < s->n_batches && !c->failure.code) {
        struct sl_sweep_batch *batch = &s->batch[c->next++];
        if (sl_sweep_batch_again(s, batch, &c->failure) < 0 || !batch->n)
            continue;
        pthread_mutex_unlock(&c->lock);
        do_shard(c, batch);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Shards per stream: the smallest number that keeps all threads busy until about the end, because
 * every shard reads the stream and keeps the exact profile. */
static size_t parts_of(size_t streams, size_t threads)
{
    size_t parts = 1;
    while (streams * parts % threads && streams * parts < SHARDS_EACH * threads)
        parts++;
    return parts;
}

int sl_sweep_local(struct sl_sweep *s, struct sl_failure *f)
{
    struct worker_pool c = {.sweep = s, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[THREADS_MAX];
    size_t n = sl_sweep_threads(s), started = 0;
    uint64_t memory = s->config->memory_bytes ? s->config->memory_bytes : sl_free_memory() / 2;
    n = n < THREADS_MAX ? n : THREADS_MAX;
    size_t parts = parts_of(s->n_streams, n);
    int error = sl_sweep_batch(s, memory / n, DEFAULT_POINTS, parts, f);
    if (error < 0)
        return error;
    double begun = sl_clock_seconds();
    /* If no further thread can be created, the existing ones do the work. */
    while (started + 1 < n && started + 1 < s->n_batches &&
           !pthread_create(&thread[started], NULL, work, &c))
        started++;
    work(&c);
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    s->effort.cores = (unsigned)n;
    s->effort.available = (double)n * (sl_clock_seconds() - begun);
    if (c.failure.code)
        return sl_fail(f, c.failure.code, "%s", c.failure.text);
    return 0;
}
