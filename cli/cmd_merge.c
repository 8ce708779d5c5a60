/* SPDX-License-Identifier: MIT */
#include "cli.h"

static void say(void *context, const char *sentence)
{
    (void)context;
    sl_print_line(stderr, "sluice: %s", sentence);
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    if (o->first_argument == argc)
        return cli_usage_error(command, "give the databases");
    if (!o->output)
        return cli_usage_error(command, "give a name for the database of all: -o FILE.db");
    const char *const *from = (const char *const *)argv + o->first_argument;
    return sl_merge(o->output, from, (size_t)(argc - o->first_argument), say, NULL, &f) < 0
               ? cli_error(&f)
               : 0;
}

const struct cli_command cli_merge = {
    .name = "merge",
    .summary = "Makes one database of several runs",
    .usage = "-o ALL.db DATABASE...",
    .options = "output",
    .details =
        "Of runs of one program, of a program and all that it started (--follow), or of the shards "
        "of a\n"
        "test suite. Counts are added up, and bounds stay true. Profiles that cannot be added up, "
        "or that\n"
        "not all have, are left out, and it says why. Exit status: 0; 2 wrong usage, or nothing is "
        "left;\n"
        "125 if a database cannot be read or written.\n\n"
        "examples:\n"
        "  sluice merge -o all.db 1.db 2.db 3.db\n"
        "  sluice run --follow -p function -q -o make.db make; sluice merge -o all.db make.db\n",
    .run = run,
};
