/* SPDX-License-Identifier: MIT */
/* The options of all commands, in the order in which --help has them. */
#include "option_rows.h"

#include <string.h>

#define AT(field) offsetof(struct cli_options, field)

const struct cli_option_row cli_option_rows[] = {
    {'p', "profile", "SPEC", cli_parse_list, AT(specs),
     "profile to make, DETECTOR[:METRIC][@TABLE]; may be repeated"},
    {'m', "machine", "NAME[,K=V]", cli_parse_machine, AT(machine),
     "processor to model, any key overridden (sluice list machines)"},
    {0, "grid", "FILE", cli_parse_text, AT(grid),
     "more of a sweep: lines 'profile SPEC', 'machine NAME', 'stream TRACE'"},
    {0, "on", "PLACE", cli_parse_once, AT(on), "where it runs: local (default), slurm or gpu"},
    {0, "share", "N", cli_parse_number, AT(share), "points of a job on a cluster (default: 200)"},
    {0, "minutes", "N", cli_parse_number, AT(minutes),
     "of a job on a cluster, at first (default: 60)"},
    {0, "slurm", "WORDS", cli_parse_text, AT(slurm), "more for sbatch, as '-p long -A project'"},
    {'o', "output", "FILE", cli_parse_text, AT(output), "where the result goes"},
    {'n', "number", "N", cli_parse_number, AT(n),
     "entries to show of each profile; events to simulate (rtl)"},
    {0, "by", "X,Y", cli_parse_by, AT(by),
     "measures of the front (default: storage and the error)"},
    {0, "under", "X", cli_parse_under, AT(under),
     "also say which point is best with so much X, as 4K bytes"},
    {0, "all", NULL, cli_parse_flag, AT(all), "every point, not only the front"},
    {0, "holes", NULL, cli_parse_flag, AT(holes),
     "averages even where results are missing, of those that are there"},
    {0, "exact", NULL, cli_parse_flag, AT(exact),
     "keep the exact profile beside each table and report the error"},
    {0, "window", "N", cli_parse_number, AT(window),
     "instructions of a window of the dynamic overlap (default: 100M)"},
    {0, "every", "N", cli_parse_number, AT(every), "measure the error after each N events, too"},
    {0, "runs", "N", cli_parse_number, AT(runs),
     "repeat what takes a seed with N of them; how errors are spread"},
    {0, "error-of", "N,S%,C%", cli_parse_error_of, AT(error_of),
     "limits of what is in the error (default: 1000,10%,40%)"},
    {0, "below", "PERCENT", cli_parse_percent, AT(below),
     "the error to get below, and stay there (default: 5%)"},
    {0, "fail-above", "PERCENT", cli_parse_percent, AT(fail_above),
     "exit with status 1 if the run became dearer by more than that"},
    {'f', "format", "NAME", cli_parse_once, AT(format),
     "format of the report (sluice list formats)"},
    {0, "report", "FILE", cli_parse_once, AT(report), "the report goes there, whole or not at all"},
    {0, "object", "FILE", cli_parse_text, AT(object),
     "file that bolt, profgen, autofdo are about (default: the program)"},
    {0, "symbols", NULL, cli_parse_flag, AT(symbols),
     "functions as the linker has them, with what was inlined in them"},
    {0, "partition", "[FACTOR]", cli_parse_factor, AT(partition),
     "what to move to hardware, that much faster (default: 10)"},
    {0, "json", NULL, cli_parse_json, AT(format), "the report as JSON, on standard output"},
    {0, "range", "LO-HI|SYMBOL", cli_parse_once, AT(range),
     "only instructions at these addresses, or of this function"},
    {0, "only", "CLASS,...", cli_parse_text, AT(only),
     "only instructions of these classes: load, float, conditional, ..."},
    {0, "marked", NULL, cli_parse_flag, AT(marked),
     "only between SLUICE_BEGIN() and SLUICE_END() in the program"},
    {0, "start-at", "FUNCTION", cli_parse_once, AT(start_at),
     "count from where this function, as main, is first called"},
    {0, "stretches", "N[xBLOCKS]", cli_parse_stretches, AT(stretches),
     "watch loads in 1 of N stretches of a run (default: 1; 16 without -p)"},
    {0, "skip", "N", cli_parse_number, AT(skip), "leave out the first N instructions of the run"},
    {0, "limit", "N", cli_parse_limit, AT(limit),
     "end after N instructions; a program runs on, unprofiled"},
    {0, "interval", "N", cli_parse_limit, AT(interval),
     "of an interval: instructions (1/10000 of the run; convert: 10M)"},
    {0, "length", "N", cli_parse_limit, AT(length),
     "instructions of a slice (default: a tenth of an interval)"},
    {0, "warm-up", "N", cli_parse_limit, AT(warm_up),
     "instructions in detail in front of a slice (default: half a slice)"},
    {0, "clusters", "N", cli_parse_limit, AT(clusters),
     "kinds of intervals, at most (default: 20)"},
    {0, "slices", "N", cli_parse_limit, AT(slices),
     "slices, at most, or one of each kind (default: 1.9% of the run)"},
    {0, "memory", "SIZE", cli_parse_number, AT(memory_bytes),
     "for exact tables, as 4G (default: 2Gi or half of free; sweep: half)"},
    {0, "spill", "DIR", cli_parse_text, AT(spill),
     "values beyond that go to files there, instead of being dropped"},
    {0, "keep", "N|all", cli_parse_keep, AT(keep),
     "entries of each profile to save (default: 100000, all contexts)"},
    {0, "lossy", NULL, cli_parse_flag, AT(lossy),
     "drop events, and count them, rather than make the program wait"},
    {0, "follow", NULL, cli_parse_flag, AT(follow),
     "profile the processes that it starts, too (with an engine)"},
    {0, "repeatable", "[VARIABLE,...]", cli_parse_names, AT(repeatable),
     "fix processor, environment and layout: the same count each time"},
    {0, "process", "N", cli_parse_number, AT(process),
     "show one of the programs that were followed, by its number"},
    {0, "qemu", "FILE", cli_parse_text, AT(qemu),
     "emulator to use (default: the engine, or qemu-ARCH in PATH)"},
    {0, "sysroot", "DIR", cli_parse_text, AT(sysroot), "where a foreign program's libraries are"},
    {0, "program", "FILE", cli_parse_text, AT(program), "program whose functions it is for"},
    {'j', "jobs", "N", cli_parse_number, AT(jobs), "threads (default: as many as processors)"},
    {0, "level", "N", cli_parse_level, AT(level),
     "how hard to compress, from 1 (fast) to 19 (small) (default: 1)"},
    {0, "front", "rvfi[:N]", cli_parse_once, AT(front),
     "behind the retirement port of a core, N instructions a cycle"},
    {0, "stream", "FILE.slt", cli_parse_text, AT(stream),
     "events for the test bench: a trace, or synth:... (default: made up)"},
    {0, "live", "json[:TO]", cli_parse_live, AT(live),
     "a line for each interval as it ends, to a file or descriptor"},
    {'q', "quiet", NULL, cli_parse_flag, AT(quiet), "no progress and no report, only the result"},
    {'h', "help", NULL, cli_parse_flag, AT(help), "this help"},
    {0, NULL, NULL, NULL, 0, NULL},
};

bool cli_takes(const struct cli_command *command, const struct cli_option_row *row)
{
    size_t length = strlen(row->name);
    if (command->program) /* that has options of its own */
        return false;
    if (!strcmp(row->name, "help"))
        return true;
    for (const char *at = command->options; (at = strstr(at, row->name)); at += length)
        if ((at == command->options || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

void cli_print_help(const struct cli_command *command, FILE *out)
{
    fprintf(out, "usage: sluice %s %s\n\n%s.\n\n", command->name, command->usage, command->summary);
    for (const struct cli_option_row *row = cli_option_rows; row->name; row++) {
        char left[64];
        if (!cli_takes(command, row))
            continue;
        snprintf(left, sizeof left, "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
                 row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
                 !row->argument          ? ""
                 : *row->argument == '[' ? "[="
                                         : " ",
                 !row->argument ? "" : row->argument + (*row->argument == '['));
        fprintf(out, "  %-28s %s\n", left, row->help);
    }
    fprintf(out, "\n%s", command->details);
}
