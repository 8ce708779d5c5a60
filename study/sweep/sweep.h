/* SPDX-License-Identifier: MIT */
/* A sweep: measures every point of a grid on every stream and stores the results in a file.
 *
 *     specs ──────┐ grids
 *     CPU models ─┼──────► points ──┐
 *     streams ──────────────────────┼──► missing results ──► shards ──► results ──► file
 *     file ─────────────────────────┘
 *
 * sweep.c builds the sweep from its configuration, sweep_shards.c divides it into shards, and
 * sweep_local.c (threads), sweep_slurm.c (jobs of a cluster) or sweep_gpu.c (a GPU) runs them. */
#ifndef SL_SWEEP_H
#define SL_SWEEP_H

#include "grid.h"
#include "sweep_store.h"
#include "sweep_stream.h"

struct sl_sweep_point {
    char *spec;         /* with all options */
    char *given;        /* as written in the grid */
    char *machine;      /* as written in the grid; "" without a CPU model */
    char described[17]; /* hash of the CPU model's full description */
    uint64_t id;
    uint64_t bytes; /* estimated memory of its table */
    bool alone;     /* the CPU model stalls for this table, so that it needs a shard of its own */
};

struct sl_sweep {
    const struct sl_sweep_config *config;
    struct sl_sweep_how how;
    char *path;
    struct sl_sweep_store *store;
    struct sl_sweep_stream *stream;
    size_t n_streams, streams_capacity;
    struct sl_sweep_point *point; /* points of the same CPU model are consecutive */
    size_t n_points, points_capacity;
    struct sl_sweep_batch *batch; /* shards to be run */
    size_t n_batches, batches_capacity;
    size_t n_todo, n_done; /* results */
    struct sl_sweep_effort effort;
};

/* A shard: some points of one CPU model on one stream. */
struct sl_sweep_batch {
    size_t stream;
    size_t *point;
    size_t n;
    uint64_t bytes; /* estimated memory of their tables */
    double length;  /* length of the stream */
};

/* Expands the configuration, calls `check` unless it is NULL, opens the file, enters the requested
 * results and records the programs among the streams. Returns 0, an error of `check`, or
 * SL_EUSAGE, SL_EIO, SL_EFORMAT or SL_ENOMEM. Call sl_sweep_close() in any case. */
int sl_sweep_open(struct sl_sweep *sweep, const char *path, const struct sl_sweep_config *config,
                  int (*check)(const struct sl_sweep *sweep, struct sl_failure *f),
                  struct sl_failure *f);
void sl_sweep_close(struct sl_sweep *sweep);

/* Divides the missing results into shards of at most `bytes` and `points`. The points of one
 * stream and CPU model are divided into at least `parts` shards, if there are enough points. The
 * shards with the most work come first. Returns 0, SL_ENOMEM or an error of the file. */
int sl_sweep_batch(struct sl_sweep *sweep, uint64_t bytes, size_t points, size_t parts,
                   struct sl_failure *f);

/* Removes results from a shard that another process has stored since sl_sweep_batch(). Returns 0
 * or an error of the file. */
int sl_sweep_batch_again(struct sl_sweep *sweep, struct sl_sweep_batch *batch,
                         struct sl_failure *f);

/* Stores the results of a shard and marks them as done, or the reason why there are none. Each
 * call is one transaction. Returns 0 or an error of the file. */
int sl_sweep_add_results(struct sl_sweep *sweep, const struct sl_sweep_batch *batch,
                         const struct sl_job_results *figures, struct sl_failure *f);
int sl_sweep_add_failure(struct sl_sweep *sweep, const struct sl_sweep_batch *batch,
                         const char *why, struct sl_failure *f);

/* Fills `shard` for sl_shard_run(); free its `spec` with free(3). Returns false if out of memory.
 */
bool sl_sweep_shard(const struct sl_sweep *sweep, const struct sl_sweep_batch *batch,
                    struct sl_shard *shard);

/* Number of threads: config->threads, or the number of processors available. */
size_t sl_sweep_threads(const struct sl_sweep *sweep);

/* Run all shards. They return 0, or an error of the file or of the cluster as a whole; the failure
 * of a single shard is stored in the file. sl_sweep_gpu_check() returns SL_EUNSUPPORTED if there
 * is no GPU library, or if the GPU cannot run one of the points. */
int sl_sweep_local(struct sl_sweep *sweep, struct sl_failure *f);
int sl_sweep_slurm(struct sl_sweep *sweep, struct sl_failure *f);
int sl_sweep_gpu_check(const struct sl_sweep *sweep, struct sl_failure *f);
int sl_sweep_gpu(struct sl_sweep *sweep, struct sl_failure *f);

#endif
