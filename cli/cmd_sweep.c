/* SPDX-License-Identifier: MIT */
/* Command `sluice sweep`: measures the storage and the error of many profiling tables on several
 * instruction streams, and shows the best tables (the Pareto front). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char *database_of(const struct cli_options *o)
{
    return o->output ? o->output : "sweep.db";
}

static int report(const char *path, const struct cli_options *o)
{
    struct sl_failure f;
    struct sl_sweep_report_config config = {.size = sizeof config,
                                            .format = o->format,
                                            .x = o->by.x,
                                            .y = o->by.y,
                                            .under = o->under,
                                            .all = o->all,
                                            .holes = o->holes,
                                            .n = o->n,
                                            .width = cli_width(stdout)};
    return sl_sweep_report(path, &config, stdout, &f) < 0 ? cli_error(&f) : 0;
}

static void show_progress(void *context, size_t done, size_t of)
{
    if (*(bool *)context)
        fprintf(stderr, "\r\033[K%zu of %zu%s", done, of, done == of ? "\r\033[K" : "");
}

/* Prints which percentage of the cores' time was useful work. Prints nothing if all results were
 * already in the database. */
static void print_effort(const struct sl_sweep_effort *e)
{
    if (!e->results || e->available <= 0)
        return;
    if (e->cores)
        fprintf(stderr, "%zu results in %.1f s: %.1f %% of the time of %u core%s was useful work\n",
                e->results, e->available / e->cores, 100 * e->useful / e->available, e->cores,
                e->cores == 1 ? "" : "s");
    else
        fprintf(stderr,
                "%zu results; all jobs together ran for %.1f s, of which %.1f %% was useful work\n",
                e->results, e->available, 100 * e->useful / e->available);
}

/* The results so far are shown even if some are missing. */
static int sweep(const struct cli_options *o, char **stream, size_t n)
{
    struct sl_failure f;
    struct sl_sweep_effort effort = {0};
    bool progress = !o->quiet && isatty(STDERR_FILENO);
    struct sl_sweep_config config = {
        .size = sizeof config,
        .spec = o->specs.word,
        .n_specs = o->specs.n,
        .machine = o->machine.first,
        .stream = (const char *const *)stream,
        .n_streams = n,
        .grid = o->grid,
        .allow_run = o->allow_run,
        .range = o->range,
        .only = o->only,
        .marked = o->marked,
        .skip = o->skip,
        .limit = o->limit,
        .error_executions = o->error_of.executions,
        .error_share = o->error_of.share,
        .error_covered = o->error_of.covered,
        .memory_bytes = o->memory_bytes,
        .threads = (unsigned)o->jobs,
        .on = o->on,
        .shard = o->shard,
        .minutes = o->minutes,
        .slurm = o->slurm,
        .progress = show_progress,
        .context = &progress,
        .effort = &effort,
    };
    int error = sl_sweep(database_of(o), &config, &f);
    int status = error < 0 ? cli_error(&f) : 0;
    if (!o->quiet && (error >= 0 || f.code == SL_EIO)) {
        print_effort(&effort);
        int shown = report(database_of(o), o);
        status = status ? status : shown;
    }
    return status;
}

static int work(const char *directory, const char *number)
{
    struct sl_failure f;
    return sl_sweep_work(directory, strtoull(number, NULL, 10), &f) < 0 ? cli_error(&f) : 0;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    char **argument = argv + o->first_argument;
    size_t n = (size_t)(argc - o->first_argument);
    if (n && !strcmp(argument[0], "report")) {
        if (n > 2 || (n == 2 && o->output))
            return cli_usage_error(command,
                                   "too many arguments: 'sluice sweep report' accepts one FILE");
        return report(n == 2 ? argument[1] : database_of(o), o);
    }
    if (n == 3 && !strcmp(argument[0], "work")) /* a job on a cluster */
        return work(argument[1], argument[2]);
    if (!n && !o->grid)
        return cli_usage_error(
            command, "no streams given: add traces, programs or synth:..., or --grid FILE");
    return sweep(o, argument, n);
}

const struct cli_command cli_sweep = {
    .name = "sweep",
    .summary = "Measures many table designs on streams and shows their Pareto front",
    .usage = "[OPTIONS] STREAM... | report [OPTIONS] [FILE]",
    .options = CLI_OPTIONS("profile", "machine", "grid", "allow-run", "output", "by", "under",
                           "all", "holes", "number", "format", "on", "shard", "minutes", "slurm",
                           "error-of", "skip", "limit", "range", "only", "marked", "memory", "jobs",
                           "quiet"),
    .texts = CLI_TEXTS({"output", "database of the results (default: sweep.db)"},
                       {"number", "number of rows to show"},
                       {"format", "text, csv, json or svg (default: text)"},
                       {"memory", "memory limit of tables (default: half of free RAM)"}),
    .examples =
        "  sluice sweep prog.slt                        Pareto front of a hundred common tables\n"
        "  sluice sweep -p 'value@multihash(tables={1,2,4,8},counters={1K,2K,4K})' *.slt\n"
        "  sluice sweep report --under 4K               the best table of at most 4 KB\n"
        "  sluice sweep report -f svg >front.svg\n",
    .details =
        "A STREAM is a trace, synth:..., or a program with its arguments as one argument. Braces "
        "in\n"
        "-p and -m are grids: {1,2,4}, {256K..2M}. Results are stored in one file (-o, default\n"
        "sweep.db); only missing ones are computed. Exit status: 0; 2 wrong usage; 125 if results\n"
        "are missing.\n",
    .run = run,
};
