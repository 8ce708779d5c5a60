/* SPDX-License-Identifier: MIT */
/* Of the experiment with paths: the shapes of exact profiles, and what they cost by two models. */
#ifndef EXPERIMENT_PATHS_H
#define EXPERIMENT_PATHS_H

#include "lab.h"

/* For qsort: struct sl_counted. */
int lab_heaviest_first(const void *a, const void *b);

/* As a replay, and besides, of the exact profiles of each metric, under its name:
 *
 *     shared             overlap with the exact profile of frequencies
 *     top (x: N)         share of the metric on the N paths that have most of it
 *     length (x: N)      share of the metric on paths of at most N branches */
lab_perform lab_path_shapes;

/* As a replay of its one profile on the step's machine, and on the machine that is its argument,
 * whose figures have the label "analytical". Either has, besides, `lost`: paths that a full stack
 * lost. Of the two exact profiles, under the label "models":
 *
 *     alike      their overlap
 *     ordered    of all pairs of the 100 paths that cost most by the latter, those in the same
 *                order by both */
lab_perform lab_path_power;

#endif
