/* SPDX-License-Identifier: MIT */
/* Runs jobs on a Slurm cluster. The submitting process polls the result files and the Slurm queue.
 * A job that has left the queue without results is submitted again, until it has been submitted
 * five times. A job that ran out of memory or time gets twice the memory or time when it is
 * submitted again. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "clocks.h"
#include "failure.h"
#include "job_file.h"
#include "jobs.h"
#include "slurm.h"
#include "utf8.h"

#define ATTEMPTS 5u
#define MINUTES_DEFAULT 60u
#define MEGABYTES_BASE \
    256u              /* memory of a job without its tables: an exact profile of medium size */
#define GRACE_S 6     /* delay after a task has left the queue until it counts as dead */
#define SILENCE_S 900 /* time without an answer from the cluster until we give up */
#define PAUSE_MIN_MS 300
#define PAUSE_MAX_MS 5000

struct task {
    size_t of;       /* index of its job */
    char *directory; /* of its array; NULL: to be submitted */
    char job[64];
    size_t number; /* in its array */
    uint64_t megabytes, minutes;
    uint64_t accepted_megabytes; /* largest size that the cluster has accepted; 0: none so far */
    unsigned attempts;
    double gone; /* time at which it left the queue; 0: it is in the queue */
    bool ended;
};

struct slurm {
    const struct sl_jobs *jobs;
    struct sl_jobs_directory place;
    struct task *task;
    size_t n, n_arrays, n_failed;
    double silent; /* time since which the cluster has not answered; 0: it answers */
};

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

/* Never 0, which means no time. */
static double now(void)
{
    return sl_clock_seconds() + 1;
}

/* ---- submitting ---- */

/* Submits an array of all waiting tasks that need the same memory and time as the first one. */
static int submit_array(struct slurm *c, size_t first, struct sl_failure *f)
{
    const struct sl_jobs *jobs = c->jobs;
    struct task *like = &c->task[first];
    struct sl_slurm_array array = {.name = c->place.name,
                                   .command = jobs->command,
                                   .megabytes = like->megabytes,
                                   .minutes = like->minutes,
                                   .at_once = jobs->at_once,
                                   .more = jobs->slurm};
    char *directory = sl_asprintf("%s/%zu", c->place.directory, c->n_arrays++);
    char job[64] = "";
    int error = !directory               ? no_memory(f)
                : mkdir(directory, 0777) ? sl_fail_errno(f, SL_EIO, "cannot create %s", directory)
                                         : 0;
    size_t last = first;
    for (size_t i = first; i < c->n && error >= 0 && array.n < SL_SLURM_ARRAY_MAX; i++) {
        struct task *t = &c->task[i];
        if (t->ended || t->directory || t->megabytes != like->megabytes ||
            t->minutes != like->minutes)
            continue;
        if (!(t->directory = strdup(directory)))
            error = no_memory(f);
        t->number = array.n++;
        t->gone = 0;
        t->attempts++;
        last = i;
        if (error >= 0)
            error = jobs->write(jobs->context, t->of, directory, t->number, f);
    }
    array.directory = directory;
    if (error >= 0)
        error = sl_slurm_submit(&array, job, f);
    for (size_t i = first; i <= last; i++) {
        struct task *t = &c->task[i];
        if (!t->directory || !directory || strcmp(t->directory, directory))
            continue;
        snprintf(t->job, sizeof t->job, "%s", job);
        t->accepted_megabytes = error < 0 ? t->accepted_megabytes : t->megabytes;
    }
    free(directory);
    return error;
}

static int fail_task(struct slurm *c, struct task *t, const char *why, struct sl_failure *f)
{
    t->ended = true;
    c->n_failed++;
    return c->jobs->store_failure(c->jobs->context, t->of, why, true, f);
}

/* The cluster refused the task. If it requested more memory than before, submit it again with the
 * memory that was accepted then, since it may only have been killed. Otherwise it has failed for
 * good. */
static int refused(struct slurm *c, struct task *t, const char *why, struct sl_failure *f)
{
    if (t->megabytes <= t->accepted_megabytes)
        return fail_task(c, t, why, f);
    t->megabytes = t->accepted_megabytes;
    free(t->directory);
    t->directory = NULL;
    return 0;
}

/* Submits all waiting tasks. If the first attempt is refused, that is an error. */
static int submit(struct slurm *c, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < c->n && error >= 0; i++) {
        struct sl_failure why;
        if (c->task[i].ended || c->task[i].directory)
            continue;
        bool again = c->task[i].attempts;
        error = submit_array(c, i, &why);
        if (error >= 0)
            continue;
        if (!again) {
            if (f)
                *f = why; /* including its setting */
            return error;
        }
        error = 0;
        for (size_t k = i; k < c->n && error >= 0; k++)
            if (!c->task[k].ended && c->task[k].directory && !c->task[k].job[0])
                error = refused(c, &c->task[k], why.text, f);
        i -= !c->task[i].ended;
    }
    return error;
}

/* ---- waiting ---- */

