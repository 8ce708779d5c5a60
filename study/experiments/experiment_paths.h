/* SPDX-License-Identifier: MIT */
/* Two steps of the experiment `paths` of `sluice lab`. One measures which fraction of a program's
 * cost is on its most expensive paths; the other compares the energy of the paths according to two
 * CPU models. */
#ifndef EXPERIMENT_PATHS_H
#define EXPERIMENT_PATHS_H

#include "lab.h"

/* Comparison function for qsort() on struct sl_counted: the largest count first. */
int lab_compare_counts(const void *a, const void *b);

/* A replay (lab_replay) that also adds figures of the exact profile of each metric, with the
 * metric's name as the label:
 *
 *     shared             overlap with the exact profile of the first metric, the frequencies
 *     top (x: N)         fraction of the metric on the N most expensive paths
 *     length (x: N)      fraction of the metric on paths of at most N branches */
lab_perform lab_path_shapes;

/* Replays the step's only profile on two CPU models: the step's own, and the one that its argument
 * names, whose figures get the label "analytical". Both also have `lost`, the number of paths that
 * were lost because the path stack was full. The label "models" has a comparison of the two exact
 * profiles:
 *
 *     alike      their overlap
 *     ordered    of all pairs of the 100 most expensive paths of the second model, the fraction
 *                that the first model puts in the same order */
lab_perform lab_path_power;

#endif
