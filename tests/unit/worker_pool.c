/* SPDX-License-Identifier: MIT */
/* Unit tests of the worker pool of a session. Every group of detectors and tables runs every job,
 * the arrays of a chunk do not change while it is processed, and an error in a group is reported to
 * the session. The groups in the tests are empty, so that their jobs take no time. */
#include "resources.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "tap.h"

#define GROUPS 3u
#define JOBS 2000u
#define BLOCKS 50u

static struct sl_failure f;
static uint32_t block[BLOCKS], block_mem[BLOCKS], mem_insn[BLOCKS];
static uint64_t mem_value[BLOCKS];

/* Chunk number n, in arrays that the next chunk overwrites. */
static struct sl_chunk chunk_of(uint32_t n)
{
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block[i] = n + i;
        block_mem[i] = i;
        mem_insn[i] = 2 * n + i;
        mem_value[i] = (uint64_t)n << 32 | i;
    }
    return (struct sl_chunk){.n_blocks = BLOCKS,
                             .n_mems = BLOCKS,
                             .thread = n,
                             .block = block,
                             .block_mem = block_mem,
                             .mem_insn = mem_insn,
                             .mem_value = mem_value};
}

static bool holds(const struct sl_chunk *c, uint32_t n)
{
    bool right = c->thread == n && c->n_blocks == BLOCKS && c->n_mems == BLOCKS && !c->mem_addr;
    for (uint32_t i = 0; i < BLOCKS && right; i++)
        right = c->block[i] == n + i && c->block_mem[i] == i && c->mem_insn[i] == 2 * n + i &&
                c->mem_value[i] == ((uint64_t)n << 32 | i);
    return right;
}

/* Groups that read no chunks. */
static void make_groups(struct sl_group *group)
{
    memset(group, 0, GROUPS * sizeof *group);
    for (size_t i = 0; i < GROUPS; i++)
        group[i].plan = SL_PLAN_PAIR_TOTALS;
}

static void test_jobs(unsigned threads)
{
    static struct sl_worker_pool pool;
    struct sl_group group[GROUPS];
    bool stays = true, posted = true, done = true, weights = true;
    make_groups(group);
    if (!ok(!sl_worker_pool_open(&pool, group, GROUPS, 2, true, threads, false, &f) &&
                pool.n_workers == (threads < GROUPS + 1 ? threads : GROUPS + 1),
            "%u threads: at most one per group in addition to the session's own", threads))
        return;
    for (uint32_t n = 0; n < JOBS; n++) {
        struct sl_chunk chunk = chunk_of(n);
        struct sl_job *job = sl_worker_pool_job(&pool, &chunk);
        weights &= job->weight[0] && job->weight[1] && job->exits;
        memset(job->weight[1], 0, SL_CHUNK_BLOCKS * sizeof **job->weight);
        posted &= !sl_worker_pool_post(&pool, &f);
        if (pool.n_workers > 1)
            chunk_of(n + 7);
        stays &= holds(&job->chunk, n);
    }
    sl_worker_pool_wait(&pool);
    for (size_t i = 0; i < GROUPS && pool.n_workers > 1; i++)
        done &= pool.progress[i].done == JOBS && !pool.progress[i].busy;
    ok(posted && done, "%u threads: each group runs all jobs", threads);
    ok(stays, "%u threads: a chunk stays as it was while the source reads the next one", threads);
    ok(weights, "%u threads: each job has the weights and exits that were requested", threads);
    sl_worker_pool_close(&pool);
}

/* A source that writes to the job's own arrays is not copied. */
static void test_arrays(void)
{
    static struct sl_worker_pool pool;
    struct sl_group group[GROUPS];
    make_groups(group);
    bool opened = !sl_worker_pool_open(&pool, group, GROUPS, 0, false, 2, false, &f);
    struct sl_chunk_arrays *arrays = opened ? sl_worker_pool_arrays(&pool) : NULL;
    if (!ok(arrays != NULL, "with threads, a source can write to the arrays of a job"))
        return;
    arrays->block[0] = 5;
    struct sl_chunk chunk = {.n_blocks = 1, .block = arrays->block};
    struct sl_job *job = sl_worker_pool_job(&pool, &chunk);
    ok(job->chunk.block == arrays->block && job->chunk.block[0] == 5, "and they are not copied");
    sl_worker_pool_post(&pool, &f);
    ok(sl_worker_pool_arrays(&pool) != arrays, "the next job has other arrays");
    sl_worker_pool_close(&pool);
    opened = !sl_worker_pool_open(&pool, group, GROUPS, 0, false, 1, false, &f);
    chunk = chunk_of(1);
    ok(opened && !sl_worker_pool_arrays(&pool) &&
           sl_worker_pool_job(&pool, &chunk)->chunk.block == block,
       "with one thread, a chunk stays in the memory of the source");
    sl_worker_pool_close(&pool);
}

static void test_failure(unsigned threads)
{
    static struct sl_worker_pool pool;
    struct sl_group group[GROUPS];
    struct sl_chunk chunk = chunk_of(0);
    make_groups(group);
    if (sl_worker_pool_open(&pool, group, GROUPS, 0, false, threads, false, &f))
        return;
    sl_worker_pool_job(&pool, &chunk);
    int first = sl_worker_pool_post(&pool, &f);
    sl_worker_pool_wait(&pool);
    sl_fail(&pool.progress[1].failure, SL_EIO, "the disk is full");
    sl_worker_pool_job(&pool, &chunk);
    int second = sl_worker_pool_post(&pool, &f);
    sl_worker_pool_wait(&pool);
    sl_worker_pool_job(&pool, &chunk);
    int third = sl_worker_pool_post(&pool, &f);
    ok(!first && (second == SL_EIO || third == SL_EIO) && !strcmp(f.text, "the disk is full"),
       "%u threads: the failure of a group is returned when a job is posted", threads);
    sl_worker_pool_close(&pool);
}

int main(void)
{
    static struct sl_worker_pool none;
    for (unsigned threads = 1; threads <= 6; threads++)
        test_jobs(threads);
    test_arrays();
    test_failure(1);
    test_failure(3);
    ok(sl_cpus(7) == 7 && sl_cpus(0) >= 1, "without a number, there is a thread for each CPU");
    sl_worker_pool_close(&none);
    ok(!none.n_jobs, "a pool that was never opened can be closed");
    return done_testing();
}
