/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

/* A named pipe is opened before there is a program, as a shell would do it: to open it is to wait
 * for a reader, and who ends us meanwhile ends nobody else. */
static int open_pipe(const char *path, int *fd, struct sl_failure *f)
{
    struct stat status;
    *fd = 0;
    if (stat(path, &status) || !S_ISFIFO(status.st_mode))
        return 0;
    *fd = open(path, O_WRONLY | O_CLOEXEC);
    if (*fd >= 0)
        return 0;
    *f = (struct sl_failure){.code = SL_EIO};
    snprintf(f->text, sizeof f->text, "cannot write to %s: %s", path, strerror(errno));
    return SL_EIO;
}

static int record_source(struct sl_source *source, const struct cli_options *o, int fd)
{
    struct sl_failure f;
    struct cli_progress progress;
    cli_progress_start(&progress, o->quiet);
    struct sl_recording how = {.size = sizeof how,
                               .level = (unsigned)o->level,
                               .threads = o->jobs < UINT_MAX ? (unsigned)o->jobs : UINT_MAX,
                               .fd = fd};
    int error = sl_record(source, o->output, &how, cli_progress_show, &progress, &f);
    cli_progress_end(&progress);
    int status = error < 0 ? cli_error(&f) : 0;
    sl_source_let_go(source);
    cli_forget_guest();
    return status;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (o->first_argument == argc)
        return cli_usage_error(command, "which program?");
    if (!o->output)
        return cli_usage_error(command, "give a name for the trace: -o FILE.slt");
    if (sl_can_record(o->output, &f) < 0)
        return cli_error(&f);
    /* The session is never run: it knows what its profiles need to be recorded. */
    if (cli_open_session(&session, o, &f) < 0)
        return cli_error(&f);
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv + o->first_argument,
                             .needs = sl_session_needs(session),
                             .lossy = o->lossy,
                             .qemu = o->qemu,
                             .sysroot = o->sysroot,
                             .repeatable = o->repeatable};
    sl_session_close(session);
    int fd;
    if (open_pipe(o->output, &fd, &f) < 0)
        return cli_error(&f);
    if (cli_start_guest(&source, &guest, &f) < 0)
        return cli_error(&f);
    sl_source_run_range(source, o->skip, o->limit);
    int status = record_source(source, o, fd);
    int wait_status = sl_source_status(source);
    sl_source_close(source);
    return status ? status : cli_end_like(wait_status);
}

const struct cli_command cli_record = {
    .name = "record",
    .summary = "Keeps a program's event stream in a file",
    .usage = "-o FILE.slt [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .options = "output profile machine skip limit level jobs lossy repeatable qemu sysroot quiet",
    .details =
        "With -p, only what these profiles need is kept; without, what 'sluice run' needs:\n"
        "every block and the value of every load. With -m also what a machine needs, whichever:\n"
        "the address of every load and store. docs/trace-format.md describes the file.\n\n"
        "examples:\n"
        "  sluice record -o prog.slt ./prog\n"
        "  sluice record -p edge -o small.slt ./prog    no values: much smaller\n"
        "  sluice record -m rocket -p function -o prog.slt ./prog\n"
        "  sluice replay prog.slt\n",
    .run = run,
};
