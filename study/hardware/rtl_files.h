/* SPDX-License-Identifier: MIT */
/* Writer of the output directory of `sluice rtl`: Verilog modules, top-level module, test bench,
 * Makefile, README and FuseSoC core file. */
#ifndef SL_RTL_FILES_H
#define SL_RTL_FILES_H

#include "frontend.h"
#include "rtl_model.h"

/* Creates the directory if necessary. Returns 0 or SL_EIO. */
int sl_rtl_directory(const char *directory, struct sl_failure *f);

/* Writes the modules, a top level with the model's parameters, test bench, Makefile, README and
 * core file, with the full spec in them. With shape->lanes, also the front end. Returns 0, SL_EIO
 * or SL_ENOMEM. */
int sl_rtl_files(const struct sl_rtl_model *model, const struct sl_profile_spec *spec,
                 const struct sl_frontend_shape *shape, const char *directory,
                 struct sl_failure *f);

/* Creates the file `name` in the directory. Returns NULL with a message if that fails. */
FILE *sl_rtl_create(const char *directory, const char *name, struct sl_failure *f);

/* Closes the file. Returns 0, or SL_EIO if it could not be written completely. */
int sl_rtl_finish(FILE *file, const char *name, struct sl_failure *f);

#endif
