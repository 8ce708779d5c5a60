/* SPDX-License-Identifier: MIT */
/* Runs external commands for `sluice lab`, for example scripts and gnuplot, and collects their
 * output.
 *
 * A command may be a script that starts other tools. If the process that performs a step is killed,
 * all of them have to end. A supervisor process between the two is notified of that by the kernel
 * (PR_SET_PDEATHSIG) and ends the process group of the command:
 *
 *     step's process  ─►  supervisor  ─►  command  ─►  tools
 *                                         └─ process group ─┘ */
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
#include "lab_internal.h"

#define QUOTED 400 /* bytes of a command's standard error that a failure shows */

const char *const lab_size_names[] = {
    [LAB_FULL] = "full",
    [LAB_QUICK] = "quick",
    [LAB_TINY] = "tiny",
};

enum lab_size lab_size_parse(const char *name)
{
    unsigned size = LAB_FULL;
    while (size < LAB_TINY && strcmp(lab_size_names[size], name))
        size++;
    return (enum lab_size)size;
}

#define GRACE_MS 5000 /* time between SIGTERM and SIGKILL */

static _Noreturn void execute(const char *const *argv, const char *directory, enum lab_size size,
                              int out, int err)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    /* Programs can see which signals are ignored, as after nohup or &. Figures must not depend on
     * that. */
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0 || (directory && chdir(directory)) ||
        setenv("SIZE", lab_size_names[size], 1))
        _exit(126);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

/* Ends all processes of a group: SIGTERM, then SIGKILL if they have not ended after GRACE_MS. */
static void end_group(pid_t leader)
{
    kill(-leader, SIGTERM); /* `sluice record` forwards it to its program */
    for (int left = GRACE_MS / 10; left && !kill(-leader, 0); left--) {
        waitpid(leader, NULL, WNOHANG);
        usleep(10000);
    }
    kill(-leader, SIGKILL);
}

/* Runs the command and exits with its status. Ends the command if `parent` dies. */
static _Noreturn void supervise(pid_t parent, const char *const *argv, const char *directory,
                                enum lab_size size, int out, int err)
{
    sigset_t awaited, before;
    int status;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t command = getppid() == parent ? fork() : -1;
    if (command == 0) {
        setpgid(0, 0);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execute(argv, directory, size, out, err);
    }
    if (command < 0)
        _exit(126);
    setpgid(command, command); /* also done by the child: either may run first */
    while (waitpid(command, &status, WNOHANG) != command)
        if (sigwaitinfo(&awaited, NULL) == SIGTERM) {
            end_group(command);
            _exit(128 + SIGTERM);
        }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static char *read_all(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) ? 0 : ftell(file);
    char *text = lab_check_alloc(malloc((size_t)size + 1));
    rewind(file);
    text[fread(text, 1, (size_t)size, file)] = '\0';
    fclose(file);
    return text;
}

struct lab_output lab_spawn(const char *const *argv, const char *directory, enum lab_size size)
{
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(stdout); /* else the child may print it again */
    pid_t self = getpid(), child = out && err ? fork() : -1;
    int status = 127 << 8;
    if (child == 0)
        supervise(self, argv, directory, size, fileno(out), fileno(err));
    if (child < 0)
        lab_die("cannot run %s: %s", argv[0], strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return (struct lab_output){read_all(out), read_all(err),
                               WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

int lab_output_failure(const char *const *argv, const struct lab_output *output,
                       struct sl_failure *f)
{
    if (output->status == 127 && !*output->err) /* a shell would print what it did not find */
        return sl_fail(f, SL_ENOTFOUND, "%s is not installed", argv[0]);
    size_t length = strlen(output->err);
    const char *end = output->err + (length > QUOTED ? length - QUOTED : 0);
    return sl_fail(f, SL_EIO, "%s%s%s failed with status %d%s%s", argv[0], argv[1] ? " " : "",
                   argv[1] ? argv[1] : "", output->status, *end ? ": " : "", end);
}

int lab_run_script(const struct lab_step *step, const char **argv, lab_parse_line *parse,
                   void *context, struct sl_job_results *results, struct sl_failure *f)
{
    char *script = sl_data_path(argv[1]);
    if (!script)
        return sl_fail(f, SL_EIO, "sluice's data file %s is missing: install sluice again",
                       argv[1]);
    argv[1] = script;
    struct lab_output output = lab_spawn(argv, step->scratch, step->lab->size);
    int error = output.status ? lab_output_failure(argv, &output, f) : 0;
    char *rest = output.out;
    for (char *line; error >= 0 && parse && (line = strsep(&rest, "\n"));)
        if (*line && !parse(context, line, results))
            error = sl_fail(f, SL_EFORMAT, "%s: unexpected output \"%s\"", script, line);
    free(output.out);
    free(output.err);
    free(script);
    return error;
}
