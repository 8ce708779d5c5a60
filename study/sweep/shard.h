/* SPDX-License-Identifier: MIT */
/* A shard is a part of a sweep: one stream, at most one CPU model, and some of the profiles. The
 * stream is decoded once for all profiles, and the exact profile is made once per detector.
 *
 * A measurement depends only on the stream, the CPU model and its own profile, not on the other
 * profiles of the shard, the available memory or the number of threads: tables get all the memory
 * they request, and a shard that runs out of memory fails as a whole. A profile that needs data
 * which the stream does not have fails alone. */
#ifndef SL_SHARD_H
#define SL_SHARD_H

#include "job_results.h"

/* The counted part of a stream and the limits for errors, as in sl_session_config. */
struct sl_sweep_how {
    const char *range, *only;
    bool marked;
    uint64_t skip, limit;
    uint64_t error_executions;
    double error_share, error_covered;
};

struct sl_shard {
    const char *stream;  /* a trace, or "synth:..." */
    const char *machine; /* NULL: no CPU model */
    const char *const *spec;
    size_t n;
    const struct sl_sweep_how *how;
};

/* Measures all profiles of the shard: session_measurements.h lists the measurements; in addition
 * `error`, by the detector's measure, and `overhead`; events of the CPU model go by their own
 * names. Results and reasons for failed profiles are stored by index of the profile. Returns 0,
 * SL_ENOMEM, or an error of the stream. */
int sl_shard_run(const struct sl_shard *shard, struct sl_job_results *out, struct sl_failure *f);

/* Callbacks into a session of a shard: before it runs, and at each batch of its first profile.
 * Either may be NULL. */
struct sl_shard_part {
    void (*prepare)(void *context, struct sl_session *session);
    void (*observe)(void *context, const struct sl_batch *batch);
    void *context;
};

/* Runs the profiles first .. first + n - 1 in one session. Without `out` nothing is measured.
 * Returns 0 or an error of the session. */
int sl_shard_run_once(const struct sl_shard *shard, size_t first, size_t n,
                      const struct sl_shard_part *part, struct sl_job_results *out,
                      struct sl_failure *f);

#endif
