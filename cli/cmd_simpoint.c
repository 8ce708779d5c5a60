/* SPDX-License-Identifier: MIT */
/* Command `sluice simpoint`: selects short slices of a run that together represent the whole run,
 * with the SimPoint method. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

#define DIRECTORY "sluice-slices"

static bool is_trace(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && !strcmp(name + n - 4, ".slt");
}

static int cut(const char *trace, const struct cli_options *o)
{
    struct sl_failure f;
    const char *directory = o->output ? o->output : DIRECTORY;
    struct sl_simpoint_config config = {.size = sizeof config,
                                        .interval = o->interval,
                                        .length = o->length,
                                        .warm_up = o->warm_up,
                                        .clusters = o->clusters,
                                        .slices = o->slices};
    if (sl_simpoint(trace, directory, &config, &f) < 0)
        return cli_error(&f);
    if (!o->quiet)
        sl_print_line(stderr,
                      "sluice: slices are in %s; simulate them with: sluice replay -m ss4 %s",
                      directory, directory);
    return 0;
}

/* Records the whole run; the trace is removed when the slices are cut from it. */
static int record(struct sl_source *source, const char *trace, const struct cli_options *o)
{
    struct sl_failure f;
    struct cli_progress progress;
    cli_progress_start(&progress, o->quiet);
    int error = sl_record(source, trace, NULL, cli_progress_show, &progress, &f);
    cli_progress_end(&progress);
    int status = error < 0 ? cli_error(&f) : 0;
    sl_source_let_go(source);
    cli_release_guest();
    return status;
}

static int run_program(char **argv, const char *trace, const struct cli_options *o)
{
    struct sl_failure f;
    struct sl_source *source;
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv,
                             .needs = SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES,
                             .qemu = o->qemu,
                             .sysroot = o->sysroot,
                             .repeatable = o->repeatable};
    if (cli_start_guest(&source, &guest, &f) < 0)
        return cli_error(&f);
    sl_source_run_range(source, o->skip, o->limit);
    int status = record(source, trace, o);
    int wait_status = sl_source_status(source);
    sl_source_close(source);
    if (!status)
        status = cut(trace, o);
    unlink(trace);
    return status ? status : cli_exit_like(wait_status);
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    const char *directory = o->output ? o->output : DIRECTORY;
    char trace[4096];
    if (o->first_argument == argc)
        return cli_usage_error(command, "no program or trace given");
    if (o->first_argument == argc - 1 && is_trace(argv[o->first_argument]))
        return o->skip || o->limit
                   ? cli_usage_error(command, "--skip and --limit apply to a program, not to a "
                                              "trace: record this range with 'sluice record' first")
                   : cut(argv[o->first_argument], o);
    if (snprintf(trace, sizeof trace, "%s/whole.slt", directory) >= (int)sizeof trace)
        return cli_usage_error(
            command, "the name of the output directory is too long: give a shorter one with -o");
    /* If this fails, opening the trace reports the error. */
    mkdir(directory, 0777);
    return run_program(argv + o->first_argument, trace, o);
}

const struct cli_command cli_simpoint = {
    .name = "simpoint",
    .summary = "Selects short slices of a run that together represent the whole run",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS] | FILE.slt",
    .options = CLI_OPTIONS("output", "interval", "length", "warm-up", "clusters", "slices", "skip",
                           "limit", "repeatable", "qemu", "sysroot", "quiet"),
    .texts = CLI_TEXTS({"output", "directory to write the slices to (default: sluice-slices)"}),
    .examples = "  sluice simpoint -o slices ./prog\n"
                "  sluice replay -m ss4 slices\n"
                "  sluice simpoint --interval 1M --clusters 10 -o slices prog.slt\n",
    .details =
        "Divides the run into intervals, and finds clusters of intervals that execute the same\n"
        "blocks. Cuts slices from some intervals of each cluster, and gives each slice a weight. "
        "The\n"
        "trace of the slices also contains the accesses and branches that warm caches and "
        "predictors.\n"
        "'sluice replay -m' simulates the slices and estimates the statistics of the whole run.\n"
        "Exit status: that of the program, or 0 for a trace; 2 wrong usage; 125 sluice failed.\n",
    .run = run,
};
