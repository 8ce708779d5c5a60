/* SPDX-License-Identifier: MIT */
/* The usual step: a program's stream through the step's profiles, with the exact profile
 * beside each. It leaves the figures of session_figures.h with their series, by the profiles'
 * labels; those of the run under the label "". */
#include <stdlib.h>

#include "failure.h"
#include "lab.h"
#include "session_figures.h"

/* Points of a curve for each doubling of the events: between two of them the exact profile
 * grows by a sixteenth at most, and its errors move as little. */
#define CURVE_POINTS 16u

/* That a table may grow to, an exact one above all: what it would have to drop makes every
 * error wrong. */
#define TABLE_BYTES (UINT64_C(4) << 30)

static int check_exact(const struct sl_session *s, struct sl_failure *f)
{
    uint64_t drops = sl_session_exact_drops(s);
    return drops ? sl_fail(f, SL_ENOMEM, "there was no room for %llu events in an exact profile",
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

int lab_look_at(const struct lab_step *step, bool exact, lab_look *look,
                struct sl_job_figures *results, struct sl_failure *f)
{
    const char **spec = calloc(step->n_profiles + 1, sizeof *spec);
    struct sl_session_config config = step->with;
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
        error = look(step, session, results, f);
    sl_session_close(session);
    if (source)
        sl_source_close(source);
    return error;
}

/* ---- figures ---- */

struct telling {
    const struct lab_step *step;
    struct sl_job_figures *results;
};

/* Figures of the run have no label. */
static void tell(void *context, size_t profile, const char *measure, const char *item, double x,
                 double value)
{
    const struct telling *t = context;
    const char *label = profile == SL_FIGURES_RUN ? "" : t->step->profile[profile].label;
    if (item)
        lab_figure_of(t->results, label, measure, item, value);
    else
        lab_figure(t->results, label, measure, x, value);
}

void lab_tell(const struct lab_step *step, const struct sl_session *session,
              struct sl_job_figures *results)
{
    struct telling telling = {step, results};
    struct sl_figures_to to = {tell, &telling, .series = true};
    sl_session_figures(session, &to);
}

static int tell_it(const struct lab_step *step, struct sl_session *session,
                   struct sl_job_figures *results, struct sl_failure *f)
{
    (void)f;
    lab_tell(step, session, results);
    return 0;
}

int lab_replay(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    return lab_look_at(step, true, tell_it, results, f);
}
