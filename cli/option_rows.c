/* SPDX-License-Identifier: MIT */
/* Table of all command-line options, in the order in which --help prints them, and --help itself.
 */
#include "option_rows.h"

#include <string.h>

#define AT(field) offsetof(struct cli_options, field)
#define HELP_COLUMNS 69 /* of the help text: lines of --help have at most 100 columns */

const struct cli_option_row cli_option_rows[] = {
    {CLI_COMMON, 'p', "profile", "SPEC", cli_parse_list, AT(specs),
     "profile to make, as DETECTOR[:METRIC][@TABLE]; may be repeated"},
    {CLI_COMMON, 'm', "machine", "NAME[,K=V]", cli_parse_machine, AT(machine),
     "CPU model; K=V sets a parameter (all models: sluice list machines)"},
    {CLI_COMMON, 0, "grid", "FILE", cli_parse_text, AT(grid),
     "file with more profiles, CPU models and streams: lines 'profile SPEC', 'machine NAME' or "
     "'stream TRACE'"},
    {CLI_COMMON, 0, "allow-run", NULL, cli_parse_flag, AT(allow_run),
     "run the programs that the file of --grid names"},
    {CLI_COMMON, 'o', "output", "FILE", cli_parse_text, AT(output),
     "database to write (default: sluice.db)"},
    {CLI_COMMON, 'n', "number", "N", cli_parse_number, AT(n),
     "number of entries to show per profile"},
    {CLI_COMMON, 0, "front", "rvfi[:N]", cli_parse_once, AT(front),
     "add a front end for a core with RVFI that retires N instructions per cycle"},
    {CLI_COMMON, 0, "stream", "FILE.slt", cli_parse_text, AT(stream),
     "trace or synth:... with the test bench's events (default: synthetic)"},
    {CLI_COMMON, 0, "program", "FILE", cli_parse_text, AT(program),
     "program that defines the functions"},
    {CLI_COMMON, 0, "follow", NULL, cli_parse_flag, AT(follow),
     "also profile the processes that the program starts (needs the engine)"},
    {CLI_COMMON, 'h', "help", NULL, cli_parse_flag, AT(help), "show this help"},
    {CLI_SELECT, 0, "range", "LO-HI|SYMBOL", cli_parse_once, AT(range),
     "count only instructions at these addresses, or of this function"},
    {CLI_SELECT, 0, "only", "CLASS,...", cli_parse_text, AT(only),
     "count only these instruction classes: load, float, conditional, ..."},
    {CLI_SELECT, 0, "marked", NULL, cli_parse_flag, AT(marked),
     "count only between SLUICE_BEGIN() and SLUICE_END() in the program"},
    {CLI_SELECT, 0, "start-at", "FUNCTION", cli_parse_once, AT(start_at),
     "count from the first call of this function, for example main"},
    {CLI_SELECT, 0, "sample-loads", "N[xBLOCKS]", cli_parse_sample_loads, AT(load_sampling),
     "trace loads in 1 of N sampling windows (default 16; 1 with -p or -m)"},
    {CLI_SELECT, 0, "skip", "N", cli_parse_number, AT(skip),
     "do not count the first N instructions of the run"},
    {CLI_SELECT, 0, "limit", "N", cli_parse_limit, AT(limit),
     "stop counting after N instructions; the program continues"},
    {CLI_SELECT, 0, "process", "N", cli_parse_number, AT(process),
     "show only process number N of a run with --follow"},
    {CLI_SELECT, 0, "interval", "N", cli_parse_limit, AT(interval),
     "instructions per interval (default: 1/10000 of the run)"},
    {CLI_SELECT, 0, "length", "N", cli_parse_limit, AT(length),
     "instructions per slice (default: a tenth of an interval)"},
    {CLI_SELECT, 0, "warm-up", "N", cli_parse_limit, AT(warm_up),
     "instructions simulated before each slice (default: half a slice)"},
    {CLI_SELECT, 0, "clusters", "N", cli_parse_limit, AT(clusters),
     "maximum number of interval clusters (default: 20)"},
    {CLI_SELECT, 0, "slices", "N", cli_parse_limit, AT(slices),
     "maximum number of slices, at least one per cluster (default: as many as make up 1.9% of the "
     "run)"},
    {CLI_OUTPUT, 'f', "format", "NAME", cli_parse_once, AT(format),
     "report format (sluice list formats)"},
    {CLI_OUTPUT, 0, "report", "FILE", cli_parse_once, AT(report),
     "write the report to this file, completely or not at all"},
    {CLI_OUTPUT, 0, "json", NULL, cli_parse_json, AT(format), "print the report as JSON"},
    {CLI_OUTPUT, 0, "object", "FILE", cli_parse_text, AT(object),
     "profiled executable, for -f bolt, profgen, autofdo (default: PROGRAM)"},
    {CLI_OUTPUT, 0, "symbols", NULL, cli_parse_flag, AT(symbols),
     "show functions by linker symbol, with the code inlined in them"},
    {CLI_OUTPUT, 0, "own", "PATTERN,...", cli_parse_text, AT(own),
     "your programs, libraries or source files (default: not in /usr)"},
    {CLI_OUTPUT, 0, "source", "DIR", cli_parse_list, AT(sources),
     "also show source text of files in DIR; may be repeated"},
    {CLI_OUTPUT, 0, "no-source", NULL, cli_parse_flag, AT(no_source), "show no source text"},
    {CLI_OUTPUT, 0, "partition", "[FACTOR]", cli_parse_factor, AT(partition),
     "functions to move to hardware FACTOR times as fast (default: 10)"},
    {CLI_OUTPUT, 0, "by", "X,Y", cli_parse_by, AT(by),
     "two measures that define the Pareto front (default: storage,error)"},
    {CLI_OUTPUT, 0, "under", "X", cli_parse_under, AT(under),
     "also show the best point with at most X in the first measure of --by"},
    {CLI_OUTPUT, 0, "all", NULL, cli_parse_flag, AT(all),
     "show every point, not only the Pareto front"},
    {CLI_OUTPUT, 0, "holes", NULL, cli_parse_flag, AT(holes),
     "show averages over streams even if some results are missing"},
    {CLI_OUTPUT, 0, "fail-above", "PERCENT", cli_parse_percent, AT(fail_above),
     "exit with status 1 if instructions or cycles increased by more than PERCENT"},
    {CLI_OUTPUT, 0, "live", "json[:TO]", cli_parse_live, AT(live),
     "write a line of JSON per interval to a file or file descriptor"},
    {CLI_OUTPUT, 0, "keep", "N|all", cli_parse_keep, AT(keep),
     "entries to save per profile (default: 100000; contexts: all)"},
    {CLI_OUTPUT, 'q', "quiet", NULL, cli_parse_flag, AT(quiet), "print no progress and no report"},
    {CLI_ACCURACY, 0, "exact", NULL, cli_parse_flag, AT(exact),
     "also count all events exactly, and report the error of each table"},
    {CLI_ACCURACY, 0, "window", "N", cli_parse_number, AT(window),
     "instructions in each window of the dynamic overlap (default: 100M)"},
    {CLI_ACCURACY, 0, "every", "N", cli_parse_number, AT(every),
     "also measure the error after every N events"},
    {CLI_ACCURACY, 0, "runs", "N", cli_parse_number, AT(runs),
     "evaluate each table that has a random seed with N different seeds"},
    {CLI_ACCURACY, 0, "error-of", "N,S%,C%", cli_parse_error_of, AT(error_of),
     "compute the error from frequent tuples only (default: 1000,10%,40%)"},
    {CLI_ACCURACY, 0, "below", "PERCENT", cli_parse_percent, AT(below),
     "show after how many events the error stays at or below PERCENT (default: 5%)"},
    {CLI_RESOURCES, 0, "memory", "SIZE", cli_parse_number, AT(memory_bytes),
     "memory limit of tables (default: up to 2Gi)"},
    {CLI_RESOURCES, 0, "spill", "DIR", cli_parse_text, AT(spill),
     "write load values to files in DIR when --memory is used up"},
    {CLI_RESOURCES, 0, "lossy", NULL, cli_parse_flag, AT(lossy),
     "drop events while the ring buffer is full; the program does not wait"},
    {CLI_RESOURCES, 'j', "jobs", "N", cli_parse_number, AT(jobs), "threads (default: one per CPU)"},
    {CLI_RESOURCES, 0, "level", "N", cli_parse_level, AT(level),
     "compression level, from 1 (fast) to 19 (small) (default: 1)"},
    {CLI_RESOURCES, 0, "on", "PLACE", cli_parse_once, AT(on),
     "where to run the sweep: local (default), slurm or gpu"},
    {CLI_RESOURCES, 0, "shard", "N", cli_parse_number, AT(shard),
     "points of the sweep per job on a cluster (default: 200)"},
    {CLI_RESOURCES, 0, "minutes", "N", cli_parse_number, AT(minutes),
     "initial time limit of a job on a cluster, in minutes (default: 60)"},
    {CLI_RESOURCES, 0, "slurm", "WORDS", cli_parse_text, AT(slurm),
     "further options for sbatch, for example '-p long -A project'"},
    {CLI_RESOURCES, 0, "repeatable", "[VARIABLE,...]", cli_parse_names, AT(repeatable),
     "make counts repeatable: fixed emulated CPU, environment, addresses"},
    {CLI_RESOURCES, 0, "qemu", "FILE", cli_parse_text, AT(qemu),
     "emulator to use (default: the engine, or qemu-ARCH in PATH)"},
    {CLI_RESOURCES, 0, "sysroot", "DIR", cli_parse_text, AT(sysroot),
     "directory with the libraries of a program for another architecture"},
    {0, 0, NULL, NULL, NULL, 0, NULL},
};

