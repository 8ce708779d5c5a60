/* SPDX-License-Identifier: MIT */
/* Experiment `simpoint` of `sluice lab`: simulates, on three CPU models, the slices that `sluice
 * simpoint` selects from a run, and computes the error of the resulting estimate. The reference is
 * a simulation of the whole run as a single slice.
 *
 * There is one step per program. Figures by CPU model:
 *
 *     whole, slices   cycles per instruction (CPI)
 *     error           slices / whole - 1
 *     detailed        fraction of the run's instructions that the CPU model executes
 *
 * Figures of the program: number of instructions, number of slices (n), size of the slices' trace
 * and of the whole trace in bytes. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "failure.h"
#include "stored_slices.h"
#include "lab_experiments.h"

static const char *const machines[] = {"rocket", "ss4", "zen4"};

static int measure(const struct sl_stored_slices *slices, const char *machine, double *cpi,
                   double *detailed, struct sl_failure *f)
{
    struct sl_slices_sums sums;
    int error = sl_slices_measure(slices, machine, &sums, f);
    if (error < 0)
        return error;
    *cpi = sums.cpi;
    *detailed = (double)sums.executed / (double)slices->instructions;
    sl_slices_sums_free(&sums);
    return 0;
}

static int compare(const struct sl_stored_slices *slices, const struct sl_stored_slices *whole,
                   const char *machine, struct sl_job_results *results, struct sl_failure *f)
{
    double sampled, all, detailed, everything;
    int error = measure(slices, machine, &sampled, &detailed, f);
    if (error >= 0)
        error = measure(whole, machine, &all, &everything, f);
    if (error < 0)
        return error;
    lab_add_figure(results, machine, "whole", NAN, all);
    lab_add_figure(results, machine, "slices", NAN, sampled);
    lab_add_figure(results, machine, "error", NAN, sampled / all - 1);
    lab_add_figure(results, machine, "detailed", NAN, detailed);
    return 0;
}

static double bytes_of(const char *path)
{
    struct stat status;
    return stat(path, &status) ? (double)NAN : (double)status.st_size;
}

int lab_simpoint(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    static const struct sl_simpoint_config usual = {.size = sizeof usual};
    struct sl_stored_slices slices = {0};
    int error = sl_simpoint(step->trace, step->scratch, &usual, f);
    if (error >= 0)
        error = sl_slices_read(&slices, step->scratch, f);
    if (error < 0)
        return error;
    struct sl_stored_slice all = {.length = slices.instructions, .weight = 1};
    struct sl_stored_slices whole = {
        .trace = step->trace, .instructions = slices.instructions, .slice = &all, .n = 1};
    for (size_t i = 0; i < sizeof machines / sizeof *machines && error >= 0; i++)
        error = compare(&slices, &whole, machines[i], results, f);
    lab_add_figure(results, "", "instructions", NAN, (double)slices.instructions);
    lab_add_figure(results, "", "n", NAN, (double)slices.n);
    lab_add_figure(results, "", "bytes", NAN, bytes_of(slices.trace));
    lab_add_figure(results, "", "whole bytes", NAN, bytes_of(step->trace));
    sl_slices_free(&slices);
    return error;
}
