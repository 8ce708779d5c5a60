/* Steps in processes of their own. A child does the step, saves its figures and ends; it
 * says through a pipe why it could not. The parent starts as many as it may, waits for
 * any, tells how far it is, and starts the next. The pipe also says that a child has ended. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "failure.h"
#include "lab_inside.h"

#define HANDS_MAX 64

struct hand {
    pid_t child; /* 0: free */
    int pipe;    /* from it */
    struct lab_step *step;
    double started;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- scratch directories, each of the process by whose number it is called -------- */

void lab_clear_scratch(const struct lab *lab)
{
    char *path = lab_format("%s/scratch", lab->directory);
    DIR *all = path ? opendir(path) : NULL;
    for (const struct dirent *one; all && (one = readdir(all));) {
        char *end;
        long process = strtol(one->d_name, &end, 10);
        if (process <= 0 || *end || !kill((pid_t)process, 0) || errno != ESRCH)
            continue;
        char *stale = lab_format("%s/%s", path, one->d_name);
        if (stale)
            lab_remove_tree(stale);
        free(stale);
    }
    if (all)
        closedir(all);
    free(path);
}

/* ---- in the child ------------------------------------------------------------------ */

static int prepare(struct lab_step *step, struct sl_failure *f)
{
    step->trace = step->stream    ? strdup(step->stream)
                  : step->program ? lab_trace_path(step->lab, step->program)
                                  : NULL;
    step->scratch = lab_format("%s/scratch/%ld", step->lab->directory, (long)getpid());
    if (!step->scratch || ((step->program || step->stream) && !step->trace))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    lab_remove_tree(step->scratch);
    return lab_make_directory(step->scratch, f);
}

static int perform(struct lab_step *step, struct sl_failure *f)
{
    struct lab_results results = {0};
    sqlite3 *store = NULL;
    double started = now();
    int error = prepare(step, f);
    if (error >= 0)
        error = step->perform(step, &results, f);
    if (error >= 0)
        error = lab_store_open(&store, step->lab->database, f);
    if (error >= 0)
        error = lab_store_step(store, step, &results, now() - started, f);
    sqlite3_close(store);
    lab_results_free(&results);
    if (step->scratch)
        lab_remove_tree(step->scratch);
    return error;
}

static void be_a_child(struct lab_step *step, int out, pid_t parent)
{
    struct sl_failure f = {.code = SL_EIO, .text = "it failed without saying why"};
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted lab leaves nobody behind */
    if (getppid() != parent)
        _exit(2);
    int error = perform(step, &f);
    if (error < 0 && write(out, f.text, strlen(f.text)) < 0)
        _exit(2);
    _exit(error < 0);
}

/* ---- in the parent ------------------------------------------------------------------- */

static int start(struct hand *hand, struct lab_step *step, struct sl_failure *f)
{
    int end[2];
    pid_t parent = getpid();
    fflush(NULL);
    /* Commands that the child runs must not keep it open: it tells us when the child ends. */
    if (pipe2(end, O_CLOEXEC))
        return sl_fail_errno(f, SL_EIO, "a pipe for a step of the lab");
    *hand = (struct hand){.child = fork(), .pipe = end[0], .step = step, .started = now()};
    if (hand->child == 0) {
        close(end[0]);
        be_a_child(step, end[1], parent);
    }
    close(end[1]);
    if (hand->child > 0)
        return 0;
    hand->child = 0;
    close(end[0]);
    return sl_fail_errno(f, SL_EIO, "a process for a step of the lab");
}

static void finish(struct lab *lab, struct hand *hand)
{
    char text[1024];
    int status = 0;
    pid_t waited;
    do
        waited = waitpid(hand->child, &status, 0);
    while (waited < 0 && errno == EINTR);
    ssize_t n = read(hand->pipe, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(hand->pipe);
    hand->step->done = waited > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
    if (waited > 0 && WIFSIGNALED(status))
        snprintf(text, sizeof text, "it was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (!hand->step->done && n <= 0)
        snprintf(text, sizeof text, "it ended without saying why");
    if (!hand->step->done)
        hand->step->failure = strdup(text);
    lab->spent += now() - hand->started;
    lab->n_done++;
    hand->child = 0;
}

/* Waits until a child has ended, or is about to; NULL if a signal came instead. */
static struct hand *wait_for_any(struct hand *hand, unsigned hands)
{
    struct pollfd open[HANDS_MAX];
    for (unsigned i = 0; i < hands; i++)
        open[i] = (struct pollfd){.fd = hand[i].child ? hand[i].pipe : -1, .events = POLLIN};
    if (poll(open, hands, -1) > 0)
        for (unsigned i = 0; i < hands; i++)
            if (open[i].revents)
                return &hand[i];
    return NULL;
}

/* What is still to do takes, in the mean, as long as what was done. */
static void tell(const struct lab *lab, const struct lab_step *step, unsigned hands)
{
    if (!lab->config->progress)
        return;
    struct lab_progress p = {
        .experiment = step->experiment ? step->experiment->name : "record",
        .step = step->name,
        .failure = step->failure,
        .done = lab->n_done,
        .steps = lab->n_todo,
        .seconds_left = lab->spent / (double)lab->n_done * (double)(lab->n_todo - lab->n_done) /
                        (double)hands,
    };
    lab->config->progress(lab->config->context, &p);
}

static unsigned hands_of(const struct lab *lab)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = lab->config->jobs ? lab->config->jobs : processors > 0 ? (unsigned)processors
                                                                             : 1;
    return wanted < HANDS_MAX ? wanted : HANDS_MAX;
}

int lab_crew(struct lab *lab, struct lab_step *const *step, size_t n, struct sl_failure *f)
{
    struct hand hand[HANDS_MAX] = {{0}};
    unsigned hands = hands_of(lab), busy = 0;
    int error = 0;
    for (size_t next = 0; busy || (next < n && error >= 0);) {
        while (next < n && busy < hands && error >= 0) {
            struct hand *free_one = hand;
            while (free_one->child)
                free_one++;
            error = start(free_one, step[next++], f);
            busy += error >= 0;
        }
        struct hand *ended = busy ? wait_for_any(hand, hands) : NULL;
        if (ended) {
            finish(lab, ended);
            tell(lab, ended->step, hands);
            busy--;
        }
    }
    return error;
}
