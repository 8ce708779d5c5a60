/* SPDX-License-Identifier: MIT */
/* Worker pool of a session: threads that run the groups of profiles in parallel on a ring of chunks
 * (worker_pool.h). One mutex protects the state of the pool; a worker releases it while it runs a
 * group. */
#include "worker_pool.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "block_pairs.h"

/* ---- a group and a job ---- */

static uint64_t least_done(const struct sl_worker_pool *c)
{
    uint64_t least = c->posted;
    for (size_t i = 0; i < c->n_groups; i++)
        if (c->place[i].done < least)
            least = c->place[i].done;
    return least;
}

/* The idle group that has run the fewest jobs; NULL: none has a job to run. */
static struct sl_worker_pool_place *choose(const struct sl_worker_pool *c)
{
    struct sl_worker_pool_place *best = NULL;
    for (struct sl_worker_pool_place *p = c->place; p < c->place + c->n_groups; p++)
        if (!p->busy && p->done < c->posted && (!best || p->done < best->done))
            best = p;
    return best;
}

/* A group that has failed skips all further jobs. */
static void run(struct sl_worker_pool *c, struct sl_worker_pool_place *p, struct sl_events *buffer)
{
    struct sl_group *g = &c->group[p - c->place];
    const struct sl_job *job = &c->job[p->done % c->n_jobs];
    if (!p->failure.code)
        sl_group_run(g, &job->pieces, job->weight, buffer, &p->failure);
}

/* Runs one job of one group, with the lock held on entry and return. Returns false if there is none
 * to run. */
