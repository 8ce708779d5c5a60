/* A sweep in jobs of a cluster. Beside the sweep's file is a directory for each submitter, in it one for
 * each array that was submitted, in these the shares and what the jobs leave (share_file.h):
 *
 *     sweep.db.jobs/NAME/0/share-0 figures-0 log-0 ...
 *
 * The submitter alone writes the sweep's file: that need not be on a file system that jobs can lock. It
 * asks what is there and what is still in the queue. A task that is in it no more and has left nothing
 * has died; it is tried again, with twice the memory or time if that is what it died of, ATTEMPTS times
 * in all. Who resumes takes what jobs of an earlier submitter have left meanwhile. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "failure.h"
#include "grow.h"
#include "share_file.h"
#include "slurm.h"
#include "sweep.h"
#include "utf8.h"

#define ATTEMPTS 5u
#define POINTS_DEFAULT 200u
#define MINUTES_DEFAULT 60u
#define MEGABYTES_BESIDE 256u /* what a job takes besides its tables, an exact profile of middling size */
#define GRACE_S 6             /* from when a task is in the queue no more until it is taken for dead */
#define SILENCE_S 900         /* of the cluster, after which we give up */
#define PAUSE_MIN_MS 300
#define PAUSE_MAX_MS 5000

struct task {
    struct sl_sweep_deal *deal;
    char *directory; /* of its array; NULL: to be submitted */
    char job[64];
    size_t number;   /* in its array */
    uint64_t megabytes, minutes;
    unsigned attempts;
    double gone;     /* since when it is not in the queue; 0: it is */
    bool ended;
};

struct slurm {
    struct sl_sweep *sweep;
    char *directory, *name;
    struct task *task;
    size_t n, n_arrays;
    double silent; /* since when the cluster does not answer */
};

static int no_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory");
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + 1;
}

/* ---- what others have left ----------------------------------------------- */

/* The share as one of this sweep; false if it is none. */
static bool recognize(const struct sl_sweep *s, const struct sl_share_task *task,
                      struct sl_sweep_deal *deal)
{
    size_t stream = 0;
    while (stream < s->n_streams && strcmp(s->stream[stream].what, task->what))
        stream++;
    *deal = (struct sl_sweep_deal){.stream = stream, .n = task->share.n};
    if (stream == s->n_streams || !(deal->point = malloc(deal->n * sizeof *deal->point)))
        return false;
    for (size_t i = 0; i < deal->n; i++) {
        size_t k = 0;
        while (k < s->n_points && (strcmp(s->point[k].spec, task->share.spec[i]) ||
                                   strcmp(s->point[k].described, task->described)))
            k++;
        if (k == s->n_points) {
            free(deal->point);
            return false;
        }
        deal->point[i] = k;
    }
    return true;
}

/* A share that cannot be read is none. */
static int take_share(struct sl_sweep *s, const char *directory, size_t number, struct sl_failure *f)
{
    struct sl_share_task task;
    struct sl_share_figures figures = {0};
    struct sl_sweep_deal deal;
    int error = 0;
    if (sl_share_read(directory, number, &task, NULL) >= 0 && recognize(s, &task, &deal)) {
        if (sl_share_collect(directory, number, &figures, NULL) >= 0)
            error = sl_sweep_keep(s, &deal, &figures, f);
        s->n_done = 0; /* it was not to be done */
        free(deal.point);
    }
    sl_share_figures_free(&figures);
    sl_share_task_free(&task);
    return error;
}

static int take_array(struct sl_sweep *s, const char *directory, struct sl_failure *f)
{
    char why[2];
    bool memory;
    int error = 0;
    for (size_t i = 0; i < SL_SLURM_ARRAY_MAX && error >= 0; i++)
        if (sl_share_look(directory, i, why, sizeof why, &memory) == SL_SHARE_FOUND)
            error = take_share(s, directory, i, f);
    return error;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path) && errno != ENOENT;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Whether nobody needs the directory any more: its submitter, whose number is at the end of its name,
 * was on this machine and is dead, and so are its jobs. */
static bool is_stale(const char *name)
{
    char host[256] = "";
    const char *dash = strrchr(name, '-');
    long pid = dash ? strtol(dash + 1, NULL, 10) : 0;
    gethostname(host, sizeof host - 1);
    size_t length = strlen(host);
    if (pid <= 0 || strncmp(name, "sluice-", 7) || strncmp(name + 7, host, length) ||
        name[7 + length] != '-' || !kill((pid_t)pid, 0) || errno != ESRCH)
        return false;
    char *queue = sl_slurm_queue(name);
    bool empty = queue && queue[0] == '\n' && !queue[1];
    free(queue);
    return empty;
}

