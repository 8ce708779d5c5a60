/* SPDX-License-Identifier: MIT */
/* Manages the directories of jobs: creates a directory for each process that submits jobs, collects
 * the results that jobs of earlier processes left, and removes stale directories. */
#include "jobs.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "job_file.h"
#include "slurm.h"
#include "utf8.h"

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path) && errno != ENOENT;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- results of earlier submitters ---- */

/* True if the directory is no longer needed: its submitter, whose process id is at the end of the
 * name, ran on this computer and is dead, and so are its jobs. */
static bool is_stale(const char *name)
{
    char host[256] = "";
    const char *first = strchr(name, '-'), *dash = strrchr(name, '-');
    long pid = dash ? strtol(dash + 1, NULL, 10) : 0;
    gethostname(host, sizeof host - 1);
    size_t length = strlen(host);
    if (pid <= 0 || strncmp(first + 1, host, length) || first + 1 + length != dash ||
        !kill((pid_t)pid, 0) || errno != ESRCH)
        return false;
    if (!strncmp(name, SL_JOBS_LOCAL "-", sizeof SL_JOBS_LOCAL))
        return true;
    char *queue = sl_slurm_queue(name);
    bool empty = queue && queue[0] == '\n' && !queue[1];
    free(queue);
    return empty;
}

/* Collects the jobs of an array. */
static int collect_array(const struct sl_jobs *jobs, const char *directory, struct sl_failure *f)
{
    char why[2];
    bool memory;
    int error = 0;
    for (size_t i = 0; i < SL_SLURM_ARRAY_MAX && error >= 0; i++)
        if (sl_job_state_of(directory, i, why, sizeof why, &memory) == SL_JOB_FOUND)
            error = jobs->find(jobs->context, directory, i, f);
    return error;
}

static int collect_submitter(const struct sl_jobs *jobs, const char *all, const char *name,
                             struct sl_failure *f)
{
    int error = 0;
    bool stale = is_stale(name); /* tested before reading, so that a stale directory is complete */
    for (size_t i = 0; error >= 0; i++) {
        char *directory = sl_asprintf("%s/%s/%zu", all, name, i);
        bool there = directory && !access(directory, F_OK);
        if (there)
            error = collect_array(jobs, directory, f);
        free(directory);
        if (!there)
            break;
    }
    if (error >= 0 && stale) {
        char *directory = sl_asprintf("%s/%s", all, name);
        if (directory)
            remove_tree(directory);
        free(directory);
    }
    return error;
}

/* Returns the directory for all jobs of the file; NULL if out of memory. */
static char *all_of(const char *file)
{
    char *path = realpath(file, NULL), *all = path ? sl_asprintf("%s.jobs", path) : NULL;
    free(path);
    return all;
}

int sl_jobs_collect_leftover(const struct sl_jobs *jobs, struct sl_failure *f)
{
    char *all = all_of(jobs->file);
    DIR *list = all ? opendir(all) : NULL;
    int error = all ? 0 : sl_out_of_memory(f);
    for (const struct dirent *one; error >= 0 && list && (one = readdir(list));)
        if (one->d_name[0] != '.' && strchr(one->d_name, '-'))
            error = collect_submitter(jobs, all, one->d_name, f);
    if (list)
        closedir(list);
    free(all);
    return error;
}

/* ---- own directory ---- */

int sl_jobs_create_directory(struct sl_jobs_directory *place, const char *file, const char *kind,
                             struct sl_failure *f)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    place->all = all_of(file);
    place->name = sl_asprintf("%s-%s-%ld", kind, host, (long)getpid());
    place->directory = place->all && place->name ? sl_asprintf("%s/%s", place->all, place->name)
                                                 : NULL;
    if (!place->directory)
        return sl_out_of_memory(f);
    remove_tree(place->directory); /* left by an earlier process with the same process id */
    return (mkdir(place->all, 0777) && errno != EEXIST) || mkdir(place->directory, 0777)
               ? sl_fail_errno(f, SL_EIO, "cannot create directory %s", place->directory)
               : 0;
}

void sl_jobs_close_directory(struct sl_jobs_directory *place, bool keep_files)
{
    if (!keep_files && place->directory) {
        remove_tree(place->directory);
        rmdir(place->all);
    }
    free(place->all);
    free(place->directory);
    free(place->name);
}
