/* SPDX-License-Identifier: MIT */
/* What `sluice rtl` writes into a directory. */
#ifndef SL_RTL_FILES_H
#define SL_RTL_FILES_H

#include "frontend.h"
#include "rtl_model.h"

/* Makes the directory, if it is not there. */
int sl_rtl_directory(const char *directory, struct sl_failure *f);

/* The modules, a top level with the parameters of the model, bench, Makefile, README and core
 * file. The spec is written in full into them. A shape with lanes: behind a front end. */
int sl_rtl_files(const struct sl_rtl_model *model, const struct sl_profile_spec *spec,
                 const struct sl_frontend_shape *shape, const char *directory,
                 struct sl_failure *f);

/* Opens `name` in the directory to be written; NULL with a failure. */
FILE *sl_rtl_create(const char *directory, const char *name, struct sl_failure *f);

/* Closes it; a failure where not all could be written. */
int sl_rtl_finish(FILE *file, const char *name, struct sl_failure *f);

#endif
