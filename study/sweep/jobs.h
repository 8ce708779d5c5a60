/* SPDX-License-Identifier: MIT */
/* Jobs: independent pieces of work. Each job is done by its own process, `sluice COMMAND work
 * DIRECTORY NUMBER` (job_file.h). Jobs run on this computer, as many at a time as it has processors
 * (jobs_local.c), or on a cluster (jobs_slurm.c). The callers, `sluice sweep` and `sluice lab`,
 * decide what a job does and where its results are stored.
 *
 * Next to the file for the results is a directory for each submitting process, in it one directory
 * for each submitted array, and in that the files of the jobs:
 *
 *     sweep.db.jobs/NAME/0/job-0 figures-0 log-0 ...
 *
 * Only the submitting process writes the result file. A process that resumes the work collects the
 * results that jobs of an earlier submitter have left. */
#ifndef SL_JOBS_H
#define SL_JOBS_H

#include "sluice-study.h"

struct sl_jobs {
    void *context;
    size_t n;
    const char *file;    /* for the results; it exists */
    const char *command; /* of sluice, for example "sweep" */
    unsigned at_once;    /* 0: as many as there are processors; on a cluster no limit */
    /* Only for a cluster; 0, NULL: defaults. */
    uint64_t memory_bytes, minutes;
    const char *slurm;
    uint64_t (*bytes)(const void *context, size_t job); /* estimated memory of a job */
    /* Only on this computer: called right before a job starts. Returns 1 if it still has to be
     * done, 0 if not, or an error. */
    int (*needed)(void *context, size_t job, struct sl_failure *f);
    /* Writes the job file to the directory. */
    int (*write)(void *context, size_t job, const char *directory, size_t number,
                 struct sl_failure *f);
    /* Stores the results of a job, or the reason for its failure. `final`: it will not be
     * tried again. */
    int (*store_results)(void *context, size_t job, const char *directory, size_t number,
                         struct sl_failure *f);
    int (*store_failure)(void *context, size_t job, const char *why, bool final,
                         struct sl_failure *f);
    /* Stores the results that a job of an earlier submitter has left, if they belong to this work.
     */
    int (*find)(void *context, const char *directory, size_t number, struct sl_failure *f);
};

/* Collects the results of earlier submitters. Call this first, since it may reduce the work.
 * Returns 0 or an error of `find`. */
int sl_jobs_collect_leftover(const struct sl_jobs *jobs, struct sl_failure *f);

/* Run all jobs. Return 0, or an error of a callback or of the cluster as a whole; the failure of a
 * job goes to store_failure(). */
int sl_jobs_local(const struct sl_jobs *jobs, struct sl_failure *f);
int sl_jobs_slurm(const struct sl_jobs *jobs, struct sl_failure *f);

/* ---- for jobs_local.c and jobs_slurm.c ---- */

/* Creates an empty directory for this submitter, with the name `kind`-HOST-PID. Returns 0, SL_EIO
 * or SL_ENOMEM. */
struct sl_jobs_directory {
    char *all, *directory, *name;
};
int sl_jobs_create_directory(struct sl_jobs_directory *place, const char *file, const char *kind,
                             struct sl_failure *f);
/* Frees the place and removes the directory, unless `keep_files`: files of failed jobs are kept for
 * inspection. */
void sl_jobs_close_directory(struct sl_jobs_directory *place, bool keep_files);

#define SL_JOBS_LOCAL "here"   /* kind: local jobs die with their submitter */
#define SL_JOBS_SLURM "sluice" /* kind: jobs of a cluster continue */

#endif
