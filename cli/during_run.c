/* SPDX-License-Identifier: MIT */
#include "during_run.h"

#include "top.h"

static void take_interval(void *context, const struct sl_live_interval *interval)
{
    struct cli_meanwhile *m = context;
    if (m->lines)
        cli_lines_add(m->lines, sl_live_json(interval));
    if (m->top)
        cli_top_take(m->top, interval);
}

static void attend(void *context)
{
    struct cli_meanwhile *m = context;
    cli_so_far_attend(&m->so_far);
}

int cli_meanwhile_start(struct cli_meanwhile *m, struct sl_session *session,
                        const struct cli_options *o, const char *program, struct sl_failure *f)
{
    *m = (struct cli_meanwhile){0};
    struct sl_watcher watcher = {.interval = o->live.wanted || o->live.screen ? take_interval
                                                                              : NULL,
                                 .attend = attend,
                                 .context = m};
    int error = sl_session_watch(session, &watcher, f);
    if (error >= 0 && o->live.wanted)
        error = cli_lines_open(&m->lines, &o->live, f);
    if (error >= 0)
        cli_so_far_start(&m->so_far, session, o);
    if (error >= 0 && o->live.screen)
        error = cli_top_open(&m->top, program, &m->so_far, f);
    if (error < 0)
        cli_meanwhile_end(m);
    return error;
}

void cli_meanwhile_end(struct cli_meanwhile *m)
{
    cli_so_far_end(&m->so_far);
    cli_top_close(m->top);
    cli_lines_close(m->lines);
    m->top = NULL;
    m->lines = NULL;
}
