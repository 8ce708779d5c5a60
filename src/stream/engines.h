/* SPDX-License-Identifier: MIT */
/* What can run a guest with a tap inside: the engine, QEMU with our patch, or a QEMU that
 * loads plugins. */
#ifndef SL_ENGINES_H
#define SL_ENGINES_H

#include "executable.h"
#include "sluice.h"

struct sl_engine {
    char *path;   /* of the QEMU */
    char *plugin; /* our plugin for it; NULL: it is the engine */
};

/* Chooses by what `guest` asks for, else the engine if there is one, else the QEMU of PATH.
 * SL_EUNSUPPORTED, with what to do, if there is nothing. */
int sl_engine_choose(struct sl_engine *engine, const struct sl_guest *guest, enum sl_arch arch,
                     struct sl_failure *f);

void sl_engine_free(struct sl_engine *engine);

/* Prints all that are found, for `sluice list`. */
void sl_engines_list(FILE *out);

#endif
