/* SPDX-License-Identifier: MIT */
/* Command `sluice diff`: compares the databases of two runs, and prints which costs have increased
 * (regressions) or decreased (improvements). */
#include "cli.h"

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    struct sl_regression regression;
    if (argc - o->first_argument != 2)
        return cli_usage_error(
            command,
            "give two databases: first the database of the old run, then that of the new run");
    const char *before = argv[o->first_argument], *after = argv[o->first_argument + 1];
    struct sl_diff_config config = {.size = sizeof config,
                                    .format = o->format,
                                    .n = o->n,
                                    .width = cli_width(stdout),
                                    .symbols = o->symbols};
    if (sl_diff(before, after, &config, stdout, &regression, &f) < 0)
        return cli_error(&f);
    if (!(o->fail_above > 0) || regression.change <= o->fail_above)
        return 0;
    sl_print_line(stderr, "sluice: regression: +%.3g %% %s (limit %.3g %%)",
                  100 * regression.change, regression.metric, 100 * o->fail_above);
    return EXIT_REGRESSION;
}

const struct cli_command cli_diff = {
    .name = "diff",
    .summary = "Compares two runs and shows regressions and improvements",
    .usage = "[OPTIONS] BEFORE.db AFTER.db",
    .options = CLI_OPTIONS("format", "json", "number", "symbols", "fail-above"),
    .texts = CLI_TEXTS({"format", "text, json or html (default: text)"},
                       {"number", "number of rows to show per section"}),
    .examples =
        "  sluice run --repeatable -q -o after.db ./prog      only the code change alters counts\n"
        "  sluice diff before.db after.db\n"
        "  sluice diff --fail-above 0.5% before.db after.db || exit 1\n"
        "  sluice diff --json before.db after.db | jq '.parts[0].rows[0]'\n",
    .details = "Compares the profiles that both databases have (functions, lines, edges, paths, "
               "values) and\n"
               "the events of the CPU model; the largest change first. Code is matched by name and "
               "line, so\n"
               "the program may have been rebuilt. Exit status: 0; 1 if --fail-above is exceeded; "
               "2 wrong\n"
               "usage, or nothing in common; 125 if a database cannot be read.\n",
    .run = run,
};
