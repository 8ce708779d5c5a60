/* SPDX-License-Identifier: MIT */
/* Command `sluice top`: runs a program and shows on the terminal, while the program runs, which of
 * its functions, branches or load values are hot. */
#include "cli.h"

/* The same as run, with a terminal that shows the intervals. */
static int top(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    static const char *const defaults[] = {"context", "block:instructions@multihash",
                                           "edge@multihash", "value@multihash", "path@multihash"};
    o->live.screen = true;
    /* As in `run`, a sample of the load values is enough for the default profiles. */
    if (!o->specs.n && !o->machine.first && !o->load_sampling.of)
        o->load_sampling = (struct sl_load_sampling){16, CLI_WINDOW_BLOCKS};
    cli_default_specs(o, defaults, sizeof defaults / sizeof *defaults);
    return cli_run.run(command, o, argc, argv);
}

const struct cli_command cli_top = {
    .name = "top",
    .summary = "Shows the hot spots of a program while it runs",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .options = CLI_OPTIONS("profile", "machine", "output", "number", "report", "range", "only",
                           "marked", "start-at", "sample-loads", "skip", "limit", "memory", "keep",
                           "jobs", "lossy", "follow", "repeatable", "qemu", "sysroot", "live",
                           "quiet"),
    .examples = "  sluice top ./prog\n"
                "  sluice top -p context -p 'edge@multihash(interval=10M)' -- redis-server\n",
    .details =
        "Shows the functions of each second, and the blocks, edges, values and paths that are "
        "new, still hot\n"
        "or gone. Output of the program to the terminal is shown at the end, followed by the "
        "report of\n"
        "'sluice run'. Keys: 1 to 5 choose what is shown, s sorts, f freezes, w saves, q "
        "ends the program,\n"
        "d detaches, h shows all keys.\n",
    .run = top,
};
