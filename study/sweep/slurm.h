/* SPDX-License-Identifier: MIT */
/* Interface to the cluster scheduler Slurm: uses its commands sbatch, squeue and scontrol, and
 * sacct if the cluster records accounting data. */
#ifndef SL_SLURM_H
#define SL_SLURM_H

#include "sluice-study.h"

#define SL_SLURM_ARRAY_MAX 1000u /* tasks per array: clusters allow at least this many */

struct sl_slurm_array {
    const char *name;      /* of the jobs */
    const char *command;   /* of sluice, which runs one job */
    const char *directory; /* of their files: log-0, log-1, ... */
    size_t n;
    uint64_t megabytes, minutes;
    unsigned at_once; /* 0: no limit */
    const char *more; /* further arguments for sbatch; NULL: none */
};

/* Submits an array whose task i runs job i of the directory. Sets `job` to its id. Returns 0,
 * SL_EUSAGE if there is no sbatch, SL_ENOMEM, or SL_EIO with sbatch's message. */
int sl_slurm_submit(const struct sl_slurm_array *array, char job[64], struct sl_failure *f);

/* Returns all waiting and running tasks of that name, as "\n12_0 \n12_1 ", for free(3); NULL if
 * the cluster does not answer. */
char *sl_slurm_queue(const char *name);

enum sl_slurm_end { SL_SLURM_OTHER, SL_SLURM_MEMORY, SL_SLURM_TIME };

/* Finds out why a task has ended: writes a message to `why` and returns which limit was too small.
 */
enum sl_slurm_end sl_slurm_find_end(const char *job, size_t task, const char *directory, char *why,
                                    size_t capacity);

#endif
