/* SPDX-License-Identifier: MIT */
/* Runs that repeat: what the machine underneath and the user's surroundings can change is fixed.
 *
 * The environment is PATH, HOME, LC_ALL and TZ with fixed values, the variables that are to be
 * kept, and padding. What lies below the strings on the program's stack is where they end, so they
 * are filled up to a multiple of SL_REPEATABLE_STRINGS: a program in a longer directory has the
 * same addresses. */
#ifndef SL_REPEATABLE_H
#define SL_REPEATABLE_H

#include "executable.h"
#include "sluice.h"

#define SL_REPEATABLE_STRINGS 16384u /* bytes */
#define SL_REPEATABLE_STACK 8388608

/* Of QEMU, a NULL at the end: processor, release of the kernel, size of the stack. */
#define SL_REPEATABLE_ARGUMENTS 6
void sl_repeatable_arguments(enum sl_arch arch, char *argument[SL_REPEATABLE_ARGUMENTS]);

/* The guest's environment. A program that another one starts in place (guest->in_place) has what
 * that one gives it, only the padding is made anew. To be freed; NULL when memory ran out. */
char **sl_repeatable_environment(const struct sl_guest *guest,
                                 const struct sl_executable *executable);
void sl_repeatable_free(char **environment);

#endif