static int take_submitter(struct sl_sweep *s, const char *all, const char *name, struct sl_failure *f)
{
    int error = 0;
    bool stale = is_stale(name); /* before it is read: then it is complete */
    for (size_t i = 0; error >= 0; i++) {
        char *directory = sl_own_format("%s/%s/%zu", all, name, i);
        bool there = directory && !access(directory, F_OK);
        if (there)
            error = take_array(s, directory, f);
        free(directory);
        if (!there)
            break;
    }
    if (error >= 0 && stale) {
        char *directory = sl_own_format("%s/%s", all, name);
        if (directory)
            remove_tree(directory);
        free(directory);
    }
    return error;
}

static int take_all(struct sl_sweep *s, const char *all, struct sl_failure *f)
{
    DIR *list = opendir(all);
    int error = 0;
    for (const struct dirent *one; error >= 0 && list && (one = readdir(list));)
        if (one->d_name[0] != '.')
            error = take_submitter(s, all, one->d_name, f);
    if (list)
        closedir(list);
    return error;
}

/* ---- submitting ---------------------------------------------------------- */

static int write_share(const struct slurm *c, struct task *t, struct sl_failure *f)
{
    const struct sl_sweep *s = c->sweep;
    struct sl_share_task task = {.what = s->stream[t->deal->stream].what,
                                 .described = s->point[t->deal->point[0]].described};
    int error = sl_sweep_share(s, t->deal, &task.share)
                    ? sl_share_write(t->directory, t->number, &task, f)
                    : no_memory(f);
    free((void *)task.share.spec);
    return error;
}

/* An array of all that wait with the same needs as the first. */
static int submit_array(struct slurm *c, size_t first, struct sl_failure *f)
{
    const struct sl_sweep_config *config = c->sweep->config;
    struct task *like = &c->task[first];
    struct sl_slurm_array array = {.name = c->name, .megabytes = like->megabytes,
                                   .minutes = like->minutes, .at_once = config->threads,
                                   .more = config->slurm};
    char *directory = sl_own_format("%s/%zu", c->directory, c->n_arrays++), job[64] = "";
    int error = !directory           ? no_memory(f)
                : mkdir(directory, 0777) ? sl_fail_errno(f, SL_EIO, "cannot make %s", directory)
                                         : 0;
    size_t last = first;
    for (size_t i = first; i < c->n && error >= 0 && array.n < SL_SLURM_ARRAY_MAX; i++) {
        struct task *t = &c->task[i];
        if (t->ended || t->directory || t->megabytes != like->megabytes || t->minutes != like->minutes)
            continue;
        if (!(t->directory = strdup(directory)))
            error = no_memory(f);
        t->number = array.n++;
        t->gone = 0;
        t->attempts++;
        last = i;
        if (error >= 0)
            error = write_share(c, t, f);
    }
    array.directory = directory;
    if (error >= 0)
        error = sl_slurm_submit(&array, job, f);
    for (size_t i = first; i <= last; i++)
        if (c->task[i].directory && directory && !strcmp(c->task[i].directory, directory))
            snprintf(c->task[i].job, sizeof c->task[i].job, "%s", job);
    free(directory);
    return error;
}

static int give_up(struct slurm *c, struct task *t, const char *why, struct sl_failure *f)
{
    t->ended = true;
    return sl_sweep_keep_failure(c->sweep, t->deal, why, f);
}

/* What is refused the first time is refused; what is refused with more memory has failed of what it
 * failed of before. */
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
                *f = why; /* with its setting */
            return error;
        }
        error = 0;
        for (size_t k = i; k < c->n && error >= 0; k++)
            if (!c->task[k].ended && c->task[k].directory && !c->task[k].job[0])
                error = give_up(c, &c->task[k], why.text, f);
    }
    return error;
}

/* ---- waiting ------------------------------------------------------------- */

static int collect(struct slurm *c, struct task *t, struct sl_failure *f)
{
    struct sl_share_figures figures = {0};
    struct sl_sweep *s = c->sweep;
    int error = sl_share_collect(t->directory, t->number, &figures, f);
    if (error >= 0)
        error = sl_sweep_keep(s, t->deal, &figures, f);
    sl_share_figures_free(&figures);
    t->ended = true;
    if (error >= 0 && s->config->progress)
        s->config->progress(s->config->context, s->n_done, s->n_todo);
    return error;
}

