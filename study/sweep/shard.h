/* SPDX-License-Identifier: MIT */
/* A share of a sweep: one stream, one machine or none, and some of the profiles. It is decoded once
 * for all of them, and the exact profile is kept once for each detector.
 *
 * A figure depends on the stream, the machine and its own profile; not on what else is in the
 * share, how much memory there is, or how many threads: tables get all the memory that they ask
 * for, and a share that does not get it fails as a whole. Nor does whether it has any: a profile
 * that the stream is not made for takes nobody with it. */
#ifndef SL_SHARD_H
#define SL_SHARD_H

#include "job_figures.h"

/* What of a stream counts, and what its errors are of: as in sl_session_config. */
struct sl_sweep_how {
    const char *range, *only;
    bool marked;
    uint64_t skip, limit;
    uint64_t error_executions;
    double error_share, error_covered;
};

struct sl_shard {
    const char *stream;  /* a trace, or "synth:..." */
    const char *machine; /* NULL: none */
    const char *const *spec;
    size_t n;
    const struct sl_sweep_how *how;
};

/* Leaves figures by a profile's place in the share (session_figures.h, and those of a comparison:
 * `error` by the detector's measure, `overhead`; counts of the machine go by their own names), and
 * why profiles cannot be measured on this stream. Fails as a whole for want of memory, or if the
 * stream cannot be read. */
int sl_shard_run(const struct sl_shard *share, struct sl_job_figures *out, struct sl_failure *f);

/* Who takes part in a session of a share: before it runs, and at each batch of its first profile.
 * Either may be NULL. */
struct sl_shard_part {
    void (*prepare)(void *context, struct sl_session *session);
    void (*observe)(void *context, const struct sl_batch *batch);
    void *context;
};

/* Profiles from `first` on in one session. Without `out` nothing is measured. */
int sl_shard_run_once(const struct sl_shard *share, size_t first, size_t n,
                      const struct sl_shard_part *part, struct sl_job_figures *out,
                      struct sl_failure *f);

#endif
