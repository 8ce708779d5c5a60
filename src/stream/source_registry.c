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
#include <string.h>

#include "source.h"

const struct sl_source_kind sl_source_kinds[] = {
    {"synth:", sl_synth_source},
    {"champsim:", sl_champsim_source},
    {"perf:", sl_perf_source},
    {NULL, NULL},
};

int sl_source_open(struct sl_source **source, const char *name, struct sl_failure *f)
{
    for (const struct sl_source_kind *k = sl_source_kinds; k->prefix; k++)
        if (!strncmp(name, k->prefix, strlen(k->prefix)))
            return k->open(source, name + strlen(k->prefix), f);
    return sl_trace_source(source, name, f);
}
