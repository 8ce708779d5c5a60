/* SPDX-License-Identifier: MIT */
/* Thread pool of the trace writer, which encodes and compresses frames in parallel
 * (trace_encode.h). */
#include "trace_encode.h"

#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>

#include "resources.h"

#define THREADS_MAX 6u
#define SPARE 3u /* slots more than threads */

/* Encoder and compressor of a thread. */
struct tools {
    struct sl_trace_encoder *encoder;
    ZSTD_CCtx *zstd;
};

/* Jobs are numbered in the order of submission; job n is in slot n % n_jobs. */
struct sl_trace_coder {
    pthread_mutex_t lock;
    pthread_cond_t submitted_one, done_one;
    unsigned n_threads, n_jobs;
    uint64_t submitted, begun, returned; /* numbers of jobs; begun: a thread encodes it */
    bool ends;
    int level; /* 0: the default */
    unsigned needs;
    struct slot {
        struct sl_trace_job job;
        uint8_t *stored;
        bool done;
    } slot[THREADS_MAX + SPARE];
    pthread_t thread[THREADS_MAX];
    struct tools own; /* of the calling thread */
};

static void code(const struct sl_trace_coder *coder, struct sl_trace_job *job, uint8_t *stored,
                 const struct tools *tools)
{
    job->stored = NULL;
    if (job->head.kind == SL_TRACE_EVENTS)
        job->raw_size = sl_trace_encode(tools->encoder, job->sorted, coder->needs, job->raw);
    if (!job->raw_size)
        return;
    size_t size = ZSTD_compress2(tools->zstd, stored + SL_TRACE_HEAD_SIZE,
                                 sl_trace_stored_max((uint32_t)job->raw_size), job->raw,
                                 job->raw_size);
    if (ZSTD_isError(size))
        return;
    job->stored = stored;
    job->stored_size = size;
}

/* Default for mem events: long matches only, with a small hash table. A tenth faster, and 1 to 4 %
 * larger, than zstd's own parameters. */
static void set_parameters(ZSTD_CCtx *zstd, const struct sl_trace_coder *coder)
{
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel,
                           coder->level ? coder->level : (int)SL_TRACE_LEVEL);
    if (!coder->level && coder->needs) {
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_minMatch, 7);
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_hashLog, 13);
    }
}

static struct tools make_tools(const struct sl_trace_coder *coder)
{
    struct tools tools = {calloc(1, sizeof *tools.encoder), ZSTD_createCCtx()};
    if (tools.zstd)
        set_parameters(tools.zstd, coder);
    return tools;
}

static void free_tools(struct tools *tools)
{
    sl_trace_encoder_free(tools->encoder);
    ZSTD_freeCCtx(tools->zstd);
}

/* Encodes the next job, which must exist. The lock is held on entry and on return. */
static void code_next(struct sl_trace_coder *coder, const struct tools *tools)
{
    struct slot *slot = &coder->slot[coder->begun++ % coder->n_jobs];
    pthread_mutex_unlock(&coder->lock);
    slot->job.stored = NULL;
    if (tools->encoder && tools->zstd)
        code(coder, &slot->job, slot->stored, tools);
    pthread_mutex_lock(&coder->lock);
    slot->done = true;
    pthread_cond_signal(&coder->done_one);
}

static void *work(void *context)
{
    struct sl_trace_coder *coder = context;
    struct tools tools = make_tools(coder);
    pthread_mutex_lock(&coder->lock);
    for (;;) {
        while (coder->begun == coder->submitted && !coder->ends)
            pthread_cond_wait(&coder->submitted_one, &coder->lock);
        if (coder->begun == coder->submitted)
            break;
        code_next(coder, &tools);
    }
    pthread_mutex_unlock(&coder->lock);
    free_tools(&tools);
    return NULL;
}

struct sl_trace_coder *sl_trace_coder_open(unsigned needs, const struct sl_recording *how)
{
    struct sl_trace_coder *coder = calloc(1, sizeof *coder);
    if (!coder)
        return NULL;
    coder->level = (int)how->level;
    coder->needs = needs;
    coder->own = make_tools(coder);
    pthread_mutex_init(&coder->lock, NULL);
    pthread_cond_init(&coder->submitted_one, NULL);
    pthread_cond_init(&coder->done_one, NULL);
    /* One core is left to the program; the calling thread helps. */
    unsigned cores = sl_cpus(0), threads = how->threads ? how->threads : cores > 1 ? cores - 1 : 1;
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    coder->n_jobs = threads + SPARE;
    bool good = true;
    for (unsigned i = 0; i < coder->n_jobs; i++) {
        struct slot *slot = &coder->slot[i];
        slot->job.sorted = calloc(1, sizeof *slot->job.sorted);
        slot->job.raw = malloc(SL_TRACE_ENCODE_BYTES);
        slot->stored = malloc(SL_TRACE_HEAD_SIZE + sl_trace_stored_max(SL_TRACE_EVENTS_MAX));
        good = good && slot->job.sorted && slot->job.raw && slot->stored;
    }
    while (good && coder->n_threads < threads) {
        good = !pthread_create(&coder->thread[coder->n_threads], NULL, work, coder);
        coder->n_threads += good;
    }
    if (!coder->n_threads) {
        sl_trace_coder_close(coder);
        return NULL;
    }
    return coder;
}

struct sl_trace_job *sl_trace_coder_job(struct sl_trace_coder *coder)
{
    return &coder->slot[coder->submitted % coder->n_jobs].job;
}

void sl_trace_coder_submit(struct sl_trace_coder *coder)
{
    pthread_mutex_lock(&coder->lock);
    coder->slot[coder->submitted % coder->n_jobs].done = false;
    coder->submitted++;
    pthread_cond_signal(&coder->submitted_one);
    pthread_mutex_unlock(&coder->lock);
}

bool sl_trace_coder_full(const struct sl_trace_coder *coder)
{
    return coder->submitted - coder->returned == coder->n_jobs;
}

struct sl_trace_job *sl_trace_coder_next(struct sl_trace_coder *coder)
{
    struct slot *slot = &coder->slot[coder->returned % coder->n_jobs];
    if (coder->submitted == coder->returned)
        return NULL;
    pthread_mutex_lock(&coder->lock);
    /* Encode waiting jobs instead of sleeping. */
    while (!slot->done && coder->begun != coder->submitted)
        code_next(coder, &coder->own);
    while (!slot->done)
        pthread_cond_wait(&coder->done_one, &coder->lock);
    pthread_mutex_unlock(&coder->lock);
    coder->returned++;
    return &slot->job;
}

void sl_trace_coder_close(struct sl_trace_coder *coder)
{
    if (!coder)
        return;
    pthread_mutex_lock(&coder->lock);
    coder->ends = true;
    pthread_cond_broadcast(&coder->submitted_one);
    pthread_mutex_unlock(&coder->lock);
    for (unsigned i = 0; i < coder->n_threads; i++)
        pthread_join(coder->thread[i], NULL);
    for (unsigned i = 0; i < coder->n_jobs; i++) {
        sl_trace_sorted_free(coder->slot[i].job.sorted);
        free(coder->slot[i].job.raw);
        free(coder->slot[i].stored);
    }
    free_tools(&coder->own);
    pthread_mutex_destroy(&coder->lock);
    pthread_cond_destroy(&coder->submitted_one);
    pthread_cond_destroy(&coder->done_one);
    free(coder);
}
