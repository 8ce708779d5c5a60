/* SPDX-License-Identifier: MIT */
/* Signals that pass through us to the guest, and its stops and ends, which become ours.
 *
 *     to us                       to the guest
 *     TERM, INT, HUP, USR1 ...    the same, unless the terminal has sent it to both
 *     TSTP                        the same; it stops, or not
 *     CONT                        the same
 *     CHLD: the guest has stopped -> we stop, so that a shell sees a stopped job. (Not for others
 *           that have become our children, what a followed program leaves behind.)
 *
 * While we stop for the guest, a child of ours looks whether it still does: whoever sends it
 * SIGCONT need not know of us. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static struct sl_source *nobody;
static struct sl_source *volatile *volatile guest = &nobody;
static volatile pid_t watcher;
/* Of SIGINT and SIGTERM: how often we were told to end, when last, and by what. Some that tell us
 * do so twice at once (timeout: us, and then its process group). */
#define ONE_TELLING_MS 300
static volatile sig_atomic_t tellings, telling_number;
static volatile int64_t telling_ms;

/* The first is for the guest alone. The second ends us, with what we have; the third at once. */
static void told_to_end(int number)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t now_ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    if (tellings && now_ms - telling_ms < ONE_TELLING_MS)
        return;
    telling_ms = now_ms;
    telling_number = number;
    if (++tellings == 2)
        sl_source_stop(*guest);
    if (tellings > 2) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void forward(int number, siginfo_t *info, void *unused)
{
    int error = errno;
    (void)unused;
    /* From the terminal, the guest has got it too. */
    bool passes = info->si_code <= 0 && !(number == SIGCONT && info->si_pid == watcher);
    bool there = *guest && sl_source_signal(*guest, passes ? number : 0);
    if (there && (number == SIGINT || number == SIGTERM))
        told_to_end(number);
    if (!there && number != SIGCONT) { /* there is nobody to pass it on to: not yet, or no more */
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = error;
}

/* Waits until the guest stops no more, and lets `us` go on. */
static _Noreturn void watch(pid_t its, pid_t us)
{
    char name[32], line[512];
    struct timespec pause = {.tv_nsec = 20000000};
    snprintf(name, sizeof name, "/proc/%d/stat", its);
    for (bool stops = true; stops && getppid() == us; nanosleep(&pause, NULL)) {
        int file = open(name, O_RDONLY | O_CLOEXEC);
        ssize_t n = read(file, line, sizeof line - 1);
        line[n > 0 ? n : 0] = 0;
        const char *state = strrchr(line, ')'); /* "123 (name) T ..." */
        stops = state && state[1] && state[2] == 'T';
        close(file);
    }
    kill(us, SIGCONT);
    _exit(0);
}

/* Whether the guest has stopped since this was asked last. (Who has sent SIGCHLD does not say it:
 * of two at once only one comes.) */
static bool has_stopped(pid_t its)
{
    siginfo_t info = {0};
    return its > 0 && !waitid(P_PID, (id_t)its, &info, WSTOPPED | WNOHANG) && info.si_pid == its;
}

static void stop_along(int number)
{
    int error = errno;
    pid_t us = getpid(), its = *guest ? sl_source_process(*guest) : 0;
    (void)number;
    if (tellings < 2 && has_stopped(its)) { /* else it is we who stopped it */
        watcher = _Fork();
        if (watcher == 0)
            watch(its, us);
        kill(us, SIGSTOP);
        if (watcher > 0) {
            kill(watcher, SIGKILL);
            while (waitpid(watcher, NULL, 0) < 0 && errno == EINTR)
                ;
        }
    }
    errno = error;
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP, SIGUSR1,
                                  SIGUSR2, SIGALRM, SIGTSTP, SIGCONT};
    struct sigaction action = {.sa_handler = stop_along}, old;
    sigaction(SIGCHLD, &action, NULL);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = forward;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        /* What whoever started us ignores (nohup), the guest ignores too. */
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

int cli_start_guest(struct sl_source **source, const struct sl_guest *what, struct sl_failure *f)
{
    *source = NULL;
    guest = source;
    catch_signals();
    int error = sl_source_run(source, what, f);
    if (error < 0)
        cli_forget_guest();
    return error;
}

void cli_forget_guest(void)
{
    guest = &nobody;
}

bool cli_told_to_end(void)
{
    return tellings > 1;
}

int cli_end_like(int status)
{
    if (!status && tellings > 1) {
        sl_print_line(
            stderr, "sluice: told twice to end; if the program still runs, it does so unprofiled");
        status = telling_number;
    }
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    struct rlimit none = {0, 0};
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &none); /* a core of sluice would help nobody */
    signal(number, SIG_DFL);
    raise(number);
    return 128 + number;
}
