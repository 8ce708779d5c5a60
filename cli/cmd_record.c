/* SPDX-License-Identifier: MIT */
/* Command `sluice record`: runs a program and records its instruction stream in a trace file. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

/* Opens a named pipe before the program starts, as a shell does. open() waits for a reader; if
 * sluice is ended during that time, no guest has to be ended with it. */
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
    cli_release_guest();
    return status;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (o->first_argument == argc)
        return cli_usage_error(command, "no program given");
    if (!o->output)
        return cli_usage_error(command, "no output file given: add -o FILE.slt");
    if (sl_can_record(o->output, &f) < 0)
        return cli_error(&f);
    /* This session never runs; it determines which data its profiles need in the trace. */
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
    return status ? status : cli_exit_like(wait_status);
}

const struct cli_command cli_record = {
    .name = "record",
    .summary = "Records a program's instruction stream in a trace file",
    .usage = "-o FILE.slt [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .options = CLI_OPTIONS("output", "profile", "machine", "skip", "limit", "level", "jobs",
                           "lossy", "repeatable", "qemu", "sysroot", "quiet"),
    .texts = CLI_TEXTS(
        {"output", "trace to write"},
        {"profile", "record only what this profile needs, as DETECTOR[:METRIC]; may be repeated"},
        {"jobs", "threads that compress the trace (default: one less than CPUs)"},
        {"machine", "also record the addresses of loads and stores, which CPU models need"}),
    .examples = "  sluice record -o prog.slt ./prog\n"
                "  sluice record -p edge -o small.slt ./prog    no load values: much smaller\n"
                "  sluice record -m rocket -p function -o prog.slt ./prog\n"
                "  sluice replay prog.slt\n",
    .details =
        "With -p, records only the data that these profiles need; without -p, every block and the\n"
        "value of every load. With -m (any CPU model), also the address of every load and store.\n"
        "docs/trace-format.md describes the file.\n",
    .run = run,
};
