/* SPDX-License-Identifier: MIT */
/* A sweep: every point of a grid on every stream, and where the figures go.
 *
 *     specs ──┐ grids
 *     machines┼──────► points ──┐
 *     streams ──────────────────┼──► what is missing in the file ──► shares ──► figures ──► file
 *     file ─────────────────────┘
 *
 * sweep.c makes it from what was asked for, sweep_shards.c deals it out, sweep_local.c does it in
 * threads, sweep_slurm.c in jobs of a cluster, sweep_gpu.c on a card. */
#ifndef SL_SWEEP_H
#define SL_SWEEP_H

#include "grid.h"
#include "sweep_store.h"
#include "sweep_stream.h"

struct sl_sweep_point {
    char *spec;         /* resolved */
    char *given;        /* as the grid has it */
    char *machine;      /* as the grid has it; "": none */
    char described[17]; /* what that is known by */
    uint64_t id;
    uint64_t bytes; /* of its table, about */
    bool alone;     /* the machine waits for it: no other can be in its share */
};

struct sl_sweep {
    const struct sl_sweep_config *config;
    struct sl_sweep_how how;
    char *path;
    struct sl_sweep_store *store;
    struct sl_sweep_stream *stream;
    size_t n_streams, streams_capacity;
    struct sl_sweep_point *point; /* those of one machine one behind the other */
    size_t n_points, points_capacity;
    struct sl_sweep_batch *deal; /* shares that are to be done */
    size_t n_deals, deals_capacity;
    size_t n_todo, n_done; /* results */
    struct sl_sweep_effort effort;
};

/* Some of the points of one machine on one stream. */
struct sl_sweep_batch {
    size_t stream;
    size_t *point;
    size_t n;
    uint64_t bytes; /* of their tables, about */
    double length;  /* of the stream */
};

/* Reads what is asked for, opens the file, and says in it what is wanted; what `check` objects to,
 * unless it is NULL, before that. To be closed in any case. */
int sl_sweep_open(struct sl_sweep *sweep, const char *path, const struct sl_sweep_config *config,
                  int (*check)(const struct sl_sweep *sweep, struct sl_failure *f),
                  struct sl_failure *f);
void sl_sweep_close(struct sl_sweep *sweep);

/* Deals out what is missing: shares of at most `bytes` and `points`, and of one stream and machine
 * at least `parts`, if it has as many points. The longest come first. */
int sl_sweep_batch(struct sl_sweep *sweep, uint64_t bytes, size_t points, size_t parts,
                   struct sl_failure *f);

/* Leaves out of a share what has been done since, by somebody else. */
int sl_sweep_batch_again(struct sl_sweep *sweep, struct sl_sweep_batch *deal, struct sl_failure *f);

/* Puts the figures of a share into the file, which counts them as done, or why there are none. */
int sl_sweep_keep(struct sl_sweep *sweep, const struct sl_sweep_batch *deal,
                  const struct sl_job_figures *figures, struct sl_failure *f);
int sl_sweep_keep_failure(struct sl_sweep *sweep, const struct sl_sweep_batch *deal,
                          const char *why, struct sl_failure *f);

/* The share as it is run; `spec` is to be freed. False without memory. */
bool sl_sweep_shard(const struct sl_sweep *sweep, const struct sl_sweep_batch *deal,
                    struct sl_shard *share);

/* As many as are asked for, or as there are processors. */
size_t sl_sweep_threads(const struct sl_sweep *sweep);

/* Does all that was dealt: errors are those of the sweep itself; what single shares failed of is in
 * the file. */
int sl_sweep_local(struct sl_sweep *sweep, struct sl_failure *f);
int sl_sweep_slurm(struct sl_sweep *sweep, struct sl_failure *f);
int sl_sweep_gpu_check(const struct sl_sweep *sweep, struct sl_failure *f);
int sl_sweep_gpu(struct sl_sweep *sweep, struct sl_failure *f);

#endif
