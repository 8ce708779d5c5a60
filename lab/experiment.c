/* The experiments that there are, by the documents they redo. To add one: a file
 * experiment_NAME.c, a line here, a page data/lab/NAME.md, a test in tests/cli/lab.t. */
#include "lab_experiments.h"

const struct experiment *const experiments[] = {
    &experiment_paths,
    &experiment_interval,
    &experiment_functions,
    &experiment_wpp,
    &experiment_optimizer,
    &experiment_designs,
    &experiment_sampling,
    &experiment_compressors,
    &experiment_counters,
    &experiment_hardware,
    &experiment_blame,
    &experiment_predictors,
    &experiment_simpoint,
    &experiment_windows,
    NULL,
};
