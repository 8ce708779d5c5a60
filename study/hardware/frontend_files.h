/* SPDX-License-Identifier: MIT */
/* Writes two files that `sluice rtl` creates only with --front: the top-level module profiler.v,
 * and shape.vh with constants for the test bench. */
#ifndef SL_FRONTEND_FILES_H
#define SL_FRONTEND_FILES_H

#include "frontend.h"

/* Writes profiler.v, the top level, and shape.vh, constants for the test bench. Returns 0, SL_EIO
 * or SL_ENOMEM. */
int sl_frontend_files(const struct sl_profile_spec *spec, const struct sl_frontend_shape *shape,
                      const char *directory, struct sl_failure *f);

/* Prints the part of README.md about the ports. */
void sl_frontend_readme(const struct sl_frontend_shape *shape, FILE *out);

/* Name of the file from which the test bench reads events or instructions. */
static inline const char *sl_frontend_events(const struct sl_frontend_shape *shape)
{
    return shape->lanes ? "retired.txt" : "events.txt";
}

#endif
