/* SPDX-License-Identifier: MIT */
/* A sweep on this machine: as many shares at a time as there are processors, in threads. Each has a
 * session of its own and needs nothing of another; the file is written by one at a time. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "failure.h"
#include "resources.h"
#include "sweep.h"

#define THREADS_MAX 256u
#define DEFAULT_POINTS SIZE_MAX
#define DEALS_EACH 4u /* of a thread, if they do not come out even */

struct crew {
    struct sl_sweep *sweep;
    pthread_mutex_t lock; /* of all that follows, the sweep and its file */
    size_t next;
    struct sl_failure failure; /* of the file; code 0: none yet */
};

size_t sl_sweep_threads(const struct sl_sweep *s)
{
    cpu_set_t set;
    if (s->config->threads)
        return s->config->threads;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : (size_t)CPU_COUNT(&set);
}

/* With the lock. The sentence of a share that fails goes into the file; what the file fails of ends
 * it all. */
static void keep(struct crew *c, struct sl_sweep_batch *deal, int error,
                 const struct sl_job_figures *figures, const struct sl_failure *why)
{
    struct sl_sweep *s = c->sweep;
    if (c->failure.code)
        return;
    if (error < 0)
        sl_sweep_keep_failure(s, deal, why->text, &c->failure);
    else
        sl_sweep_keep(s, deal, figures, &c->failure);
    if (s->config->progress)
        s->config->progress(s->config->context, s->n_done, s->n_todo);
}

static void do_share(struct crew *c, struct sl_sweep_batch *deal)
{
    struct sl_job_figures figures = {0};
    struct sl_failure why = {0};
    struct sl_shard share;
    int error = sl_sweep_shard(c->sweep, deal, &share) ? sl_shard_run(&share, &figures, &why)
                                                       : sl_out_of_memory(&why);
    free((void *)share.spec);
    pthread_mutex_lock(&c->lock);
    keep(c, deal, error, &figures, &why);
    pthread_mutex_unlock(&c->lock);
    sl_job_figures_free(&figures);
}

static void *work(void *context)
{
    struct crew *c = context;
    struct sl_sweep *s = c->sweep;
    pthread_mutex_lock(&c->lock);
    while (c->next < s->n_deals && !c->failure.code) {
        struct sl_sweep_batch *deal = &s->deal[c->next++];
        if (sl_sweep_batch_again(s, deal, &c->failure) < 0 || !deal->n)
            continue;
        pthread_mutex_unlock(&c->lock);
        do_share(c, deal);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Shares of a stream: as few as keep all threads busy to about the end, since each reads the stream
 * and keeps the exact profile. */
static size_t parts_of(size_t streams, size_t threads)
{
    size_t parts = 1;
    while (streams * parts % threads && streams * parts < DEALS_EACH * threads)
        parts++;
    return parts;
}

int sl_sweep_local(struct sl_sweep *s, struct sl_failure *f)
{
    struct crew c = {.sweep = s, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[THREADS_MAX];
    size_t n = sl_sweep_threads(s), started = 0;
    uint64_t memory = s->config->memory_bytes ? s->config->memory_bytes : sl_free_memory() / 2;
    n = n < THREADS_MAX ? n : THREADS_MAX;
    size_t parts = parts_of(s->n_streams, n);
    int error = sl_sweep_batch(s, memory / n, DEFAULT_POINTS, parts, f);
    if (error < 0)
        return error;
    double begun = sl_clock_seconds();
    /* Each needs a stack and a session; who gets no more threads does with those that there are. */
    while (started + 1 < n && started + 1 < s->n_deals &&
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
