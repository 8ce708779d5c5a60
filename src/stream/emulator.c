/* SPDX-License-Identifier: MIT */
/* Starts a program under QEMU: builds QEMU's arguments, forks, and disables address-space
 * randomization (emulator.h). If exec fails, the child process reports the error through a pipe. */
#include "emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"

/* The argument that passes the ring. In a plugin's options, QEMU reads "," as a separator and ",,"
 * as a comma. */
static char *ring_argument(const struct sl_engine *engine, int ring_fd)
{
    const char *tap = engine->plugin ? engine->plugin : "";
    char *argument = malloc(2 * strlen(tap) + 32);
    if (!argument)
        return NULL;
    char *out = argument;
    if (engine->plugin)
        out = stpcpy(out, "file=");
    for (; *tap; tap++) {
        *out++ = *tap;
        if (*tap == ',')
            *out++ = ',';
    }
    sprintf(out, engine->plugin ? ",ring=%d" : "%d", ring_fd);
    return argument;
}

/* Directory of the guest's loader and libraries; NULL: they are at their own paths. */
static const char *sysroot_of(const struct sl_guest *guest, const struct sl_executable *executable)
{
    if (guest->sysroot || getenv("QEMU_LD_PREFIX")) /* not in a fixed environment */
        return guest->sysroot || !guest->repeatable ? guest->sysroot : getenv("QEMU_LD_PREFIX");
    if (!executable->interpreter || !access(executable->interpreter, R_OK))
        return NULL;
    return sl_targets[executable->arch].sysroot;
}

static char **arguments(const struct sl_engine *engine, char *ring, const struct sl_guest *guest,
                        const struct sl_executable *executable)
{
    size_t n = 0, at = 0;
    while (executable->argv[n])
        n++;
    char **argv = calloc(n + 14 + SL_REPEATABLE_ARGUMENTS, sizeof *argv);
    if (!argv)
        return NULL;
    argv[at++] = engine->path;
    argv[at++] = engine->plugin ? "-plugin" : "-sluice";
    argv[at++] = ring;
    argv[at++] = "-seed";
    argv[at++] = "1";
    if (guest->follow) {
        argv[at++] = "-sluice-follow";
        argv[at++] = (char *)guest->follow;
    }
    const char *sysroot = sysroot_of(guest, executable);
    if (sysroot) {
        argv[at++] = "-L";
        argv[at++] = (char *)sysroot;
    }
    if (guest->repeatable) {
        sl_repeatable_arguments(executable->arch, argv + at);
        at += SL_REPEATABLE_ARGUMENTS;
    }
    argv[at++] = "-0";
    argv[at++] = executable->argv[0];
    argv[at++] = executable->path;
    memcpy(argv + at, executable->argv + 1, n * sizeof *argv);
    return argv;
}

struct start {
    const char *qemu;
    char **argv, **environment;
    int ring_fd;
    bool repeatable, output_to_error;
};

/* Replaces this process by the guest. Returns only if that fails. */
static void become_guest(const struct start *how)
{
    int old = personality(0xffffffff);
    if (old >= 0)
        personality((unsigned long)old | ADDR_NO_RANDOMIZE);
    struct rlimit stack; /* that of threads has this size, and the address layout depends on it */
    if (how->repeatable && !getrlimit(RLIMIT_STACK, &stack)) {
        stack.rlim_cur = SL_REPEATABLE_STACK < stack.rlim_max ? SL_REPEATABLE_STACK
                                                              : stack.rlim_max;
        setrlimit(RLIMIT_STACK, &stack);
    }
    if (how->output_to_error)
        dup2(STDERR_FILENO, STDOUT_FILENO); /* without standard error, it stays */
    fcntl(how->ring_fd, F_SETFD, 0);
    execve(how->qemu, how->argv, how->environment);
}

static int start(pid_t *pid, const struct start *how, struct sl_failure *f)
{
    int ends[2], error = 0;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot make a pipe");
    /* Signal handlers must not run between fork() and the store of the pid. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child > 0)
        *pid = child;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child == 0) {
        become_guest(how);
        error = errno;
        _exit(write(ends[1], &error, sizeof error) < 0 ? 126 : 127);
    }
    close(ends[1]);
    ssize_t n = child < 0 ? 0 : TEMP_FAILURE_RETRY(read(ends[0], &error, sizeof error));
    close(ends[0]);
    if (child < 0)
        return sl_fail_errno(f, SL_EIO, "cannot start a process");
    if (n == sizeof error) {
        TEMP_FAILURE_RETRY(waitpid(child, NULL, 0));
        errno = error;
        return sl_fail_errno(f, SL_EUNSUPPORTED, "cannot run the emulator %s", how->qemu);
    }
    return 0;
}

/* Closes all descriptors: another process may wait until the guest's pipes are closed. */
static void detach(void)
{
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    for (int fd = 0; fd <= 2; fd++)
        dup2(nothing, fd);
    close_range(3, ~0u, 0);
}

void sl_emulator_join(int32_t *reader)
{
    pid_t child = fork();
    if (child > 0)
        *reader = child;
    if (child != 0)
        _exit(child < 0);
    detach();
}

/* This process becomes the guest. Returns in a grandchild, so that the guest has no child that it
 * did not start. */
static int become_guest_in_place(pid_t *pid, const struct start *how, int32_t *reader,
                                 struct sl_failure *f)
{
    *pid = getpid();
    pid_t between = fork();
    if (between < 0)
        return sl_fail_errno(f, SL_EIO, "cannot start a process");
    if (between == 0) {
        sl_emulator_join(reader);
        return 0;
    }
    int status = 0;
    TEMP_FAILURE_RETRY(waitpid(between, &status, 0));
    if (status)
        return sl_fail(f, SL_EIO, "cannot start a process");
    become_guest(how);
    return sl_fail_errno(f, SL_EUNSUPPORTED, "cannot run the emulator %s", how->qemu);
}

int sl_emulator_start(pid_t *pid, enum sl_tap *tap, const char **warning,
                      const struct sl_guest *guest, const struct sl_executable *executable,
                      int ring_fd, int32_t *reader, struct sl_failure *f)
{
    struct sl_engine engine;
    int status = sl_engine_choose(&engine, guest, executable->arch, f);
    if (status < 0)
        return status;
    char *ring = ring_argument(&engine, ring_fd);
    char **argv = ring ? arguments(&engine, ring, guest, executable) : NULL;
    char **fixed = guest->repeatable ? sl_repeatable_environment(guest, executable) : NULL;
    const struct start how = {engine.path,
                              argv,
                              guest->repeatable ? fixed : environ,
                              ring_fd,
                              guest->repeatable,
                              guest->output_to_error};
    if (!argv || !how.environment)
        status = sl_out_of_memory(f);
    else if (guest->follow && engine.plugin)
        status = sl_fail(
            f, SL_EUNSUPPORTED,
            "following other processes needs sluice's engine, but %s is an ordinary QEMU: "
            "run 'make engine' in sluice's source directory",
            engine.path);
    else if (guest->in_place)
        status = become_guest_in_place(pid, &how, reader, f);
    else
        status = start(pid, &how, f);
    *tap = engine.plugin ? SL_TAP_PLUGIN : SL_TAP_ENGINE;
    *warning = engine.warning;
    sl_repeatable_free(fixed);
    free(argv);
    free(ring);
    sl_engine_free(&engine);
    return status;
}
