/* The experiments that there are, by the documents they redo. To add one: a file
 * experiment_NAME.c, a line here, a page data/lab/NAME.md, a test in tests/cli/lab.t. */
#include "lab_experiments.h"

const struct sl_experiment *const sl_experiments[] = {
    &sl_experiment_paths,
    &sl_experiment_interval,
    &sl_experiment_functions,
    &sl_experiment_wpp,
    &sl_experiment_optimizer,
    &sl_experiment_designs,
    &sl_experiment_sampling,
    &sl_experiment_compressors,
    &sl_experiment_counters,
    NULL,
};
