/* SPDX-License-Identifier: MIT */
/* Prints the lists of `sluice list`: detectors, metrics, tables, CPU models, report formats,
 * synthetic streams and engines. The lists are generated from registries, and that of the CPU
 * models from the files of their directory. */
#include <string.h>

#include "detector.h"
#include "exporter.h"
#include "failure.h"
#include "machine_text.h"
#include "metric.h"
#include "emulator.h"
#include "source.h"
#include "table.h"

static void list_detectors(FILE *out)
{
    for (size_t i = 0; sl_detectors[i]; i++) {
        const struct sl_detector_kind *d = sl_detectors[i];
        fprintf(out, "%-10s %s\n", d->name, d->summary);
        if (d->options)
            sl_options_list(d->options, out);
    }
}

static void list_metrics(FILE *out)
{
    for (const struct sl_metric *m = sl_metrics; m->name; m++)
        fprintf(out, "%-14s %s\n", m->name, m->summary);
}

static void list_tables(FILE *out)
{
    for (size_t i = 0; sl_tables[i]; i++) {
        const struct sl_table_kind *t = sl_tables[i];
        if (t->notation) {
            t->notation->list(out);
        } else {
            char first[32];
            snprintf(first, sizeof first, "%-10s ", t->name);
            sl_text_wrap(t->summary, first, 100, out);
            sl_text_wrap(t->storage, "           storage: ", 100, out);
        }
        if (t->options)
            sl_options_list(t->options, out);
        /* tests/study/rtl_tables.c checks that the named tables have RTL. (The size of a table by
         * function depends on the program.) */
        bool fixed = t->storage_bits || t->input.by_function;
        fprintf(out, "           hardware: %s\n",
                t->model_only ? "none: no RTL implementation"
                : fixed       ? "sluice rtl"
                              : "none: it grows");
    }
}

static void list_formats(FILE *out)
{
    for (size_t i = 0; sl_exporters[i]; i++)
        fprintf(out, "%-10s %s\n", sl_exporters[i]->name, sl_exporters[i]->summary);
}

int sl_list(const char *kind, FILE *out, struct sl_failure *f)
{
    SL_REQUIRE(f, kind && out);
    static const struct {
        const char *kind;
        void (*list)(FILE *out);
    } lists[] = {
        {"detectors", list_detectors}, {"metrics", list_metrics}, {"tables", list_tables},
        {"machines", sl_machine_list}, {"formats", list_formats}, {"streams", sl_synth_list},
        {"engines", sl_engines_list},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(lists[i].kind, kind)) {
            FILE *shown = sl_shown_open(out, SL_SHOWN_MARKED, f);
            if (shown)
                lists[i].list(shown);
            return shown ? sl_shown_close(shown, out, 0, "the list", f) : SL_ENOMEM;
        }
    return sl_fail(f, SL_EUSAGE,
                   "unknown list '%s': use one of detectors, metrics, tables, machines, "
                   "formats, streams, experiments or engines",
                   kind);
}
