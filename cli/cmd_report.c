/* SPDX-License-Identifier: MIT */
/* Command `sluice report`: prints the profiles of a database, or exports them in another format. */
#include <sys/stat.h>

#include "cli.h"

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    if (argc - o->first_argument > 1)
        return cli_usage_error(command, "too many arguments: give one database");
    const char *database = cli_database_to_read(o->first_argument < argc ? argv[o->first_argument]
                                                                         : NULL);
    if (!database)
        return EXIT_SLUICE;
    if (o->output && same_file(o->output, database))
        return cli_usage_error(command,
                               "the output file is the database itself: give another file with -o");
    struct sl_report_config config = {.size = sizeof config,
                                      .format = o->format,
                                      .n = o->n,
                                      .object = o->object,
                                      .symbols = o->symbols,
                                      .own = o->own,
                                      .process = o->process,
                                      .partition = o->partition,
                                      .source = o->sources.word,
                                      .n_sources = o->sources.n,
                                      .no_source = o->no_source};
    if (!o->output)
        cli_fit_screen(&config, stdout);
    int result = o->output ? sl_report_file(database, &config, o->output, &f)
                           : sl_report(database, &config, stdout, &f);
    return result < 0 ? cli_error(&f) : 0;
}

const struct cli_command cli_report = {
    .name = "report",
    .summary = "Shows the profiles of a run",
    .usage = "[OPTIONS] [DATABASE]",
    .options = CLI_OPTIONS("format", "object", "symbols", "own", "partition", "json", "number",
                           "process", "source", "no-source", "output"),
    .texts = CLI_TEXTS({"output", "file to write the report to (default: standard output)"}),
    .examples =
        "  sluice report\n"
        "  sluice report -n 100 e.db\n"
        "  sluice report -f callgraph e.db       needs: sluice run -p context -p context:count\n"
        "  sluice report --partition e.db        needs: sluice run -p context\n"
        "  sluice report --json e.db | jq '.profiles[0].entries[0]'\n",
    .details = "Without an argument, reads sluice.db. It is an SQLite database, described in\n"
               "docs/database.md.\n",
    .run = run,
};