/* Submits the task again, with twice the memory or time that was too small. */
static int retry_task(struct slurm *c, struct task *t, enum sl_slurm_end end, const char *why,
                      struct sl_failure *f)
{
    char text[1400];
    snprintf(text, sizeof text, "%s; tried %u times, the last time with %llu MB and %llu minutes",
             why, t->attempts, (unsigned long long)t->megabytes, (unsigned long long)t->minutes);
    if (t->attempts >= ATTEMPTS)
        return fail_task(c, t, text, f);
    /* The file gets the reason even if this process dies before a retry succeeds. */
    int error = c->jobs->store_failure(c->jobs->context, t->of, text, false, f);
    t->megabytes *= end == SL_SLURM_MEMORY ? 2 : 1;
    t->minutes *= end == SL_SLURM_TIME ? 2 : 1;
    free(t->directory);
    t->directory = NULL;
    t->job[0] = '\0';
    return error;
}

static bool is_queued(const char *queue, const struct task *t)
{
    char name[128];
    snprintf(name, sizeof name, "\n%s_%zu ", t->job, t->number);
    return strstr(queue, name);
}

/* Checks a task. The job's own result or message counts first; the cluster is asked only if there
 * is none. */
static int check_task(struct slurm *c, struct task *t, const char *queue, struct sl_failure *f)
{
    char why[1200];
    bool memory = false;
    enum sl_job_state state = sl_job_state_of(t->directory, t->number, why, sizeof why, &memory);
    t->ended = state == SL_JOB_FOUND;
    if (t->ended)
        return c->jobs->store_results(c->jobs->context, t->of, t->directory, t->number, f);
    if (state == SL_JOB_FAILED)
        return memory ? retry_task(c, t, SL_SLURM_MEMORY, why, f) : fail_task(c, t, why, f);
    if (!queue || is_queued(queue, t)) {
        t->gone = 0;
        return 0;
    }
    t->gone = t->gone > 0 ? t->gone : now();
    if (now() - t->gone < GRACE_S)
        return 0;
    enum sl_slurm_end end = sl_slurm_find_end(t->job, t->number, t->directory, why, sizeof why);
    return retry_task(c, t, end, why, f);
}

/* Checks all tasks. Returns 1 while some are in flight. */
static int check_all_tasks(struct slurm *c, struct sl_failure *f)
{
    char *queue = sl_slurm_queue(c->place.name);
    int error = 0, left = 0;
    if (queue)
        c->silent = 0;
    else if (c->silent <= 0)
        c->silent = now();
    else if (now() - c->silent > SILENCE_S)
        error = sl_fail(f, SL_EIO,
                        "squeue has not answered for %d minutes: running jobs continue; run the "
                        "same command again to collect their results",
                        SILENCE_S / 60);
    for (size_t i = 0; i < c->n && error >= 0; i++) {
        if (!c->task[i].ended && c->task[i].directory)
            error = check_task(c, &c->task[i], queue, f);
        left |= !c->task[i].ended;
    }
    free(queue);
    return error < 0 ? error : left;
}

static int wait_for_all(struct slurm *c, struct sl_failure *f)
{
    double begun = now();
    int left = 1;
    while (left > 0) {
        int error = submit(c, f);
        if (error < 0)
            return error;
        /* Poll less often as time passes; late polls cost waiting time on the cluster only. */
        long pause = (long)(20 * (now() - begun));
        pause = pause < PAUSE_MIN_MS ? PAUSE_MIN_MS : pause < PAUSE_MAX_MS ? pause : PAUSE_MAX_MS;
        nanosleep(&(struct timespec){pause / 1000, pause % 1000 * 1000000}, NULL);
        left = check_all_tasks(c, f);
    }
    return left;
}

/* ---- all jobs ---- */

static int make_tasks(struct slurm *c, struct sl_failure *f)
{
    const struct sl_jobs *jobs = c->jobs;
    c->n = jobs->n;
    if (!(c->task = calloc(c->n + 1, sizeof *c->task)))
        return no_memory(f);
    for (size_t i = 0; i < c->n; i++) {
        uint64_t megabytes = jobs->memory_bytes
                                 ? jobs->memory_bytes >> 20
                                 : (jobs->bytes(jobs->context, i) >> 20) + MEGABYTES_BASE;
        /* In steps, so that jobs of similar size share an array. */
        uint64_t step = jobs->memory_bytes ? 1 : 128;
        c->task[i] = (struct task){.of = i,
                                   .megabytes = (megabytes / step + 1) * step - (step == 1),
                                   .minutes = jobs->minutes ? jobs->minutes : MINUTES_DEFAULT};
        c->task[i].megabytes += !c->task[i].megabytes;
    }
    return 0;
}

int sl_jobs_slurm(const struct sl_jobs *jobs, struct sl_failure *f)
{
    struct slurm c = {.jobs = jobs};
    int error = jobs->n ? make_tasks(&c, f) : 0;
    if (error >= 0 && jobs->n)
        error = sl_jobs_create_directory(&c.place, jobs->file, SL_JOBS_SLURM, f);
    if (error >= 0 && jobs->n)
        error = wait_for_all(&c, f);
    sl_jobs_close_directory(&c.place, error < 0 || c.n_failed);
    for (size_t i = 0; i < c.n && c.task; i++)
        free(c.task[i].directory);
    free(c.task);
    return error;
}
