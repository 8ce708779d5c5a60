/* SPDX-License-Identifier: MIT */
/* Saves a snapshot of the profile to the database, while the profiled program continues to run.
 *
 *     sluice  ... chunk, chunk, [request] rest, fork, chunk, chunk ... end: wait for child, save
 *     child                                      └─ conclude, save, _exit
 *
 * fork() gives the child a copy of the session, which it can finish and save; the session itself is
 * not changed. Neither the program nor its profile waits for the child. A snapshot does not contain
 * events that are not published yet: at most one slot of the ring per thread. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "during_run.h"

/* Result of the child. Its exit status is not used, because other code waits for any child. */
struct cli_snapshot_shared {
    atomic_int done; /* 1: saved; -1: failed with `f`; 0: not finished */
    struct sl_failure f;
};

static volatile sig_atomic_t requested;

static void request(int number)
{
    (void)number;
    requested = 1;
}

void cli_snapshot_request(void)
{
    requested = 1;
}

unsigned cli_snapshot_saved(struct cli_snapshot *s)
{
    return atomic_load(&s->saved);
}

void cli_snapshot_start(struct cli_snapshot *s, struct sl_session *session,
                        const struct cli_options *o)
{
    struct sigaction action = {.sa_handler = request, .sa_flags = SA_RESTART}, old;
    *s = (struct cli_snapshot){.session = session, .path = cli_database(o), .quiet = o->quiet};
    /* If it was ignored at the start, it stays ignored, for the guest too. */
    if (!sigaction(SIGPROF, NULL, &old) && old.sa_handler != SIG_IGN)
        sigaction(SIGPROF, &action, NULL);
}

/* Signals for the parent or for the process group do not end the child. */
static void ignore_signals(void)
{
    static const int numbers[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGUSR1,
                                  SIGUSR2, SIGALRM, SIGTSTP, SIGPROF, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
}

static _Noreturn void save_in_child(struct cli_snapshot *s)
{
    int error = sl_session_conclude(s->session, &s->shared->f);
    if (error >= 0)
        error = sl_session_save(s->session, s->path, &s->shared->f);
    atomic_store(&s->shared->done, error < 0 ? -1 : 1);
    _exit(error < 0);
}

static void print_error(const char *why)
{
    sl_print_line(stderr, "sluice: cannot save the profile so far: %s", why);
}

static void begin(struct cli_snapshot *s)
{
    sigset_t all, before;
    requested = 0;
    if (!s->shared) {
        void *shared = mmap(NULL, sizeof *s->shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) {
            print_error(strerror(errno));
            return;
        }
        s->shared = shared;
    }
    atomic_store(&s->shared->done, 0);
    sl_session_pause(s->session);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all,
                    &before); /* no signal may reach the child while it has our handlers */
    pid_t pid = fork();
    if (pid == 0) {
        ignore_signals();
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        save_in_child(s);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        print_error(strerror(error));
    else
        s->saver = pid;
}

/* True if the child has ended. */
static bool wait_for(struct cli_snapshot *s, int flags)
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
        print_error(s->shared->f.text);
    else if (!done)
        print_error("the saving process was killed");
    else if (!s->quiet)
        sl_print_line(stderr, "sluice: profile so far saved to %s", s->path);
    return true;
}

void cli_snapshot_poll(struct cli_snapshot *s)
{
    if ((!s->saver || wait_for(s, WNOHANG)) && requested)
        begin(s);
}

void cli_snapshot_end(struct cli_snapshot *s)
{
    if (s->saver)
        wait_for(s, 0);
    if (s->shared)
        munmap(s->shared, sizeof *s->shared);
    s->shared = NULL;
}
