/* SPDX-License-Identifier: MIT */
/* Experiment `hardware` of `sluice lab`: measures the FPGA resources of tables that are implemented
 * in Verilog, with the tools yosys and nextpnr. The experiment repeats the area table of the LEAP
 * paper (section 6), compares the logic of approximate counters with that of 64-bit counters, and
 * measures the logic of a selection of the designs of the experiment `designs`.
 *
 * The script data/lab/hardware.sh does the measurements, in one step per spec. Only the placement
 * is random; it has a fixed seed. If a tool is missing, the figure `absent` says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"

/* A line has a measure, a tab, and its value; for the measures `absent` and `late`, the reason. */
static bool parse_line(void *context, char *line, struct sl_job_results *results)
{
    const char *label = context;
    char *measure = strsep(&line, "\t");
    if (line && (!strcmp(measure, "absent") || !strcmp(measure, "late")))
        lab_add_item_figure(results, label, measure, line, 1);
    else if (line)
        lab_add_figure(results, label, measure, NAN, strtod(line, NULL));
    return line;
}

/* The step's argument has three words: the number of functions, what to measure besides the area,
 * and the spec. */
int lab_hardware(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    char more[16], functions[16];
    int at = 0;
    if (sscanf(step->argument, "%15s %15s %n", functions, more, &at) != 2)
        return sl_fail(f, SL_EUSAGE,
                       "invalid step argument '%s': write the number of functions, the additional "
                       "measurements and the spec, for example '0 ecp5,clock value@P256'",
                       step->argument);
    const char *spec = step->argument + at;
    char *label = strchr(spec, '@') + 1;
    const char *argv[] = {"sh", "lab/hardware.sh", step->lab->sluice, spec, functions, more, NULL};
    if (atoi(functions))
        lab_add_figure(results, label, "functions", NAN, atoi(functions));
    return lab_run_script(step, argv, parse_line, label, results, f);
}
