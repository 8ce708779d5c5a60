/* SPDX-License-Identifier: MIT */
/* Starts and ends the outputs that a command writes while the profiled program runs: lines of JSON,
 * the screen of `sluice top`, and snapshots of the database (during_run.h). */
#include "during_run.h"

#include "top.h"

static void report_interval(void *context, const struct sl_live_interval *interval)
{
    struct cli_during_run *m = context;
    if (m->lines)
        cli_lines_add(m->lines, sl_live_json(interval));
    if (m->top)
        cli_top_add(m->top, interval);
}

static void poll(void *context)
{
    struct cli_during_run *m = context;
    cli_snapshot_poll(&m->snapshot);
    if (m->top)
        cli_top_poll(m->top);
}

int cli_during_run_start(struct cli_during_run *m, struct sl_session *session,
                         const struct cli_options *o, const char *program, struct sl_failure *f)
{
    *m = (struct cli_during_run){0};
    struct sl_session_callbacks callbacks = {
        .interval = o->live.wanted || o->live.screen ? report_interval : NULL,
        .poll = poll,
        .context = m,
        .functions = o->live.screen};
    int error = sl_session_set_callbacks(session, &callbacks, f);
    if (error >= 0 && o->live.wanted)
        error = cli_lines_open(&m->lines, &o->live, f);
    if (error >= 0)
        cli_snapshot_start(&m->snapshot, session, o);
    if (error >= 0 && o->live.screen)
        error = cli_top_open(&m->top, session, program, &m->snapshot, f);
    if (error < 0)
        cli_during_run_end(m);
    return error;
}

void cli_during_run_end(struct cli_during_run *m)
{
    cli_snapshot_end(&m->snapshot);
    cli_top_close(m->top);
    cli_lines_close(m->lines);
    m->top = NULL;
    m->lines = NULL;
}
