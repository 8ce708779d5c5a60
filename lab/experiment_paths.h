/* Of the experiment with paths: what is counted along them, and the shapes of exact
 * profiles. */
#ifndef EXPERIMENT_PATHS_H
#define EXPERIMENT_PATHS_H

#include "lab.h"

extern const char *const lab_path_metrics[]; /* "count" first; NULL at the end */

/* As a replay, and besides, of the exact profiles of each metric, under its name:
 *
 *     shared             overlap with the exact profile of frequencies
 *     top (x: N)         share of the metric on the N paths that have most of it
 *     length (x: N)      share of the metric on paths of at most N branches */
lab_perform lab_path_shapes;

#endif
