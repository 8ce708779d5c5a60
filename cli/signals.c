/* SPDX-License-Identifier: MIT */
/* Forwards signals to the profiled program (the guest), suspends sluice while the guest is
 * suspended (SIGTSTP, SIGSTOP), and ends sluice with the guest's exit status or, if a signal ended
 * the guest, by the same signal.
 *
 *     signal to sluice            action
 *     TERM, INT, HUP, USR1 ...    sent to the guest, unless the terminal has sent it to both
 *     TSTP                        sent to the guest, which may stop or not
 *     CONT                        sent to the guest
 *     CHLD, the guest stopped     sluice stops, so that the shell sees a stopped job (not for other
 *                                 children: orphans of a process tree)
 *
 * While sluice is stopped, a child process polls the guest and continues sluice when the guest
 * continues: SIGCONT may be sent to the guest only. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static struct sl_source *no_guest;
static struct sl_source *volatile *volatile guest = &no_guest;
static volatile pid_t watcher;
/* Number of SIGINT and SIGTERM, the last of them and its time. Two within 300 ms count as one:
 * timeout(1) signals its child and then the process group. */
#define ONE_REQUEST_MS 300
static atomic_int end_requests, end_signal; /* atomic: any thread may run the handler */
static _Atomic int64_t end_request_ms;

/* The first request is for the guest. The second ends the stream, and sluice saves the profile so
 * far; the third ends sluice at once. */
static void count_end_request(int number)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t now_ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    if (end_requests && now_ms - end_request_ms < ONE_REQUEST_MS)
        return;
    end_request_ms = now_ms;
    end_signal = number;
    if (++end_requests == 2)
        sl_source_stop(*guest);
    if (end_requests > 2) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void forward(int number, siginfo_t *info, void *unused)
{
    int error = errno;
    (void)unused;
    /* The terminal has sent it to the guest, too (si_code > 0). */
    bool forwards = info->si_code <= 0 && !(number == SIGCONT && info->si_pid == watcher);
    bool running = *guest && sl_source_signal(*guest, forwards ? number : 0);
    if (running && (number == SIGINT || number == SIGTERM))
        count_end_request(number);
    if (!running && number != SIGCONT) { /* the guest has not started or has ended */
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = error;
}

/* Waits until the guest is no longer stopped, then continues `own_pid`. */
static _Noreturn void watch(pid_t guest_pid, pid_t own_pid)
{
    char name[32], line[512];
    struct timespec pause = {.tv_nsec = 20000000};
    snprintf(name, sizeof name, "/proc/%d/stat", guest_pid);
    for (bool stopped = true; stopped && getppid() == own_pid; nanosleep(&pause, NULL)) {
        int file = open(name, O_RDONLY | O_CLOEXEC);
        ssize_t n = read(file, line, sizeof line - 1);
        line[n > 0 ? n : 0] = 0;
        const char *state = strrchr(line, ')'); /* "123 (name) T ..." */
        stopped = state && state[1] && state[2] == 'T';
        close(file);
    }
    kill(own_pid, SIGCONT);
    _exit(0);
}

/* True if the guest has stopped since the last call. (The sender of SIGCHLD does not show it: two
 * signals at once are delivered as one.) */
static bool has_stopped(pid_t guest_pid)
{
    siginfo_t info = {0};
    return guest_pid > 0 && !waitid(P_PID, (id_t)guest_pid, &info, WSTOPPED | WNOHANG) &&
           info.si_pid == guest_pid;
}

static void stop_with_guest(int number)
{
    int error = errno;
    pid_t own_pid = getpid(), guest_pid = *guest ? sl_source_process(*guest) : 0;
    (void)number;
    if (end_requests < 2 && has_stopped(guest_pid)) { /* else sluice has stopped it */
        watcher = _Fork();
        if (watcher == 0)
            watch(guest_pid, own_pid);
        kill(own_pid, SIGSTOP);
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
    struct sigaction action = {.sa_handler = stop_with_guest}, old;
    sigaction(SIGCHLD, &action, NULL);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = forward;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        /* Signals that were ignored at the start (nohup) stay ignored, for the guest too. */
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
        cli_release_guest();
    return error;
}

void cli_release_guest(void)
{
    guest = &no_guest;
}

bool cli_must_end(void)
{
    return end_requests > 1;
}

int cli_exit_like(int status)
{
    if (!status && end_requests > 1) {
        sl_print_line(stderr,
                      "sluice: second SIGINT or SIGTERM: sluice exits; if the program is still "
                      "running, it is no longer profiled");
        status = end_signal;
    }
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    struct rlimit none = {0, 0};
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &none); /* no core dump of sluice: the guest ended, not sluice */
    signal(number, SIG_DFL);
    raise(number);
    return 128 + number;
}
