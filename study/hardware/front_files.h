/* SPDX-License-Identifier: MIT */
/* What `sluice rtl` writes of a front end. */
#ifndef SL_FRONT_FILES_H
#define SL_FRONT_FILES_H

#include "front.h"

/* profiler.v, the top level, and shape.vh, what its bench has to know. */
int sl_front_files(const struct sl_profile_spec *spec, const struct sl_front_shape *shape,
                   const char *directory, struct sl_failure *f);

/* How to attach it. */
void sl_front_readme(const struct sl_front_shape *shape, FILE *out);

/* The file that the bench reads events, or instructions, from. */
static inline const char *sl_front_events(const struct sl_front_shape *shape)
{
    return shape->lanes ? "retired.txt" : "events.txt";
}

#endif