bool cli_accepts(const struct cli_command *command, const struct cli_option_row *row)
{
    if (command->program) /* an own program parses its options itself */
        return false;
    if (!strcmp(row->name, "help"))
        return true;
    for (const char *const *name = command->options; *name; name++)
        if (!strcmp(*name, row->name))
            return true;
    return false;
}

const char *cli_option_text(const struct cli_command *command, const struct cli_option_row *row)
{
    for (const struct cli_option_text *t = command->texts; t && t->option; t++)
        if (!strcmp(t->option, row->name))
            return t->text;
    return row->help;
}

/* Prints one option; a long help text continues in a second line. */
static void print_option(const char *left, const char *help, FILE *out)
{
    int n = (int)strlen(help);
    if (n > HELP_COLUMNS)
        for (n = HELP_COLUMNS; n && help[n] != ' ';)
            n--;
    fprintf(out, "  %-28s %.*s\n", left, n, help);
    if (help[n])
        fprintf(out, "  %-28s%s\n", "", help + n);
}

static void print_row(const struct cli_command *command, const struct cli_option_row *row,
                      FILE *out)
{
    char left[64];
    snprintf(left, sizeof left, "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
             row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
             !row->argument          ? ""
             : *row->argument == '[' ? "[="
                                     : " ",
             !row->argument ? "" : row->argument + (*row->argument == '['));
    print_option(left, cli_option_text(command, row), out);
}

void cli_print_help(const struct cli_command *command, FILE *out)
{
    static const char *const headings[] = {[CLI_COMMON] = "common options",
                                           [CLI_SELECT] = "selection",
                                           [CLI_OUTPUT] = "output",
                                           [CLI_ACCURACY] = "tables and accuracy",
                                           [CLI_RESOURCES] = "resources"};
    const char *heading = NULL;
    fprintf(out, "usage: sluice %s %s\n\nexamples:\n%s\n%s.\n%s\n", command->name, command->usage,
            command->examples, command->summary, command->details ? command->details : "");
    for (const struct cli_option_row *row = cli_option_rows; row->name; row++) {
        if (!cli_accepts(command, row))
            continue;
        if (heading != headings[row->group])
            fprintf(out, "%s:\n", heading = headings[row->group]);
        print_row(command, row, out);
    }
}
