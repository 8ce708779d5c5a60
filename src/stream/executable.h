/* SPDX-License-Identifier: MIT */
/* What has to be started when a user names a program: the file itself, or the
 * interpreter its first line names, and the emulator for its architecture. */
#ifndef SL_EXECUTABLE_H
#define SL_EXECUTABLE_H

#include "statics.h"

struct sl_executable {
    enum sl_arch arch;
    char *path;        /* of the ELF file */
    char *interpreter; /* of its dynamic loader, NULL if static */
    char **argv;       /* as that file gets it, NULL at the end */
};

/* Finds the file: `path`, or if that is NULL argv[0] as a shell would (PATH, unless it has a
 * slash); and follows "#!" lines. SL_ENOTFOUND, SL_ENOEXEC (no permission, a directory, no program)
 * or SL_EUNSUPPORTED (an architecture that we do not know). */
int sl_executable_find(struct sl_executable *executable, const char *path, char *const *argv,
                       struct sl_failure *f);

void sl_executable_free(struct sl_executable *executable);

/* "qemu-riscv64" etc. */
const char *sl_emulator_name(enum sl_arch arch);

/* The full path of `name` in PATH, or a copy of it if it has a slash; NULL if it
 * is not there. To be freed. */
char *sl_path_find(const char *name);

#endif
