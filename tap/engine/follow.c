/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements --follow in the engine: programs and child processes that the guest starts are
 * profiled, too.
 *
 * When the guest executes a program, the engine executes sluice instead, in the same process.
 * sluice makes a ring, starts a reader process, and becomes the engine for that program. So the
 * process keeps its process id, its parent and its files.
 *
 * DIRECTORY is sluice's directory of the process tree, RUN the name of this process's run in it.
 * DIRECTORY/sluice is the program to execute, with one of these arguments:
 *
 *     sluice followed DIRECTORY/RUN PROGRAM ARGUMENT...
 *         ARGUMENT... are the program's arguments, its name first
 *     sluice forked DIRECTORY/RUN DESCRIPTOR PROCESS
 *         for the child of a fork: makes a ring in the file of DESCRIPTOR, starts a reader, exits
 */
#include "qemu/osdep.h"

#include <elf.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "hooks.h"
#include "writer.h"

static const char *run, *directory, *sluice;

void sluice_follows(const char *given_run)
{
    run = g_strdup(given_run);
    directory = g_path_get_dirname(run);
    sluice = g_strdup_printf("%s/sluice", directory);
    writer_copy_records();
}

/* True if the program would get other rights than this process has (setuid, setgid, capabilities).
 * sluice is an ordinary program and cannot give them, so the program is not followed. */
static bool changes_rights(const char *path, const struct stat *info)
{
    return (info->st_mode & S_ISUID && info->st_uid != geteuid()) ||
           (info->st_mode & S_ISGID && info->st_gid != getegid()) ||
           (geteuid() && getxattr(path, "security.capability", NULL, 0) > 0);
}

/* True if the file is executable and an ELF program or a script. For all other files the guest's
 * exec goes to the system, with the usual error. */
static bool can_follow(const char *path)
{
    unsigned char head[SELFMAG];
    struct stat info;
    bool known = false;
    if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 || stat(path, &info) < 0 ||
        !S_ISREG(info.st_mode) || changes_rights(path, &info)) {
        return false;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        known = read(fd, head, sizeof head) == sizeof head &&
                (!memcmp(head, ELFMAG, SELFMAG) || !memcmp(head, "#!", 2));
        close(fd);
    }
    return known;
}

/* False if the guest has changed its root directory or user and can no longer execute sluice. */
static bool can_start_sluice(void)
{
    return !faccessat(AT_FDCWD, sluice, X_OK, AT_EACCESS);
}

/* A path that still names the program after the exec of sluice. Descriptors may be closed then, so
 * paths through /proc or /dev/fd are resolved. NULL: the file has no path. */
static char *lasting_name(int at, const char *path)
{
    g_autofree char *whole = at == AT_FDCWD || *path == '/'
                                 ? g_strdup(path)
                                 : g_strdup_printf("/proc/self/fd/%d%s%s", at, *path ? "/" : "",
                                                   path);
    if (g_str_has_prefix(whole, "/proc/") || g_str_has_prefix(whole, "/dev/fd/")) {
        char *own = realpath(whole, NULL), *copy = g_strdup(own);
        free(own);
        return copy;
    }
    return g_steal_pointer(&whole);
}

char **sluice_followed(int at, const char **path, char **argv)
{
    size_t n = 0;
    char **longer, *whole;
    if (!run || !argv[0] || !can_start_sluice()) {
        return NULL;
    }
    whole = lasting_name(at, *path);
    if (!whole || !can_follow(whole)) {
        g_free(whole);
        return NULL;
    }
    while (argv[n]) {
        n++;
    }
    longer = g_new0(char *, n + 5);
    longer[0] = (char *)"sluice";
    longer[1] = (char *)"followed";
    longer[2] = (char *)run;
    longer[3] = whole;
    memcpy(longer + 4, argv, n * sizeof *argv);
    *path = sluice;
    return longer;
}

void sluice_not_followed(char **argv)
{
    if (argv) {
        g_free(argv[3]);
        g_free(argv);
    }
}

/* ---- children of fork ---- */

#define STARTER_STACK 65536

static int become_reader(void *argv)
{
    execv(sluice, argv);
    _exit(127);
}

/* Runs sluice and waits for it. The clone has no exit signal, so the guest gets no SIGCHLD for it.
 * Signals are blocked until sluice ends, and sluice starts with them blocked. */
static bool run_sluice(char **argv)
{
    sigset_t all, before;
    int status = -1;
    void *stack = mmap(NULL, STARTER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                       0);
    if (stack == MAP_FAILED) {
        return false;
    }
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = clone(become_reader, (char *)stack + STARTER_STACK, CLONE_VM | CLONE_VFORK, argv);
    while (pid > 0 && waitpid(pid, &status, __WALL) < 0 && errno == EINTR) {
        status = -1;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STARTER_STACK);
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int sluice_fork_followed(void)
{
    char descriptor[16], pid[16];
    char *argv[] = {(char *)"sluice", (char *)"forked", (char *)run, descriptor, pid, NULL};
    if (!run || !can_start_sluice()) {
        return -1;
    }
    int fd = memfd_create("sluice-ring", 0);
    snprintf(descriptor, sizeof descriptor, "%d", fd);
    snprintf(pid, sizeof pid, "%d", getpid());
    if (fd >= 0 && !run_sluice(argv)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void sluice_fork_set_run(uint32_t index)
{
    run = g_strdup_printf("%s/%d-%u", directory, getpid(), index);
}
