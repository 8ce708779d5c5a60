/* SPDX-License-Identifier: MIT */
/* Unit tests of the external commands that sluice-lab runs: the exit status and the output of a
 * command are reported, and a command and all processes that it started end if the process that
 * waits for the command is killed. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab_internal.h"
#include "tap.h"

static struct lab_output shell(const char *script)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    return lab_spawn(argv, NULL, LAB_TINY);
}

static void endings(void)
{
    struct lab_output good = shell("echo out; echo err >&2; exit 3"),
                      killed = shell("kill -KILL $$");
    const char *none[] = {"/nowhere/tool", NULL};
    struct lab_output missing = lab_spawn(none, NULL, LAB_TINY);
    ok(good.status == 3 && !strcmp(good.out, "out\n") && !strcmp(good.err, "err\n"),
       "a command's status, and what it said");
    ok(killed.status == 128 + SIGKILL, "one that was killed");
    ok(missing.status == 127, "one that is not there");
    struct lab_output *all[] = {&good, &killed, &missing};
    for (unsigned i = 0; i < 3; i++) {
        free(all[i]->out);
        free(all[i]->err);
    }
}

/* Within two minutes, on however busy a machine. Orphans are our children. */
static bool ends(pid_t process)
{
    pid_t ended = 0;
    for (int i = 0; i < 12000 && (ended = waitpid(process, NULL, WNOHANG)) != process; i++)
        usleep(10000);
    return ended == process;
}

/* The command starts a tool, which writes its number into a pipe, and `end` is sent to the process
 * that waits. */
static void left_alone(int end, const char *name)
{
    char script[200];
    int ends_of_pipe[2], tool = 0;
    if (pipe(ends_of_pipe))
        exit(1);
    snprintf(script, sizeof script, "sleep 1000 & echo $! >&%d; wait", ends_of_pipe[1]);
    pid_t step = fork();
    if (!step) {
        shell(script);
        _exit(0);
    }
    close(ends_of_pipe[1]);
    FILE *in = fdopen(ends_of_pipe[0], "r");
    if (!in || fscanf(in, "%d", &tool) != 1)
        exit(1);
    bool ran = !kill(tool, 0);
    kill(step, end);
    waitpid(step, NULL, 0);
    ok(ran && ends(tool), "%s: tools of its command end", name);
    fclose(in);
}

int main(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    endings();
    left_alone(SIGKILL, "a step that is killed");
    left_alone(SIGTERM, "a step that is requested to end");
    return done_testing();
}
