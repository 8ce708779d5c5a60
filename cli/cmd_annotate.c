/* SPDX-License-Identifier: MIT */
/* Command `sluice annotate`: prints source lines and instructions with their counts and costs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* An argument is a database or a function, file or line. */
static bool is_database(const char *path)
{
    char head[16] = "";
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) /* opening a pipe would block */
        return false;
    FILE *file = fopen(path, "re");
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head &&
              !memcmp(head, "SQLite format 3", sizeof head);
    if (file)
        fclose(file);
    return is;
}

static bool needs_colour(void)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(none && *none) && !(terminal && !strcmp(terminal, "dumb"));
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    int n = argc - o->first_argument;
    char **given = argv + o->first_argument;
    if (n > 2)
        return cli_usage_error(command,
                               "too many arguments: give a database and a function, file or line");
    /* Either order: FUNCTION DATABASE, too. */
    bool is_last = n == 2 && is_database(given[1]) && !is_database(given[0]);
    bool has_database = n == 2 || (n == 1 && is_database(given[0]));
    const char *database = cli_database_to_read(has_database ? given[is_last] : NULL);
    if (!database)
        return EXIT_SLUICE;
    struct sl_annotate_config config = {
        .size = sizeof config,
        .place = n == 2                    ? given[!is_last]
                 : n == 1 && !has_database ? given[0]
                                           : NULL,
        .n = o->n,
        .process = o->process,
        .width = cli_width(stdout),
        .colour = needs_colour(),
        .source = o->sources.word,
        .n_sources = o->sources.n,
        .no_source = o->no_source,
    };
    return sl_annotate(database, &config, stdout, &f) < 0 ? cli_error(&f) : 0;
}

const struct cli_command cli_annotate = {
    .name = "annotate",
    .summary = "Shows source lines and instructions with their counts and costs",
    .usage = "[OPTIONS] [DATABASE] [FUNCTION|FILE[:LINE]]",
    .options = CLI_OPTIONS("process", "number", "source", "no-source"),
    .texts = CLI_TEXTS({"number", "number of code ranges to show, with all their instructions"},
                       {"process", "show the code of process number N of a run with --follow"}),
    .examples = "  sluice annotate\n"
                "  sluice annotate is_prime\n"
                "  sluice annotate e.db primes.c:25\n",
    .details = "Without arguments, shows the hottest function of your own code in sluice.db. The "
               "code range\n"
               "with the highest cost comes first. With -n N, shows N code ranges with all their "
               "instructions.\n",
    .run = run,
};
