/* SPDX-License-Identifier: MIT */
/* Command `sluice merge`: adds up the profiles in the databases of several runs and writes the sums
 * to one database. */
#include "cli.h"

static void print_warning(void *context, const char *message)
{
    (void)context;
    sl_print_line(stderr, "sluice: %s", message);
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    if (o->first_argument == argc)
        return cli_usage_error(command, "no databases given");
    if (!o->output)
        return cli_usage_error(command, "no output file given: add -o FILE.db");
    const char *const *from = (const char *const *)argv + o->first_argument;
    return sl_merge(o->output, from, (size_t)(argc - o->first_argument), print_warning, NULL, &f) <
                   0
               ? cli_error(&f)
               : 0;
}

const struct cli_command cli_merge = {
    .name = "merge",
    .summary = "Adds up the profiles of several runs in one database",
    .usage = "-o ALL.db DATABASE...",
    .options = CLI_OPTIONS("output"),
    .texts = CLI_TEXTS({"output", "database to write"}),
    .examples =
        "  sluice merge -o all.db 1.db 2.db 3.db\n"
        "  sluice run --follow -p function -q -o make.db make; sluice merge -o all.db make.db\n",
    .details =
        "The databases can be runs of one program, a process tree (--follow), or parts of a test\n"
        "suite. Counts are added; bounds stay valid. Profiles that cannot be added, or that some\n"
        "databases do not have, are left out with a warning. Exit status: 0; 2 wrong usage, or no\n"
        "profile is left; 125 if a database cannot be read or written.\n",
    .run = run,
};
