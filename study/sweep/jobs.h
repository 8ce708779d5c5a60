/* SPDX-License-Identifier: MIT */
/* Jobs: pieces of work that need nothing of each other, each done by a process of its own, `sluice
 * COMMAND work DIRECTORY NUMBER` (job_file.h): on this machine, as many at a time as it has
 * processors (jobs_here.c), or by a cluster (jobs_slurm.c). What is to be done, and where figures
 * go, is the business of whoever has them: sweeps and the lab.
 *
 * Beside the file that figures go to is a directory for each submitter, in it one for each array
 * that was submitted, in these the jobs:
 *
 *     sweep.db.jobs/NAME/0/job-0 figures-0 log-0 ...
 *
 * The submitter alone writes the file. Who resumes takes what jobs of an earlier submitter have
 * left meanwhile. */
#ifndef SL_JOBS_H
#define SL_JOBS_H

#include "sluice-study.h"

struct sl_jobs {
    void *context;
    size_t n;
    const char *file;    /* that figures go to; it is there */
    const char *command; /* of sluice's: "sweep" */
    unsigned at_once;    /* 0: as many as there are processors; as the cluster likes */
    /* Of a cluster; 0, NULL: as usual. */
    uint64_t memory_bytes, minutes;
    const char *slurm;
    uint64_t (*bytes)(const void *context, size_t job); /* that it takes, about */
    /* Here, right before it begins: whether it still has to be done. 1, 0, or an error. */
    int (*needed)(void *context, size_t job, struct sl_failure *f);
    /* Says in the directory what is to be done. */
    int (*write)(void *context, size_t job, const char *directory, size_t number,
                 struct sl_failure *f);
    /* Takes its figures, or why there are none: for now, or in the end. */
    int (*keep)(void *context, size_t job, const char *directory, size_t number,
                struct sl_failure *f);
    int (*keep_failure)(void *context, size_t job, const char *why, bool in_the_end,
                        struct sl_failure *f);
    /* Takes figures that a job of an earlier submitter has left, if they are of these. */
    int (*find)(void *context, const char *directory, size_t number, struct sl_failure *f);
};

/* Takes what was left by others. To be called first: it may be that less is to be done then. */
int sl_jobs_take_left(const struct sl_jobs *jobs, struct sl_failure *f);

/* Does them all: errors are those of the file, or of the cluster as a whole. */
int sl_jobs_here(const struct sl_jobs *jobs, struct sl_failure *f);
int sl_jobs_slurm(const struct sl_jobs *jobs, struct sl_failure *f);

/* ---- for these two ---- */

/* The directory of this submitter, called `kind`-HOST-PROCESS, empty; and its name alone. */
struct sl_jobs_place {
    char *all, *directory, *name;
};
int sl_jobs_make_place(struct sl_jobs_place *place, const char *file, const char *kind,
                       struct sl_failure *f);
/* Removes it, unless files of what has failed are to stay for those who want to know why. */
void sl_jobs_leave_place(struct sl_jobs_place *place, bool stays);

#define SL_JOBS_HERE "here"    /* kinds: those here die with their submitter, */
#define SL_JOBS_SLURM "sluice" /* those of a cluster go on */

#endif
