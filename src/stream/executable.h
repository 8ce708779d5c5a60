/* SPDX-License-Identifier: MIT */
/* Finds the ELF file that runs when a command is executed, and reads its architecture. The ELF file
 * is the command's program or, if that is a script, its interpreter. */
#ifndef SL_EXECUTABLE_H
#define SL_EXECUTABLE_H

#include "statics.h"

struct sl_executable {
    enum sl_arch arch;
    char *path;        /* of the ELF file */
    char *interpreter; /* of its dynamic loader, NULL if static */
    char **argv;       /* as that file gets it, NULL at the end */
};

/* Finds the file `path`, or if that is NULL argv[0] as a shell does (in PATH, unless it has a
 * slash), and follows "#!" lines. Returns 0, SL_ENOTFOUND, SL_ENOEXEC (no permission, a directory,
 * no program), SL_EUNSUPPORTED (unknown architecture) or SL_ENOMEM. Call sl_executable_free() in
 * any case. */
int sl_executable_find(struct sl_executable *executable, const char *path, char *const *argv,
                       struct sl_failure *f);

void sl_executable_free(struct sl_executable *executable);

/* The architectures that QEMU can run; other rows are zero. */
extern const struct sl_target {
    const char *qemu;      /* name of the emulator */
    const char *sysroot;   /* Debian's directory of libraries for cross compilers */
    const char *processor; /* a CPU with the same features in every version of QEMU */
    unsigned machine;      /* ELF: EM_... */
    bool wide, big_endian; /* ELF: 64-bit; byte order */
} sl_targets[SL_ARCH_COUNT];

/* Path of the program `name` in PATH; a copy of `name` if that has a slash. Free it. Returns NULL
 * if there is none, or if out of memory. */
char *sl_path_find(const char *name);

#endif
