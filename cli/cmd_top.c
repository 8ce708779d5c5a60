/* SPDX-License-Identifier: MIT */
#include "cli.h"

/* As run does it, with somebody who looks on. */
static int top(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    static const char *const usual[] = {"block:instructions@multihash", "edge@multihash",
                                        "value@multihash"};
    o->live.screen = true;
    cli_usual_specs(o, usual, sizeof usual / sizeof *usual);
    return cli_run.run(command, o, argc, argv);
}

const struct cli_command cli_top = {
    .name = "top",
    .summary = "Shows what is hot in a program while it runs",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .options = "profile machine output number report range only marked start-at stretches skip "
               "limit memory keep jobs lossy follow repeatable qemu sysroot live quiet",
    .details = "A terminal shows, interval by interval, what is hot, what came and what went. What "
               "the program\n"
               "writes to the terminal is shown at the end, and then the report, as 'sluice run' "
               "does it. Keys: q\n"
               "ends the program, p takes the next profile, s another order, f freezes, w saves, d "
               "leaves, h helps.\n"
               "examples:\n"
               "  sluice top ./prog\n"
               "  sluice top -p 'edge@multihash(interval=10M)' -- redis-server\n",
    .run = top,
};
