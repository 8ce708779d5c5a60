/* SPDX-License-Identifier: MIT */
/* A report format. To add one: a file with a `const struct sl_exporter`, a line
 * in exporter.c, a test, an entry in docs/man/sluice-report.1. */
#ifndef SL_EXPORTER_H
#define SL_EXPORTER_H

#include "shown.h"
#include "sluice.h"

struct sl_database;

struct sl_exporter {
    const char *name;
    const char *summary;    /* one line for `sluice list formats` */
    enum sl_shown_as shown; /* how it says what a terminal must not get */
    /* Specs of profiles that it is made from, NULL at their end, without a machine and with one;
     * NULL: of any. */
    const char *const *usual[2];
    /* Detectors, with blanks between them, of which it needs a profile; NULL: of any, or none. */
    const char *needs;
    /* Called with the opened, checked database. */
    int (*write)(struct sl_database *database, const struct sl_report_config *config, FILE *out,
                 struct sl_failure *f);
};

extern const struct sl_exporter *const sl_exporters[]; /* NULL at the end */

#endif