/* With what it had too little of, doubled. */
static int try_again(struct slurm *c, struct task *t, enum sl_slurm_end end, const char *why,
                     struct sl_failure *f)
{
    char text[1400];
    snprintf(text, sizeof text, "%s; it was tried %u times, in the end with %llu MB and %llu minutes", why,
             t->attempts, (unsigned long long)t->megabytes, (unsigned long long)t->minutes);
    if (t->attempts >= ATTEMPTS)
        return give_up(c, t, text, f);
    /* Should we die before it succeeds, the file says so much. */
    int error = sl_sweep_keep_failure(c->sweep, t->deal, text, f);
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

/* What a job says itself comes first; only of one that says nothing the cluster is asked. */
static int look(struct slurm *c, struct task *t, const char *queue, struct sl_failure *f)
{
    char why[1200];
    bool memory = false;
    enum sl_share_state state = sl_share_look(t->directory, t->number, why, sizeof why, &memory);
    if (state == SL_SHARE_FOUND)
        return collect(c, t, f);
    if (state == SL_SHARE_FAILED)
        return memory ? try_again(c, t, SL_SLURM_MEMORY, why, f) : give_up(c, t, why, f);
    if (!queue || is_queued(queue, t)) {
        t->gone = 0;
        return 0;
    }
    t->gone = t->gone > 0 ? t->gone : now();
    if (now() - t->gone < GRACE_S)
        return 0;
    enum sl_slurm_end end = sl_slurm_ask(t->job, t->number, t->directory, why, sizeof why);
    return try_again(c, t, end, why, f);
}

/* 1 as long as something is under way. */
static int look_at_all(struct slurm *c, struct sl_failure *f)
{
    char *queue = sl_slurm_queue(c->name);
    int error = 0, left = 0;
    if (queue)
        c->silent = 0;
    else if (c->silent <= 0)
        c->silent = now();
    else if (now() - c->silent > SILENCE_S)
        error = sl_fail(f, SL_EIO, "squeue has not answered for %d minutes; jobs that are under way go on, "
                        "and sweeping again takes what they leave", SILENCE_S / 60);
    for (size_t i = 0; i < c->n && error >= 0; i++) {
        if (!c->task[i].ended && c->task[i].directory)
            error = look(c, &c->task[i], queue, f);
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
        /* Who waits long can wait a little longer. */
        long pause = (long)(100 * (now() - begun));
        pause = pause < PAUSE_MIN_MS ? PAUSE_MIN_MS : pause < PAUSE_MAX_MS ? pause : PAUSE_MAX_MS;
        nanosleep(&(struct timespec){pause / 1000, pause % 1000 * 1000000}, NULL);
        left = look_at_all(c, f);
    }
    return left;
}

/* ---- from the first to the last ------------------------------------------ */

static int make_tasks(struct slurm *c, struct sl_failure *f)
{
    struct sl_sweep *s = c->sweep;
    const struct sl_sweep_config *config = s->config;
    c->n = s->n_deals;
    if (!(c->task = calloc(c->n + 1, sizeof *c->task)))
        return no_memory(f);
    for (size_t i = 0; i < c->n; i++) {
        uint64_t megabytes = config->memory_bytes ? config->memory_bytes >> 20
                                                  : (s->deal[i].bytes >> 20) + MEGABYTES_BESIDE;
        /* In steps, so that shares that are about as large go into one array. */
        uint64_t step = config->memory_bytes ? 1 : 128;
        c->task[i] = (struct task){.deal = &s->deal[i],
                                   .megabytes = (megabytes / step + 1) * step - (step == 1),
                                   .minutes = config->minutes ? config->minutes : MINUTES_DEFAULT};
        c->task[i].megabytes += !c->task[i].megabytes;
    }
    return 0;
}

static int make_directory(struct slurm *c, const char *all, struct sl_failure *f)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    c->name = sl_own_format("sluice-%s-%ld", host, (long)getpid());
    c->directory = c->name ? sl_own_format("%s/%s", all, c->name) : NULL;
    if (!c->directory)
        return no_memory(f);
    remove_tree(c->directory); /* of one that had our number before */
    return (mkdir(all, 0777) && errno != EEXIST) || mkdir(c->directory, 0777)
               ? sl_fail_errno(f, SL_EIO, "cannot make the directory %s", c->directory)
               : 0;
}

static int run(struct slurm *c, const char *all, struct sl_failure *f)
{
    struct sl_sweep *s = c->sweep;
    size_t points = s->config->share ? s->config->share : POINTS_DEFAULT;
    int error = take_all(s, all, f);
    if (error >= 0)
        error = sl_sweep_deal(s, UINT64_MAX, points, 1, f);
    if (error < 0 || !s->n_deals)
        return error;
    error = make_tasks(c, f);
    if (error >= 0)
        error = make_directory(c, all, f);
    if (error >= 0)
        error = wait_for_all(c, f);
    /* Files of what has failed stay for those who want to know why. */
    if (error >= 0 && s->n_done == s->n_todo) {
        remove_tree(c->directory);
        rmdir(all);
    }
    return error;
}

int sl_sweep_slurm(struct sl_sweep *s, struct sl_failure *f)
{
    struct slurm c = {.sweep = s};
    char *path = realpath(s->path, NULL), *all = path ? sl_own_format("%s.jobs", path) : NULL;
    int error = all ? run(&c, all, f) : no_memory(f);
    for (size_t i = 0; i < c.n && c.task; i++)
        free(c.task[i].directory);
    free(c.task);
    free(c.directory);
    free(c.name);
    free(all);
    free(path);
    return error;
}
