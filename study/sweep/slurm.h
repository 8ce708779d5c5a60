/* SPDX-License-Identifier: MIT */
/* Slurm by its commands: sbatch, squeue, scontrol, and sacct where the cluster keeps accounts. */
#ifndef SL_SLURM_H
#define SL_SLURM_H

#include "sluice-study.h"

#define SL_SLURM_ARRAY_MAX 1000u /* tasks of an array: clusters allow at least so many */

struct sl_slurm_array {
    const char *name;      /* of the jobs */
    const char *command;   /* of sluice's, which does one */
    const char *directory; /* of their files: log-0, log-1, ... */
    size_t n;
    uint64_t megabytes, minutes;
    unsigned at_once; /* 0: as many as the cluster likes */
    const char *more; /* words for sbatch; NULL: none */
};

/* Submits an array, whose task i does job i of the directory. SL_EIO with what sbatch said. */
int sl_slurm_submit(const struct sl_slurm_array *array, char job[64], struct sl_failure *f);

/* All tasks of that name that wait or run, as "\n12_0 \n12_1 "; NULL: the cluster does not answer.
 */
char *sl_slurm_queue(const char *name);

enum sl_slurm_end { SL_SLURM_OTHER, SL_SLURM_MEMORY, SL_SLURM_TIME };

/* What became of a task that has ended: a sentence, and what there was too little of. */
enum sl_slurm_end sl_slurm_ask(const char *job, size_t task, const char *directory, char *why,
                               size_t capacity);

#endif
