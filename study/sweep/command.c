/* SPDX-License-Identifier: MIT */
/* Runs an external command and captures its output in memory. */
#include "command.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"

extern char **environ;

/* Returns the file's content; NULL if out of memory. */
static char *all_of(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) ? 0 : ftell(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    rewind(file);
    if (text)
        text[fread(text, 1, (size_t)size, file)] = '\0';
    return text;
}

/* Uses files instead of pipes, so that neither side blocks. */
static int start(pid_t *child, const char *const *argv, FILE *in, FILE *out)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&files, fileno(in), STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, fileno(out), STDERR_FILENO);
    if (!error)
        error = posix_spawnp(child, argv[0], &files, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

int sl_command_run(struct sl_command *c, const char *const *argv, const char *input,
                   struct sl_failure *f)
{
    FILE *in = tmpfile(), *out = tmpfile();
    pid_t child;
    int status = 127 << 8, error = 0;
    *c = (struct sl_command){.status = 127};
    if (!in || !out || (input && fputs(input, in) < 0) || fflush(in)) {
        error = sl_fail_errno(f, SL_EIO, "cannot create a temporary file for %s", argv[0]);
    } else {
        rewind(in);
        error = start(&child, argv, in, out);
        while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        /* A command that was not found has status 127 and no output. */
        error = error && error != ENOENT
                    ? (errno = error, sl_fail_errno(f, SL_EIO, "cannot run %s", argv[0]))
                    : 0;
        if (!error && !(c->out = all_of(out)))
            error = sl_out_of_memory(f);
        c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return error;
}
