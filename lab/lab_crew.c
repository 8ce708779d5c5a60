/* Steps in processes of their own. A child does the step, saves its figures and ends; what it
 * says on standard error is why it could not, and goes to its parent through a pipe. The parent
 * starts as many as it may, waits for any, tells how far it is, and starts the next. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* Of this process and what it has started: what a step costs, whatever else the machine does. */
static double processor_seconds(void)
{
    static const int of[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;
    for (size_t i = 0; i < 2; i++) {
        struct rusage used;
        getrusage(of[i], &used);
        sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return sum;
}

/* Scratch directories are called by the number of the process that each is of. */
void lab_clear_scratch(const struct lab *lab)
{
    char *path = lab_format("%s/scratch", lab->directory);
    DIR *all = opendir(path);
    for (const struct dirent *one; all && (one = readdir(all));) {
        char *end;
        long process = strtol(one->d_name, &end, 10);
        if (process <= 0 || *end || !kill((pid_t)process, 0) || errno != ESRCH)
            continue;
        char *stale = lab_format("%s/%s", path, one->d_name);
        lab_remove_tree(stale);
        free(stale);
    }
    if (all)
        closedir(all);
    free(path);
}

static _Noreturn void be_a_child(struct lab_step *step, int out, pid_t parent)
{
    struct lab_results results = {0};
    struct sl_failure f;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted lab leaves nobody behind */
    if (getppid() != parent || dup2(out, STDERR_FILENO) < 0)
        _exit(EXIT_LAB);
    step->trace = step->stream    ? step->stream
                  : step->program ? lab_trace_path(step->lab, step->program)
                                  : NULL;
    step->scratch = lab_format("%s/scratch/%ld", step->lab->directory, (long)getpid());
    lab_remove_tree(step->scratch);
    lab_make_directory(step->scratch);
    int error = step->perform(step, &results, &f);
    lab_remove_tree(step->scratch);
    if (error < 0)
        lab_die_of(&f);
    lab_store_step(lab_store_open(step->lab->database), step, &results, processor_seconds());
    _exit(0);
}

static void start(struct hand *hand, struct lab_step *step)
{
    int end[2];
    pid_t parent = getpid();
    fflush(NULL);
    if (pipe2(end, O_CLOEXEC))
        lab_die("a pipe for a step of the lab: %s", strerror(errno));
    *hand = (struct hand){.child = fork(), .pipe = end[0], .step = step, .started = now()};
    if (hand->child < 0)
        lab_die("a process for a step of the lab: %s", strerror(errno));
    if (hand->child == 0)
        be_a_child(step, end[1], parent);
    close(end[1]);
}

/* What the child said, without its first word and the end of the line. */
static void finish(struct lab *lab, struct hand *hand, int status)
{
    static const char first[] = "sluice: ";
    char text[1024];
    ssize_t n = read(hand->pipe, text, sizeof text - 1);
    n = n > 0 ? n : 0;
    text[n] = '\0';
    if (n && text[n - 1] == '\n')
        text[n - 1] = '\0';
    close(hand->pipe);
    hand->step->done = !status;
    if (WIFSIGNALED(status))
        hand->step->failure = lab_format("it was ended by signal %d (%s)", WTERMSIG(status),
                                         strsignal(WTERMSIG(status)));
    else if (status)
        hand->step->failure = lab_format("%s", !n ? "it ended without saying why"
                                               : !strncmp(text, first, strlen(first))
                                                   ? text + strlen(first)
                                                   : text);
    lab->spent += now() - hand->started;
    lab->n_done++;
    hand->child = 0;
}

/* On a terminal one line that is written over; what failed is said anywhere. What is still to
 * do takes, in the mean, as long as what was done. */
static void tell(const struct lab *lab, const struct lab_step *step)
{
    const char *experiment = step->experiment ? step->experiment->name : "record";
    const char *over = lab->progress ? "\r\033[K" : "";
    int left = (int)(lab->spent / (double)lab->n_done * (double)(lab->n_todo - lab->n_done) /
                     lab->jobs + 0.5);
    if (step->failure) {
        fputs(over, stderr);
        sl_say(stderr, "sluice: %s, %s: %s", experiment, step->name, step->failure);
    } else if (lab->progress && lab->n_done < lab->n_todo) {
        fprintf(stderr, "%s%zu of %zu, about %d:%02d left; done: %s, %s", over, lab->n_done,
                lab->n_todo, left / 60, left % 60, experiment, step->name);
    } else {
        fputs(over, stderr);
    }
}

void lab_crew(struct lab *lab, struct lab_step *const *step, size_t n)
{
    struct hand hand[HANDS_MAX] = {{0}};
    unsigned hands = lab->jobs < HANDS_MAX ? lab->jobs : HANDS_MAX;
    for (size_t next = 0, ended = 0; ended < n;) {
        for (unsigned i = 0; i < hands && next < n; i++)
            if (!hand[i].child)
                start(&hand[i], step[next++]);
        int status;
        pid_t child = waitpid(-1, &status, 0);
        if (child < 0 && errno != EINTR)
            lab_die("waiting for steps: %s", strerror(errno));
        for (unsigned i = 0; i < hands; i++)
            if (child > 0 && hand[i].child == child) {
                finish(lab, &hand[i], status);
                tell(lab, hand[i].step);
                ended++;
            }
    }
}
