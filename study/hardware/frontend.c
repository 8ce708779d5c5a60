/* SPDX-License-Identifier: MIT */
/* RTL front ends: for each detector that has a front end, the parameters of rtl/rvfi_profiler.v and
 * a check whether the hardware supports the options of the detector. */
#include "frontend.h"

#include <stdlib.h>
#include <string.h>

#include "activation.h"
#include "failure.h"
#include "isa.h"
#include "path_control.h"
#include "rtl_parameters.h"

const char *const sl_frontend_sources[] = {
    "rvfi_profiler",
    "rvfi_frontend",
    "rvfi_decode",
    "funnel",
    "path_frontend",
    "call_frontend",
    "apb_registers",
    "drop_fifo",
    "fifo",
    "ram",
    NULL,
};

int sl_frontend_parse(const char *text, struct sl_frontend_shape *shape, struct sl_failure *f)
{
    static const char name[] = "rvfi";
    size_t size = sizeof name - 1;
    char *end = NULL;
    unsigned long lanes = 1;
    if (strncmp(text, name, size) || (text[size] && text[size] != ':'))
        return sl_fail(f, SL_EUSAGE,
                       "unknown front end '%s': use rvfi for cores that retire one instruction per "
                       "cycle, or rvfi:N for N",
                       text);
    if (text[size] == ':') {
        lanes = strtoul(text + size + 1, &end, 10);
        if (!text[size + 1] || *end || strchr("+- ", text[size + 1]) || !lanes ||
            lanes > SL_FRONTEND_LANES_MAX)
            return sl_fail(f, SL_EUSAGE, "%s: the number of instructions per cycle must be 1 to %u",
                           text, SL_FRONTEND_LANES_MAX);
    }
    *shape = (struct sl_frontend_shape){.lanes = (unsigned)lanes, .xlen = 64, .parts = 1};
    return 0;
}

/* ---- transfers and loads ---- */

#define KIND(branch) (1u << SL_BRANCH_##branch)

static void edges(const void *config, FILE *out)
{
    (void)config;
    fprintf(out, SL_RTL_PARAMETER("KINDS", "8'h%02x"), KIND(CONDITIONAL) | KIND(INDIRECT));
}

static void calls(const void *config, FILE *out)
{
    (void)config;
    fprintf(out, SL_RTL_PARAMETER("KINDS", "8'h%02x"), KIND(CALL) | KIND(INDIRECT_CALL));
}

static void values(const void *config, FILE *out)
{
    (void)config;
    fprintf(out, SL_RTL_PARAMETER("EVENT_TYPE", "1"));
}

static void addresses(const void *config, FILE *out)
{
    const struct sl_option *o = sl_option_find(
        sl_detector_with_fields(SL_FIELD_CODE, SL_FIELD_DATA)->options, "line", strlen("line"));
    uint64_t line = *(const uint64_t *)((const char *)config + o->offset);
    fprintf(out, SL_RTL_PARAMETER("EVENT_TYPE", "2") SL_RTL_PARAMETER("LINE_BITS", "%d"),
            __builtin_ctzll(line));
}

/* ---- paths ---- */

static int check_paths(const void *config, struct sl_failure *f)
{
    const struct sl_path_config *c = config;
    return c->overflow
               ? sl_fail(f, SL_EUNSUPPORTED,
                         "the RTL cannot spill the path stack to memory: leave out overflow=spill")
               : 0;
}

static void paths(const void *config, FILE *out)
{
    const struct sl_path_config *c = config;
    unsigned control = 0;
    for (unsigned class = 0; class < SL_PATH_CLASSES; class ++)
        control |= sl_path_operations(c, class) << 4 * class;
    fprintf(out,
            SL_RTL_PARAMETER("FRONTEND", "1") SL_RTL_PARAMETER("KINDS", "8'h7e")
                SL_RTL_PARAMETER("PATHS", "20'h%05x") SL_RTL_PARAMETER("STACK", "%u")
                    SL_RTL_PARAMETER("LENGTH", "%u") SL_RTL_PARAMETER("PATH_KIND", "%u")
                        SL_RTL_PARAMETER("EXTEND", "%u") SL_RTL_PARAMETER("REPAIR", "%d")
                            SL_RTL_PARAMETER("EVENT_BITS", "%u"),
            control, (unsigned)c->stack, (unsigned)c->length,
            c->kind == SL_PATH_LOOP        ? 1u
            : c->kind == SL_PATH_PROCEDURE ? 2u
                                           : 0u,
            (unsigned)c->extend, c->repair, (unsigned)(c->bits < 32 ? c->bits : 32));
}

/* ---- functions ---- */

static int check_functions(const void *config, struct sl_failure *f)
{
    const struct sl_activation_config *c = config;
    if (c->tail || c->repair || c->inclusive || !c->depth || c->depth > 65536)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "the RTL has no symbols, and its call stack has a fixed size and is popped "
                       "only by returns: use function(tail=0,repair=0,depth=32)");
    return 0;
}

static void functions(const void *config, FILE *out)
{
    const struct sl_activation_config *c = config;
    fprintf(out,
            SL_RTL_PARAMETER("FRONTEND", "2") SL_RTL_PARAMETER("KINDS", "8'h%02x")
                SL_RTL_PARAMETER("STACK", "%u"),
            KIND(CALL) | KIND(INDIRECT_CALL) | KIND(RETURN), (unsigned)c->depth);
}

static const struct sl_frontend frontends[] = {
    {SL_FIELD_CODE, SL_FIELD_TARGET, NULL, edges},
    {SL_FIELD_CODE, SL_FIELD_CALLEE, NULL, calls},
    {SL_FIELD_CODE, SL_FIELD_VALUE, NULL, values},
    {SL_FIELD_CODE, SL_FIELD_DATA, NULL, addresses},
    {SL_FIELD_CODE, SL_FIELD_OUTCOMES, check_paths, paths},
    {SL_FIELD_FUNCTION, SL_FIELD_NOTHING, check_functions, functions},
};

const struct sl_frontend *sl_frontend_of(const struct sl_profile_spec *spec, struct sl_failure *f)
{
    const struct sl_detector_kind *kind = spec->detector[0].kind;
    size_t n = sizeof frontends / sizeof *frontends, i = 0;
    if (spec->n_detectors > 1) {
        sl_fail(f, SL_EUNSUPPORTED,
                "a front end supports only one detector: give a specification with one detector");
        return NULL;
    }
    while (i < n && (frontends[i].first != kind->first || frontends[i].second != kind->second.type))
        i++;
    if (i == n) {
        sl_fail(f, SL_EUNSUPPORTED,
                "no front end for %s: use edge, call, value, load, path or function", kind->name);
        return NULL;
    }
    return frontends[i].check && frontends[i].check(spec->detector[0].config, f) < 0
               ? NULL
               : &frontends[i];
}
