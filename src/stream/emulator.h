/* SPDX-License-Identifier: MIT */
/* Starts a program under QEMU: finds the program's ELF file (executable.c), selects a QEMU
 * (engines.c), builds QEMU's arguments and starts the process (emulator.c). repeatable.c implements
 * the option --repeatable. */
#ifndef SL_EMULATOR_H
#define SL_EMULATOR_H

#include <sys/types.h>

#include "sluice.h"
#include "statics.h"

/* ---- what to run (executable.c) ---- */

struct sl_executable {
    enum sl_arch arch;
    char *path;        /* of the ELF file */
    char *interpreter; /* of its dynamic loader, NULL if static */
    char **argv;       /* as that file gets it, NULL at the end */
};

/* Finds the ELF file that runs when a command is executed: the command's program or, if that is a
 * script, its interpreter. The program is the file `path` or, if that is NULL, argv[0], which is
 * searched in PATH unless it has a slash. Returns 0, SL_ENOTFOUND, SL_ENOEXEC (no permission, a
 * directory, no program), SL_EUNSUPPORTED (unknown architecture) or SL_ENOMEM. Call
 * sl_executable_free() in any case. */
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

/* ---- which QEMU (engines.c) ---- */

/* A QEMU that can trace: the engine, which is QEMU with our patch, or a QEMU with plugins. */
struct sl_engine {
    char *path;          /* of the QEMU */
    char *plugin;        /* our plugin for it; NULL: it is the engine */
    const char *warning; /* for the user, or NULL */
};

/* Finds the tap that guest->tap requests; by default the engine if it is installed, else the QEMU
 * of PATH with the plugin. SL_EUNSUPPORTED, with advice in the message, if there is none. Call
 * sl_engine_free() after success. */
int sl_engine_choose(struct sl_engine *engine, const struct sl_guest *guest, enum sl_arch arch,
                     struct sl_failure *f);

void sl_engine_free(struct sl_engine *engine);

/* Prints every QEMU that is found, for `sluice list`. */
void sl_engines_list(FILE *out);

/* ---- starting it (emulator.c) ---- */

/* Starts `executable` under QEMU with the ring of `ring_fd`. Address-space randomization is off and
 * QEMU's random numbers are seeded, so that a single-threaded program repeats itself in every run.
 *
 * guest->in_place: the calling process becomes the guest, and the function returns in a new
 * process, which is not its child and has all its descriptors closed. *reader, in memory that both
 * share, is the new process's pid before the guest starts.
 *
 * *warning is set to a message for the user, or NULL.
 *
 * SL_EUNSUPPORTED if no QEMU can be run, SL_EIO if no process can be started, SL_ENOMEM. */
int sl_emulator_start(pid_t *pid, enum sl_tap *tap, const char **warning,
                      const struct sl_guest *guest, const struct sl_executable *executable,
                      int ring_fd, int32_t *reader, struct sl_failure *f);

/* For a guest that an engine has forked, and that runs already: returns in a new process, as
 * above. */
void sl_emulator_join(int32_t *reader);

/* ---- repeatable runs (repeatable.c) ---- */

/* The environment is PATH, HOME, LC_ALL and TZ with fixed values, the variables that the user
 * keeps, and padding. Addresses below the strings on the program's stack depend on the strings'
 * size, which is therefore padded to a multiple of SL_REPEATABLE_STRINGS: a program in a longer
 * directory has the same addresses. */
#define SL_REPEATABLE_STRINGS 16384u /* bytes */
#define SL_REPEATABLE_STACK 8388608  /* bytes */

/* Arguments for QEMU: kernel release, stack size and CPU. */
#define SL_REPEATABLE_ARGUMENTS 6
void sl_repeatable_arguments(enum sl_arch arch, char *argument[SL_REPEATABLE_ARGUMENTS]);

/* The guest's environment, NULL-terminated. With guest->in_place it is that of this process, with
 * new padding. Free it with sl_repeatable_free(). Returns NULL if out of memory. */
char **sl_repeatable_environment(const struct sl_guest *guest,
                                 const struct sl_executable *executable);
void sl_repeatable_free(char **environment);

#endif