static bool work(struct sl_worker_pool *c, struct sl_events *buffer)
{
    struct sl_worker_pool_place *p = choose(c);
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

static void *go_on(void *context)
{
    struct sl_worker_pool_hand *hand = context;
    struct sl_worker_pool *c = hand->crew;
    pthread_mutex_lock(&c->lock);
    while (!c->ending)
        if (!work(c, &hand->buffer))
            pthread_cond_wait(&c->more, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Waits until at most `most` jobs are in flight; the session's own thread helps. */
static void wait_for(struct sl_worker_pool *c, uint64_t most)
{
    pthread_mutex_lock(&c->lock);
    while (c->posted - least_done(c) > most)
        if (!work(c, &c->hand[0].buffer))
            pthread_cond_wait(&c->less, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void sl_worker_pool_wait(struct sl_worker_pool *c)
{
    if (c->n_hands > 1)
        wait_for(c, 0);
}

/* ---- jobs ---- */

/* Copies an array of a chunk to the job's own, `to`, unless it is part of the job's arrays. */
static const void *keep(const struct sl_chunk_arrays *a, void *to, const void *from, size_t n,
                        size_t size)
{
    bool there = (uintptr_t)from - (uintptr_t)a < sizeof *a;
    return from && !there ? memcpy(to, from, n * size) : from;
}

struct sl_chunk_arrays *sl_worker_pool_arrays(struct sl_worker_pool *c)
{
    if (c->n_hands > 1)
        wait_for(c, c->n_jobs - 1);
    return c->job[c->posted % c->n_jobs].arrays;
}

struct sl_job *sl_worker_pool_job(struct sl_worker_pool *c, const struct sl_chunk *chunk)
{
    struct sl_chunk_arrays *a = sl_worker_pool_arrays(c);
    struct sl_job *job = &c->job[c->posted % c->n_jobs];
    job->chunk = *chunk;
    if (a) {
        job->chunk.block = keep(a, a->block, chunk->block, chunk->n_blocks, 4);
        job->chunk.block_mem = keep(a, a->block_mem, chunk->block_mem, chunk->n_blocks, 4);
        job->chunk.mem_insn = keep(a, a->mem_insn, chunk->mem_insn, chunk->n_mems, 4);
        job->chunk.mem_value = keep(a, a->mem_value, chunk->mem_value, chunk->n_mems, 8);
        job->chunk.mem_addr = keep(a, a->mem_addr, chunk->mem_addr, chunk->n_mems, 8);
    }
    return job;
}

int sl_worker_pool_post(struct sl_worker_pool *c, struct sl_failure *f)
{
    const struct sl_failure *failure = NULL;
    if (c->n_hands > 1) {
        pthread_mutex_lock(&c->lock);
        c->posted++;
        pthread_cond_broadcast(&c->more);
    }
    for (size_t i = 0; i < c->n_groups; i++) {
        if (c->n_hands == 1)
            run(c, &c->place[i], &c->hand[0].buffer);
        /* The failure of a busy group may be written at this moment. */
        if (!failure && !c->place[i].busy && c->place[i].failure.code)
            failure = &c->place[i].failure;
    }
    if (c->n_hands > 1)
        pthread_mutex_unlock(&c->lock);
    return failure ? sl_fail(f, failure->code, "%s", failure->text) : 0;
}

struct sl_events *sl_worker_pool_buffer(struct sl_worker_pool *c)
{
    return &c->hand[0].buffer;
}

/* ---- open and close ---- */

unsigned sl_worker_pool_threads(unsigned threads)
{
    cpu_set_t set;
    return threads                                  ? threads
           : sched_getaffinity(0, sizeof set, &set) ? 1
                                                    : (unsigned)CPU_COUNT(&set);
}

static bool make_job(struct sl_worker_pool *c, struct sl_job *job, bool copies, bool exits)
{
    bool capacity = !exits || (job->exits = malloc(sizeof *job->exits));
    job->arrays = copies ? malloc(sizeof *job->arrays) : NULL;
    job->weight = calloc(c->n_weights + 1, sizeof *job->weight);
    for (size_t i = 0; i < c->n_weights && job->weight; i++)
        capacity &= (job->weight[i] = malloc(SL_CHUNK_BLOCKS * sizeof **job->weight)) != NULL;
    return capacity && job->weight && (job->arrays || !copies);
}

static bool make_hand(struct sl_worker_pool *c, struct sl_worker_pool_hand *hand)
{
    struct sl_events *b = &hand->buffer;
    hand->crew = c;
    b->number = malloc(SL_EVENTS_MAX * sizeof *b->number);
    b->value = malloc(SL_EVENTS_MAX * sizeof *b->value);
    b->weight = malloc(SL_EVENTS_MAX * sizeof *b->weight);
    return b->number && b->value && b->weight;
}

int sl_worker_pool_open(struct sl_worker_pool *c, struct sl_group *group, size_t n_groups,
                        struct sl_worker_pool_room jobs, unsigned threads, bool beside,
                        struct sl_failure *f)
{
    size_t n = sl_worker_pool_threads(threads);
    if (!threads && beside && n > 1)
        n--;
    n = n > n_groups + 1 ? n_groups + 1 : n;
    *c = (struct sl_worker_pool){.group = group,
                                 .n_groups = n_groups,
                                 .n_weights = jobs.n_weights,
                                 .n_jobs = n > 1 ? SL_CREW_JOBS : 1,
                                 .hands_capacity = n};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    pthread_cond_init(&c->less, NULL);
    c->place = calloc(n_groups + 1, sizeof *c->place);
    c->hand = calloc(n, sizeof *c->hand);
    bool capacity = c->place && c->hand;
    for (size_t i = 0; i < c->n_jobs && capacity; i++)
        capacity = make_job(c, &c->job[i], n > 1, jobs.exits);
    for (size_t i = 0; i < n && capacity; i++) {
        capacity = make_hand(c, &c->hand[i]);
        if (capacity && i && pthread_create(&c->hand[i].thread, NULL, go_on, &c->hand[i]))
            return sl_fail(f, SL_ENOMEM, "no more threads can be made: ask for fewer");
        c->n_hands += capacity;
    }
    return capacity ? 0 : sl_out_of_memory(f);
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
    for (size_t i = 1; i < c->n_hands; i++)
        pthread_join(c->hand[i].thread, NULL);
    for (size_t i = 0; i < c->hands_capacity && c->hand; i++) {
        free(c->hand[i].buffer.number);
        free(c->hand[i].buffer.value);
        free(c->hand[i].buffer.weight);
    }
    for (size_t i = 0; i < c->n_jobs; i++) {
        for (size_t k = 0; c->job[i].weight && k < c->n_weights; k++)
            free(c->job[i].weight[k]);
        free(c->job[i].weight);
        free(c->job[i].exits);
        free(c->job[i].arrays);
        free(c->job[i].pieces.piece);
    }
    free(c->hand);
    free(c->place);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->more);
    pthread_cond_destroy(&c->less);
    *c = (struct sl_worker_pool){0};
}
