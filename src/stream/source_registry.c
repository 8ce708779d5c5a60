/* SPDX-License-Identifier: MIT */
/* Table of the kinds of event streams that sl_source_open() can open by name. Only this file refers
 * to all kinds.
 *
 *     synth:SPEC      synthetic stream          synth.c
 *     champsim:FILE   ChampSim trace            foreign/champsim_source.c
 *     perf:FILE       perf's branch stacks      foreign/perf_source.c
 *     FILE            trace of sluice           trace/trace_read.c
 *
 * A running guest has no name; sl_source_run() in guest_source.c opens it. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "source.h"

/* The prefix of the last kind is empty: a name of no other kind is a trace file. */
static const struct {
    const char *prefix;
    const struct sl_source_ops *ops;
} kinds[] = {
    {"synth:", &sl_synth_ops},
    {"champsim:", &sl_champsim_ops},
    {"perf:", &sl_perf_ops},
    {"", &sl_trace_ops},
};

int sl_source_open(struct sl_source **source, const char *name, struct sl_failure *f)
{
    size_t kind = 0;
    while (strncmp(name, kinds[kind].prefix, strlen(kinds[kind].prefix)))
        kind++;
    const struct sl_source_ops *ops = kinds[kind].ops;
    struct sl_source *s = *source = calloc(1, ops->size);
    if (!s)
        return sl_out_of_memory(f);
    s->ops = ops;
    s->name = strdup(name + strlen(kinds[kind].prefix));
    int error = s->name ? ops->open(s, f) : sl_out_of_memory(f);
    if (error < 0) {
        sl_source_close(s);
        *source = NULL;
    }
    return error;
}
