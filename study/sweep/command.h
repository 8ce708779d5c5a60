/* SPDX-License-Identifier: MIT */
/* Runs an external command, for example Slurm's sbatch, and captures its output. The command is
 * searched in PATH and is started without a shell. */
#ifndef SL_COMMAND_H
#define SL_COMMAND_H

#include "sluice-study.h"

struct sl_command {
    char *out;  /* standard output and standard error; owned by the caller */
    int status; /* as in a shell: 128 + number for a signal, 127 if the command was not found */
};

/* Runs the command with `input` as standard input (NULL: empty) and waits until it ends. Returns 0
 * whatever its status, or SL_EIO or SL_ENOMEM if it could not be started. */
int sl_command_run(struct sl_command *command, const char *const *argv, const char *input,
                   struct sl_failure *f);

#endif
