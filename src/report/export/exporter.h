/* SPDX-License-Identifier: MIT */
/* Interface of the report formats (`report -f NAME`), and the list of all formats.
 *
 * To add a format, three files: export_NAME.c with `const struct sl_exporter sl_NAME_exporter`, a
 * line in SL_EXPORTERS below, and a test. tests/cli/docs.t names the format until
 * docs/man/sluice-report.1 describes the format. */
#ifndef SL_EXPORTER_H
#define SL_EXPORTER_H

#include "format.h"
#include "shown.h"

/* All formats, in the order of `sluice list formats`. */
#define SL_EXPORTERS(X) \
    X(text)             \
    X(json)             \
    X(html)             \
    X(flat)             \
    X(callgraph)        \
    X(loops)            \
    X(bolt)             \
    X(profgen)          \
    X(autofdo)          \
    X(callgrind)        \
    X(folded)           \
    X(speedscope)       \
    X(pprof)            \
    X(sequence)

/* A list of specs for sl_exporter.default_specs. */
#define SL_SPECS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The specs that call_costs.h needs. */
#define SL_CALL_COSTS_SPECS                                                   \
    {                                                                         \
        SL_SPECS("context(inlined=1)", "context(inlined=1):count"),           \
            SL_SPECS("context(inlined=1):cycles", "context(inlined=1):count") \
    }

struct sl_exporter {
    const char *name;
    const char *summary;    /* one line for `sluice list formats` */
    enum sl_shown_as shown; /* how control characters are escaped for a terminal */
    /* Specs of the profiles that `run -f NAME` makes without -p; NULL at the end: [0] without a CPU
     * model, [1] with one. NULL: the default profiles. */
    const char *const *default_specs[2];
    /* Names of detectors, separated by spaces: the format needs a profile of one of them. NULL: any
     * profile, or none. */
    const char *needs;
    /* Writes the report of an opened, checked database. Returns 0 or a negative enum sl_error:
     * SL_EUSAGE if the database has no suitable profile, SL_EFORMAT if it is damaged, SL_ENOMEM. */
    int (*write)(const struct sl_output *o);
};

#define SL_EXPORTER_DECLARATION(name) extern const struct sl_exporter sl_##name##_exporter;
SL_EXPORTERS(SL_EXPORTER_DECLARATION)
#undef SL_EXPORTER_DECLARATION

extern const struct sl_exporter *const sl_exporters[]; /* all formats; NULL at the end */

#endif
