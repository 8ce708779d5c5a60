/* Test program that starts another process: `children WAY`, where WAY selects how the process is
 * started, for example by fork. The parent computes, waits for the child, prints a line and exits
 * with status 5. A forked child process also computes, prints a line, and exits. */
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static unsigned table[256];

__attribute__((noinline)) static unsigned work(unsigned rounds)
{
    unsigned sum = 1;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned *slot = &table[(i * 7 + sum) % 256];
        *slot += i ^ table[sum % 256];
        sum = sum * 31 + *slot;
    }
    return sum;
}

static void say(const char *who, unsigned sum)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%s %u\n", who, sum);
    if (write(STDOUT_FILENO, line, (size_t)n) != n)
        _exit(1);
}

static void child(void)
{
    memset(table, 0, sizeof table);
    say("child", work(100000));
    _exit(0);
}

static void *child_of_thread(void *unused)
{
    pid_t pid = fork();
    if (pid == 0)
        child();
    waitpid(pid, NULL, 0);
    return unused;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    char *echo[] = {"echo", "child 0", NULL};
    char *none[] = {"none", NULL};
    pid_t pid = 0;
    unsigned sum = work(100000);
    memset(table, 0, sizeof table);
    if (!strcmp(way, "fork")) {
        for (int i = 0; i < 3; i++) {
            if ((pid = fork()) == 0)
                child();
            waitpid(pid, NULL, 0);
        }
    } else if (!strcmp(way, "vfork")) {
        if ((pid = vfork()) == 0) {
            execv("/bin/echo", echo);
            _exit(1);
        }
        waitpid(pid, NULL, 0);
    } else if (!strcmp(way, "spawn")) {
        if (posix_spawn(&pid, "/bin/echo", NULL, NULL, echo, environ) == 0)
            waitpid(pid, NULL, 0);
    } else if (!strcmp(way, "system")) {
        if (system("echo child 0; exit 3") != 3 << 8)
            return 1;
    } else if (!strcmp(way, "thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, child_of_thread, NULL);
        pthread_join(thread, NULL);
    } else if (!strcmp(way, "daemon")) {
        if (fork() == 0) {
            setsid();
            if (fork() != 0)
                _exit(0);
            child();
        }
        wait(NULL);
    } else if (!strcmp(way, "exec")) {
        execv("/bin/echo", echo);
    } else if (!strcmp(way, "noexec")) {
        execv("/nowhere/none", none);
    }
    say("parent", sum);
    return 5;
}
/* SPDX-License-Identifier: MIT */
