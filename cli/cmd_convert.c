/* SPDX-License-Identifier: MIT */
/* Command `sluice convert`: converts a trace to sluice's own trace format, to the format of the
 * simulator ChampSim, or to SimPoint's basic-block vectors. */
#include "cli.h"

static int convert(struct sl_source *source, const struct cli_options *o)
{
    struct sl_failure f;
    char note[256];
    struct sl_convert_config config = {
        .size = sizeof config, .format = o->format, .path = o->output, .interval = o->interval};
    if (sl_convert(source, &config, note, sizeof note, &f) < 0)
        return cli_error(&f);
    if (*note && !o->quiet)
        sl_print_line(stderr, "sluice: %s", note);
    return 0;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_source *source;
    struct sl_failure f;
    if (o->first_argument != argc - 1)
        return cli_usage_error(command, "give one trace");
    if (!o->format)
        return cli_usage_error(command, "no format given: add -f champsim, -f bb or -f slt");
    if (!o->output)
        return cli_usage_error(command, "no output file given: add -o FILE");
    if (sl_source_open(&source, argv[o->first_argument], &f) < 0)
        return cli_error(&f);
    sl_source_run_range(source, o->skip, o->limit);
    int status = convert(source, o);
    sl_source_close(source);
    return status;
}

const struct cli_command cli_convert = {
    .name = "convert",
    .summary = "Converts traces to and from the formats of other tools",
    .usage = "-f champsim|bb|slt -o FILE [OPTIONS] FILE.slt|champsim:FILE|perf:FILE",
    .options = CLI_OPTIONS("format", "output", "interval", "skip", "limit", "quiet"),
    .texts = CLI_TEXTS({"output", "file to write"},
                       {"format", "format to write: champsim, bb or slt"},
                       {"interval", "instructions per interval of bb (default: 10M)"}),
    .examples = "  sluice record -m rocket -p value -o prog.slt ./prog\n"
                "  sluice convert -f champsim -o prog.champsim prog.slt\n"
                "  sluice convert -f bb --interval 1M -o prog.bb prog.slt\n"
                "  sluice convert -f slt -o other.slt champsim:other.champsimtrace.xz\n",
    .details = "champsim: 64-byte records for the ChampSim simulator; load values, if the trace "
               "has them, go\n"
               "to FILE.values. bb: a line of block counts per interval, the input of SimPoint. "
               "slt: a trace\n"
               "of sluice. Input of other tools may be compressed with xz, gzip or zstd.\n"
               "Exit status: 0; 2 wrong usage; 125 if the input is damaged.\n",
    .run = run,
};
