/* SPDX-License-Identifier: MIT */
#include "cli.h"

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    double dearer;
    if (argc - o->first_argument != 2)
        return cli_usage_error(command, "give two databases, the one before and the one after");
    const char *before = argv[o->first_argument], *after = argv[o->first_argument + 1];
    struct sl_diff_config config = {
        .size = sizeof config, .format = o->format, .n = o->n, .width = cli_width(stdout)};
    if (sl_diff(before, after, &config, stdout, &dearer, &f) < 0)
        return cli_error(&f);
    if (!(o->fail_above > 0) || dearer <= o->fail_above)
        return 0;
    sl_print_line(stderr, "sluice: %s is dearer than %s by %.3g%%, more than %.3g%%", after, before,
                  100 * dearer, 100 * o->fail_above);
    return EXIT_DEARER;
}

const struct cli_command cli_diff = {
    .name = "diff",
    .summary = "Shows what became dearer or cheaper from one run to another",
    .usage = "[OPTIONS] BEFORE.db AFTER.db",
    .options = "format json number fail-above",
    .details =
        "Functions, lines, edges, paths, values and events of the machine, of the profiles that "
        "both\n"
        "have; that which explains most of the change first. Places are matched by name and line, "
        "so\n"
        "the program may have been built anew. Exit status: 0; 1 with --fail-above, if it is "
        "dearer by\n"
        "more than that; 2 wrong usage, or nothing in common; 125 if a database cannot be read.\n\n"
        "examples:\n"
        "  sluice run --repeatable -q -o after.db ./prog      counts that differ by nothing but "
        "the change\n"
        "  sluice diff before.db after.db\n"
        "  sluice diff --fail-above 0.5% before.db after.db || exit 1\n"
        "  sluice diff --json before.db after.db | jq '.parts[0].rows[0]'\n",
    .run = run,
};
