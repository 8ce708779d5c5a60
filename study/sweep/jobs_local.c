/* SPDX-License-Identifier: MIT */
/* Runs jobs on this computer: each job is a child process of sluice and is killed when sluice ends.
 * If a job fails without reporting a reason, its exit status or the end of its log is reported as
 * the reason. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "job_file.h"
#include "jobs.h"
#include "data_path.h"
#include "resources.h"
#include "utf8.h"

#define WORKERS_MAX 256u

struct local_jobs {
    const struct sl_jobs *jobs;
    char *program, *directory; /* the path of sluice; the directory of the jobs */
    struct worker {
        pid_t child; /* 0: free */
        size_t job;
    } worker[WORKERS_MAX];
    bool failed; /* at least one job */
};

static _Noreturn void execute_job(const struct local_jobs *h, size_t job, const char *log,
                                  pid_t parent)
{
    char number[32];
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    snprintf(number, sizeof number, "%zu", job);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* if this process is killed, its jobs die, too */
    if (getppid() != parent || in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(out, 2) < 0)
        _exit(126);
    execl(h->program, h->program, h->jobs->command, "work", h->directory, number, (char *)NULL);
    _exit(127);
}

static int start(struct local_jobs *h, struct worker *worker, size_t job, struct sl_failure *f)
{
    const struct sl_jobs *jobs = h->jobs;
    pid_t parent = getpid();
    char *log = sl_asprintf("%s/log-%zu", h->directory, job);
    int error = log ? jobs->write(jobs->context, job, h->directory, job, f) : sl_out_of_memory(f);
    if (error >= 0) {
        *worker = (struct worker){fork(), job};
        if (worker->child == 0)
            execute_job(h, job, log, parent);
        if (worker->child < 0)
            error = sl_fail_errno(f, SL_EIO, "cannot start a process for a job");
    }
    free(log);
    return error;
}

static void describe_failure(const struct local_jobs *h, size_t job, int status, char *why,
                             size_t capacity)
{
    static const char first[] = "sluice: ";
    char log[1000];
    sl_job_log(h->directory, job, log, sizeof log);
    if (WIFSIGNALED(status))
        snprintf(why, capacity, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, capacity, "%s",
                 !*log                                 ? "it ended without a message"
                 : !strncmp(log, first, strlen(first)) ? log + strlen(first)
                                                       : log);
}

static int finish(struct local_jobs *h, size_t job, int status, struct sl_failure *f)
{
    const struct sl_jobs *jobs = h->jobs;
    char why[1200];
    bool memory = false;
    enum sl_job_state state = sl_job_state_of(h->directory, job, why, sizeof why, &memory);
    if (state == SL_JOB_FOUND)
        return jobs->store_results(jobs->context, job, h->directory, job, f);
    if (state != SL_JOB_FAILED)
        describe_failure(h, job, status, why, sizeof why);
    h->failed = true;
    return jobs->store_failure(jobs->context, job, why, true, f);
}

/* Waits for any job and collects its results. */
static int wait_for_one(struct local_jobs *h, unsigned workers, struct sl_failure *f)
{
    int status;
    pid_t child = waitpid(-1, &status, 0);
    if (child < 0 && errno != EINTR)
        return sl_fail_errno(f, SL_EIO, "cannot wait for jobs");
    for (unsigned i = 0; i < workers; i++)
        if (child > 0 && h->worker[i].child == child) {
            h->worker[i].child = 0;
            return finish(h, h->worker[i].job, status, f);
        }
    return 0;
}

static struct worker *free_worker(struct local_jobs *h, unsigned workers)
{
    for (unsigned i = 0; i < workers; i++)
        if (!h->worker[i].child)
            return &h->worker[i];
    return NULL;
}

static bool any_busy(const struct local_jobs *h, unsigned workers)
{
    for (unsigned i = 0; i < workers; i++)
        if (h->worker[i].child)
            return true;
    return false;
}

static int do_all(struct local_jobs *h, unsigned workers, struct sl_failure *f)
{
    const struct sl_jobs *jobs = h->jobs;
    int error = 0;
    for (size_t job = 0; job < jobs->n && error >= 0; job++) {
        struct worker *worker;
        while (error >= 0 && !(worker = free_worker(h, workers)))
            error = wait_for_one(h, workers, f);
        if (error >= 0)
            error = jobs->needed(jobs->context, job, f);
        if (error > 0)
            error = start(h, worker, job, f);
    }
    while (error >= 0 && any_busy(h, workers))
        error = wait_for_one(h, workers, f);
    return error;
}

int sl_jobs_local(const struct sl_jobs *jobs, struct sl_failure *f)
{
    struct local_jobs h = {.jobs = jobs};
    struct sl_jobs_directory place = {0};
    unsigned workers = sl_cpus(jobs->at_once);
    if (!jobs->n)
        return 0;
    char *own = sl_install_directory();
    int error = sl_jobs_create_directory(&place, jobs->file, SL_JOBS_LOCAL, f);
    h.program = own ? sl_asprintf("%s/sluice", own) : NULL;
    h.directory = error >= 0 ? sl_asprintf("%s/0", place.directory) : NULL;
    if (error >= 0 && (!h.program || !h.directory))
        error = sl_out_of_memory(f);
    if (error >= 0 && mkdir(h.directory, 0777))
        error = sl_fail_errno(f, SL_EIO, "cannot create %s", h.directory);
    if (error >= 0)
        error = do_all(&h, workers < WORKERS_MAX ? workers : WORKERS_MAX, f);
    sl_jobs_close_directory(&place, error < 0);
    free(h.program);
    free(h.directory);
    free(own);
    return error;
}
