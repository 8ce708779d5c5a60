/* SPDX-License-Identifier: MIT */
/* What `sluice rtl` writes into a directory. */
#ifndef SL_TWIN_FILES_H
#define SL_TWIN_FILES_H

#include "front.h"
#include "twin_model.h"

/* Makes the directory, if it is not there. */
int sl_twin_directory(const char *directory, struct sl_failure *f);

/* The modules, a top level with the parameters of the model, bench, Makefile, README and core
 * file. The spec is written in full into them. A shape with lanes: behind a front end. */
int sl_twin_files(const struct sl_twin_model *model, const struct sl_profile_spec *spec,
                  const struct sl_front_shape *shape, const char *directory, struct sl_failure *f);

/* Opens `name` in the directory to be written; NULL with a failure. */
FILE *sl_twin_create(const char *directory, const char *name, struct sl_failure *f);

/* Closes it; a failure where not all could be written. */
int sl_twin_finish(FILE *file, const char *name, struct sl_failure *f);

#endif
