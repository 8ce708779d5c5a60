/* SPDX-License-Identifier: MIT */
/* The database as it would be if the program ended now, while it runs on.
 *
 *     we     ... chunk, chunk, [asked] rest, fork, chunk, chunk ... end: wait for it, save
 *     child                               └─ conclude, save, _exit
 *
 * The child has a copy of the session, so that it can end it, with all that is held back and
 * measured at an end; ours never notices. Saving takes as long as it takes, and meanwhile neither
 * the program nor its profile stands still. What is missing is what the program has not handed over
 * yet: at most a slot of the ring for each of its threads. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "during_run.h"

/* By the child, for us: its exit status may be taken by whoever waits for any child. */
struct cli_so_far_shared {
    atomic_int done; /* 1: saved; -1: not, and `f` says why */
    struct sl_failure f;
};

static volatile sig_atomic_t asked;

static void ask(int number)
{
    (void)number;
    asked = 1;
}

void cli_so_far_ask(void)
{
    asked = 1;
}

unsigned cli_so_far_saved(struct cli_so_far *s)
{
    return atomic_load(&s->saved);
}

void cli_so_far_start(struct cli_so_far *s, struct sl_session *session, const struct cli_options *o)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART}, old;
    *s = (struct cli_so_far){.session = session, .path = cli_database(o), .quiet = o->quiet};
    /* What whoever started us ignores, the guest ignores too. */
    if (!sigaction(SIGPROF, NULL, &old) && old.sa_handler != SIG_IGN)
        sigaction(SIGPROF, &action, NULL);
}

/* What comes for our parent, or for the whole group, does not end this. */
static void ignore_signals(void)
{
    static const int numbers[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGUSR1,
                                  SIGUSR2, SIGALRM, SIGTSTP, SIGPROF, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
}

static _Noreturn void save(struct cli_so_far *s)
{
    int error = sl_session_conclude(s->session, &s->shared->f);
    if (error >= 0)
        error = sl_session_save(s->session, s->path, &s->shared->f);
    atomic_store(&s->shared->done, error < 0 ? -1 : 1);
    _exit(error < 0);
}

static void complain(const char *why)
{
    sl_print_line(stderr, "sluice: what there is so far could not be saved: %s", why);
}

static void begin(struct cli_so_far *s)
{
    sigset_t all, before;
    asked = 0;
    if (!s->shared) {
        void *shared = mmap(NULL, sizeof *s->shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) {
            complain(strerror(errno));
            return;
        }
        s->shared = shared;
    }
    atomic_store(&s->shared->done, 0);
    sl_session_rest(s->session);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* none is to find a child with our handlers */
    pid_t pid = fork();
    if (pid == 0) {
        ignore_signals();
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        save(s);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        complain(strerror(error));
    else
        s->saver = pid;
}

/* Whether nobody is at work any more. */
static bool wait_for(struct cli_so_far *s, int flags)
{
    pid_t ended;
    while ((ended = waitpid(s->saver, NULL, flags)) < 0 && errno == EINTR)
        ;
    if (!ended)
        return false;
    s->saver = 0;
    int done = atomic_load(&s->shared->done);
    if (done > 0)
        atomic_fetch_add(&s->saved, 1);
    if (done < 0)
        complain(s->shared->f.text);
    else if (!done)
        complain("the process that was to do it has died");
    else if (!s->quiet)
        sl_print_line(stderr, "sluice: what there is so far is in %s", s->path);
    return true;
}

void cli_so_far_attend(struct cli_so_far *s)
{
    if ((!s->saver || wait_for(s, WNOHANG)) && asked)
        begin(s);
}

void cli_so_far_end(struct cli_so_far *s)
{
    if (s->saver)
        wait_for(s, 0);
    if (s->shared)
        munmap(s->shared, sizeof *s->shared);
    s->shared = NULL;
}
