/* All experiments, for their list in experiment.c. */
#ifndef SL_LAB_EXPERIMENTS_H
#define SL_LAB_EXPERIMENTS_H

#include "lab.h"

extern const struct sl_experiment sl_experiment_compressors;
extern const struct sl_experiment sl_experiment_counters;
extern const struct sl_experiment sl_experiment_designs;
extern const struct sl_experiment sl_experiment_functions;
extern const struct sl_experiment sl_experiment_interval;
extern const struct sl_experiment sl_experiment_optimizer;
extern const struct sl_experiment sl_experiment_paths;
extern const struct sl_experiment sl_experiment_sampling;
extern const struct sl_experiment sl_experiment_wpp;

#endif
