/* What `sluice rtl` writes into a directory. */
#ifndef SL_TWIN_FILES_H
#define SL_TWIN_FILES_H

#include "twin_model.h"

/* The modules, a top level with the parameters of the model, bench, Makefile, README and core
 * file. `spec` is written in full into them. */
int sl_twin_files(const struct sl_twin_model *model, const char *spec, const char *directory,
                  struct sl_failure *f);

/* Opens `name` in the directory to be written; NULL with a failure. */
FILE *sl_twin_create(const char *directory, const char *name, struct sl_failure *f);

/* Closes it; a failure where not all could be written. */
int sl_twin_finish(FILE *file, const char *name, struct sl_failure *f);

#endif
