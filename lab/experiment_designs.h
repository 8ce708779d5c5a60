/* Of the experiment with all designs: what tables that know no intervals find in one. */
#ifndef EXPERIMENT_DESIGNS_H
#define EXPERIMENT_DESIGNS_H

#include "lab.h"

/* All of a program's intervals of one length and threshold, in step "PROGRAM DETECTOR 10K" or "...
 * 1M": interval profilers by themselves, and tables that are of as many bits at most, begin empty
 * with each interval and are read at its end. */
void lab_plan_intervals(struct lab *lab, const struct lab_program *program, const char *detector);

#endif
