/* SPDX-License-Identifier: MIT */
/* Commands that the lab runs.
 *
 * A command may be a script with tools of its own. Whoever does a step can be killed, and then all
 * of them have to end. So there is a process between, which hears of that:
 *
 *     a step's job  ─►  the one between  ─►  command  ─►  tools
 *                                            └── a process group ──┘  */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "lab_inside.h"

#define QUOTED 400 /* bytes of what a command said that a failure shows */

const char *const lab_size_names[] = {
    [LAB_FULL] = "full",
    [LAB_QUICK] = "quick",
    [LAB_TINY] = "tiny",
};

enum lab_size lab_size_called(const char *name)
{
    unsigned size = LAB_FULL;
    while (size < LAB_TINY && strcmp(lab_size_names[size], name))
        size++;
    return (enum lab_size)size;
}

#define GRACE_MS 5000 /* from being told to end to being killed */

static _Noreturn void become(const char *const *argv, const char *directory, enum lab_size size,
                             int out, int err)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    /* Programs look which signals are ignored, as by nohup or behind &: no figure depends on it. */
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0 || (directory && chdir(directory)) ||
        setenv("SIZE", lab_size_names[size], 1))
        _exit(126);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

/* Members of a group that was told to end do so, or are killed. */
static void end_group(pid_t leader)
{
    kill(-leader, SIGTERM); /* which `sluice record` hands on to its program */
    for (int left = GRACE_MS / 10; left && !kill(-leader, 0); left--) {
        waitpid(leader, NULL, WNOHANG);
        usleep(10000);
    }
    kill(-leader, SIGKILL);
}

/* Runs the command, ends as it does, and has it end if `parent` does. */
static _Noreturn void stand_between(pid_t parent, const char *const *argv, const char *directory,
                                    enum lab_size size, int out, int err)
{
    sigset_t told, before;
    int status;
    sigemptyset(&told);
    sigaddset(&told, SIGTERM);
    sigaddset(&told, SIGCHLD);
    sigprocmask(SIG_BLOCK, &told, &before);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t command = getppid() == parent ? fork() : -1;
    if (command == 0) {
        setpgid(0, 0);
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(argv, directory, size, out, err);
    }
    if (command < 0)
        _exit(126);
    setpgid(command, command); /* whoever of the two comes first */
    while (waitpid(command, &status, WNOHANG) != command)
        if (sigwaitinfo(&told, NULL) == SIGTERM) {
            end_group(command);
            _exit(128 + SIGTERM);
        }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static char *all_of(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) ? 0 : ftell(file);
    char *text = lab_got(malloc((size_t)size + 1));
    rewind(file);
    text[fread(text, 1, (size_t)size, file)] = '\0';
    fclose(file);
    return text;
}

struct lab_said lab_spawn(const char *const *argv, const char *directory, enum lab_size size)
{
    FILE *out = tmpfile(), *err = tmpfile();
    pid_t self = getpid(), child = out && err ? fork() : -1;
    int status = 127 << 8;
    if (child == 0)
        stand_between(self, argv, directory, size, fileno(out), fileno(err));
    if (child < 0)
        lab_die("%s cannot be run: %s", argv[0], strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return (struct lab_said){all_of(out), all_of(err),
                             WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

int lab_said_why(const char *const *argv, const struct lab_said *said, struct sl_failure *f)
{
    if (said->status == 127 && !*said->err) /* a shell would have said what it did not find */
        return sl_fail(f, SL_ENOTFOUND, "%s is not installed", argv[0]);
    size_t length = strlen(said->err);
    const char *end = said->err + (length > QUOTED ? length - QUOTED : 0);
    return sl_fail(f, SL_EIO, "%s%s%s failed with status %d%s%s", argv[0], argv[1] ? " " : "",
                   argv[1] ? argv[1] : "", said->status, *end ? ": " : "", end);
}

int lab_script(const struct lab_step *step, const char **argv, lab_take *take, void *context,
               struct sl_job_figures *results, struct sl_failure *f)
{
    char *script = sl_data_path(argv[1]);
    if (!script)
        return sl_fail(f, SL_EIO, "%s is not among the files that came with sluice", argv[1]);
    argv[1] = script;
    struct lab_said said = lab_spawn(argv, step->scratch, step->lab->size);
    int error = said.status ? lab_said_why(argv, &said, f) : 0;
    char *rest = said.out;
    for (char *line; error >= 0 && take && (line = strsep(&rest, "\n"));)
        if (*line && !take(context, line, results))
            error = sl_fail(f, SL_EFORMAT, "%s: \"%s\" is not what is wanted", script, line);
    free(said.out);
    free(said.err);
    free(script);
    return error;
}
