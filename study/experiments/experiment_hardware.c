/* SPDX-License-Identifier: MIT */
/* Hardware: what the twins of rtl/ take in an FPGA, as yosys and nextpnr have it; the documents'
 * tables of area again (LEAP's section 6, the counters' table), and what each design of `designs`
 * costs in logic beside its bits.
 *
 * All of it is done by a script, data/lab/hardware.sh, one step for each spec. Nothing in it is
 * random but the placement, which has a seed. Where the tools are missing a figure says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"

static bool take(void *context, char *line, struct sl_job_figures *results)
{
    const char *label = context;
    char *measure = strsep(&line, "\t");
    if (line && (!strcmp(measure, "absent") || !strcmp(measure, "late")))
        lab_figure_of(results, label, measure, line, 1);
    else if (line)
        lab_figure(results, label, measure, NAN, strtod(line, NULL));
    return line;
}

/* The argument: the number of functions, what is found beside the area, and the spec, with blanks
 * between them. */
int lab_hardware(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    char more[16], functions[16];
    int at = 0;
    if (sscanf(step->argument, "%15s %15s %n", functions, more, &at) != 2)
        return sl_fail(f, SL_EUSAGE, "%s is no step of hardware", step->argument);
    const char *spec = step->argument + at;
    char *label = strchr(spec, '@') + 1;
    const char *argv[] = {"sh", "lab/hardware.sh", step->lab->sluice, spec, functions, more, NULL};
    if (atoi(functions))
        lab_figure(results, label, "functions", NAN, atoi(functions));
    return lab_script(step, argv, take, label, results, f);
}
