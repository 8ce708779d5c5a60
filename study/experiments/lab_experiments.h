/* SPDX-License-Identifier: MIT */
/* What does steps of experiments otherwise than by replaying, for their list in experiment.c: plans
 * name it behind `by`. Which figures each leaves is said where it is made. */
#ifndef LAB_EXPERIMENTS_H
#define LAB_EXPERIMENTS_H

#include "lab.h"

extern const struct experiment experiments[]; /* the last has no name */

extern const struct performer {
    const char *name;
    lab_perform *perform;
} performers[]; /* likewise */

lab_perform lab_blame, lab_compressors, lab_counters, lab_counter_trials, lab_functions,
    lab_functions_loops, lab_functions_published, lab_hardware, lab_interval_spread, lab_intervals,
    lab_optimizer, lab_path_power, lab_path_shapes, lab_sampling, lab_sampling_counting,
    lab_sampling_eights, lab_sampling_theory, lab_simpoint, lab_wpp;

#endif
