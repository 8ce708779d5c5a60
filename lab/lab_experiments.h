/* All experiments, for their list in experiment.c. */
#ifndef LAB_EXPERIMENTS_H
#define LAB_EXPERIMENTS_H

#include "lab.h"

extern const struct experiment experiment_blame;
extern const struct experiment experiment_compressors;
extern const struct experiment experiment_counters;
extern const struct experiment experiment_designs;
extern const struct experiment experiment_functions;
extern const struct experiment experiment_hardware;
extern const struct experiment experiment_interval;
extern const struct experiment experiment_optimizer;
extern const struct experiment experiment_paths;
extern const struct experiment experiment_predictors;
extern const struct experiment experiment_sampling;
extern const struct experiment experiment_simpoint;
extern const struct experiment experiment_wpp;
extern const struct experiment experiment_windows;

#endif
