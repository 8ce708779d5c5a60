/* SPDX-License-Identifier: MIT */
/* Replay of a trace, the most common kind of step in the experiments of `sluice lab`. The trace is
 * replayed with the step's profiles and an exact profile for each of them. The step stores all
 * measurements that session_measurements.h lists, including the points of curves. The label of a
 * measurement is the profile's label, or "" if the measurement is for the whole run. */
#include <stdlib.h>

#include "failure.h"
#include "lab.h"
#include "session_measurements.h"

/* Points of an error curve per doubling of the events. Between two points the exact profile grows
 * by at most a sixteenth, so the error changes little. */
#define CURVE_POINTS 16u

/* Memory limit per table. If an exact table dropped events, all errors would be wrong. */
#define TABLE_BYTES (UINT64_C(4) << 30)

static int check_exact(const struct sl_session *s, struct sl_failure *f)
{
    uint64_t drops = sl_session_exact_drops(s);
    return drops
               ? sl_fail(f, SL_ENOMEM,
                         "out of memory: an exact profile dropped %llu events, so errors would be "
                         "wrong",
                         (unsigned long long)drops)
               : 0;
}

static int run(const struct lab_step *step, struct sl_session *session, struct sl_source *source,
               struct sl_failure *f)
{
    if (step->limit)
        sl_source_run_range(source, step->skip, step->limit);
    int error = sl_session_run(session, source, NULL, NULL, f);
    return error < 0 ? error : check_exact(session, f);
}

int lab_run_session(const struct lab_step *step, bool exact, lab_read_session *read,
                    struct sl_job_results *results, struct sl_failure *f)
{
    const char **spec = calloc(step->n_profiles + 1, sizeof *spec);
    struct sl_session_config config = step->session_config;
    struct sl_session *session;
    struct sl_source *source = NULL;
    config.size = sizeof config;
    config.spec = spec;
    config.n_specs = step->n_profiles;
    config.machine = step->machine;
    config.exact = exact;
    config.memory_bytes = 2 * step->n_profiles * TABLE_BYTES;
    config.every = step->every;
    config.curve_points = CURVE_POINTS;
    config.window = step->window ? step->window : UINT64_MAX;
    if (!spec)
        return sl_out_of_memory(f);
    for (size_t i = 0; i < step->n_profiles; i++)
        spec[i] = step->profile[i].spec;
    int error = sl_session_open(&session, &config, f);
    free(spec);
    if (error < 0)
        return error;
    error = sl_source_open(&source, step->trace, f);
    if (error >= 0)
        error = run(step, session, source, f);
    if (error >= 0)
        error = read(step, session, results, f);
    sl_session_close(session);
    if (source)
        sl_source_close(source);
    return error;
}

/* ---- figures ---- */

struct figure_sink {
    const struct lab_step *step;
    struct sl_job_results *results;
};

static void add_figure(void *context, size_t profile, const char *measure, const char *item,
                       double x, double value)
{
    const struct figure_sink *sink = context;
    const char *label = profile == SL_MEASUREMENT_OF_RUN ? "" : sink->step->profile[profile].label;
    if (item)
        lab_add_item_figure(sink->results, label, measure, item, value);
    else
        lab_add_figure(sink->results, label, measure, x, value);
}

void lab_add_replay_figures(const struct lab_step *step, const struct sl_session *session,
                            struct sl_job_results *results)
{
    struct figure_sink sink = {step, results};
    struct sl_measurement_sink to = {add_figure, &sink, .series = true};
    sl_session_measurements(session, &to);
}

static int add_figures(const struct lab_step *step, struct sl_session *session,
                       struct sl_job_results *results, struct sl_failure *f)
{
    (void)f;
    lab_add_replay_figures(step, session, results);
    return 0;
}

int lab_replay(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    return lab_run_session(step, true, add_figures, results, f);
}
