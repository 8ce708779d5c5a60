/* SPDX-License-Identifier: MIT */
/* List of the experiments of `sluice lab`, and of the C functions for steps that are not plain
 * replays of a trace. The plan of an experiment selects one of these functions with the keyword
 * `by`. Each experiment_*.c, or a header that it names, describes the measurements. */
#ifndef LAB_EXPERIMENTS_H
#define LAB_EXPERIMENTS_H

#include "lab.h"

extern const struct experiment experiments[]; /* ends with an entry without a name */

extern const struct performer {
    const char *name; /* as in a plan */
    lab_perform *perform;
} performers[]; /* ends with an entry without a name */

lab_perform lab_blame, lab_compressors, lab_counters, lab_counter_trials, lab_functions,
    lab_functions_loops, lab_functions_published, lab_hardware, lab_interval_spread, lab_intervals,
    lab_optimizer, lab_path_power, lab_path_shapes, lab_sampling, lab_sampling_counting,
    lab_sampling_eights, lab_sampling_theory, lab_simpoint, lab_wpp;

#endif
