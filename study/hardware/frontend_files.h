/* SPDX-License-Identifier: MIT */
/* What `sluice rtl` writes of a front end. */
#ifndef SL_FRONTEND_FILES_H
#define SL_FRONTEND_FILES_H

#include "frontend.h"

/* profiler.v, the top level, and shape.vh, what its bench has to know. */
int sl_frontend_files(const struct sl_profile_spec *spec, const struct sl_frontend_shape *shape,
                      const char *directory, struct sl_failure *f);

/* How to attach it. */
void sl_frontend_readme(const struct sl_frontend_shape *shape, FILE *out);

/* The file that the bench reads events, or instructions, from. */
static inline const char *sl_frontend_events(const struct sl_frontend_shape *shape)
{
    return shape->lanes ? "retired.txt" : "events.txt";
}

#endif
