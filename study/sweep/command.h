/* SPDX-License-Identifier: MIT */
/* Commands that are run and listened to: found in PATH, without a shell. */
#ifndef SL_COMMAND_H
#define SL_COMMAND_H

#include "sluice-study.h"

struct sl_command {
    char *out;  /* what it said on standard output and standard error; to be freed */
    int status; /* as a shell has it: 128 and more for a signal, 127 if there is none such */
};

/* Gives it `input` (NULL: nothing) and waits for its end. SL_EIO, SL_ENOMEM if it could not be
 * started; whatever it ends with is no error. */
int sl_command_run(struct sl_command *command, const char *const *argv, const char *input,
                   struct sl_failure *f);

#endif
