/* SPDX-License-Identifier: MIT */
/* Runs one shard (part) of a sweep on this computer: opens a session with the stream, the CPU model
 * and the profiles of the shard, runs it, and stores the measurements. */
#include "shard.h"

#include <math.h>

#include "comparison.h"
#include "failure.h"
#include "delivery.h"
#include "resources.h"
#include "session_measurements.h"

/* Table memory without a limit: tables must not drop tuples, so running out of memory is an error.
 */
#define UNLIMITED (UINT64_MAX / 2)

struct reporter {
    struct sl_job_results *out;
    size_t first, n; /* index and number of the shard's profiles */
};

/* Adds a measurement; those of the whole run are added to every profile. */
static void add_figure(void *context, size_t profile, const char *measure, const char *item,
                       double x, double value)
{
    const struct reporter *t = context;
    (void)x;
    if (profile != SL_MEASUREMENT_OF_RUN)
        sl_job_add(t->out, t->first + profile, measure, value);
    for (size_t i = 0; profile == SL_MEASUREMENT_OF_RUN && i < t->n; i++)
        sl_job_add(t->out, t->first + i, item ? item : measure, value);
}

static int report_all(struct sl_session *session, size_t first, struct sl_job_results *out,
                      struct sl_failure *f)
{
    struct sl_comparisons *all;
    uint64_t drops = sl_session_exact_drops(session);
    if (drops)
        return sl_fail(f, SL_ENOMEM, "out of memory: an exact profile dropped %llu events",
                       (unsigned long long)drops);
    int error = sl_session_compare(session, &all, f);
    if (error < 0)
        return error;
    struct reporter reporter = {out, first, all->n};
    struct sl_measurement_sink to = {add_figure, &reporter, .series = false};
    struct sl_overhead_whole whole = sl_overhead_whole(all->instructions, all->cycles);
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_comparison *row = &all->row[i];
        sl_job_add(out, first + i, "error", row->measured ? row->error : (double)NAN);
        sl_job_add(out, first + i, "overhead",
                   row->waited_for ? row->profiler_overhead : sl_overhead(&row->status, whole));
    }
    sl_session_measurements(session, &to);
    sl_comparisons_free(all);
    return out->out_of_memory ? sl_out_of_memory(f) : 0;
}

int sl_shard_run_once(const struct sl_shard *shard, size_t first, size_t n,
                      const struct sl_shard_part *part, struct sl_job_results *out,
                      struct sl_failure *f)
{
    const struct sl_sweep_how *how = shard->how;
    double begun = sl_thread_seconds(), reading = 0;
    struct sl_session_config config = {.size = sizeof config,
                                       .spec = shard->spec + first,
                                       .n_specs = n,
                                       .range = how->range,
                                       .only = how->only,
                                       .marked = how->marked,
                                       .machine = shard->machine,
                                       .memory_bytes = UNLIMITED,
                                       .exact = out != NULL,
                                       .window = UINT64_MAX,
                                       .threads = 1,
                                       .error_executions = how->error_executions,
                                       .error_share = how->error_share,
                                       .error_covered = how->error_covered,
                                       .observe = part ? part->observe : NULL,
                                       .observe_context = part ? part->context : NULL,
                                       .reading = out ? &reading : NULL};
    struct sl_session *session;
    struct sl_source *source = NULL;
    int error = sl_session_open(&session, &config, f);
    if (error < 0)
        return error;
    if (part && part->prepare)
        part->prepare(part->context, session);
    error = sl_source_open(&source, shard->stream, f);
    if (error >= 0) {
        sl_source_run_range(source, how->skip, how->limit);
        error = sl_session_run(session, source, NULL, NULL, f);
    }
    if (error >= 0 && out)
        error = report_all(session, first, out, f);
    sl_session_close(session);
    sl_source_close(source);
    if (out)
        out->useful += sl_thread_seconds() - begun - reading;
    return error;
}

/* Runs the profiles in one session. If the session rejects them, which it does before it reads the
 * stream, halves the set until the rejected profiles are found. */
static int run(const struct sl_shard *shard, size_t first, size_t n, struct sl_job_results *out,
               struct sl_failure *f)
{
    struct sl_failure why;
    int error = sl_shard_run_once(shard, first, n, NULL, out, &why);
    if (error != SL_EUSAGE && error != SL_EUNSUPPORTED)
        return error < 0 ? sl_fail(f, why.code, "%s", why.text) : 0;
    if (n > 1) {
        error = run(shard, first, n / 2, out, f);
        return error < 0 ? error : run(shard, first + n / 2, n - n / 2, out, f);
    }
    sl_job_add_failure(out, first, why.text);
    return out->out_of_memory ? sl_out_of_memory(f) : 0;
}

int sl_shard_run(const struct sl_shard *shard, struct sl_job_results *out, struct sl_failure *f)
{
    double begun = sl_thread_seconds();
    int error = run(shard, 0, shard->n, out, f);
    out->seconds += sl_thread_seconds() - begun;
    return error;
}
