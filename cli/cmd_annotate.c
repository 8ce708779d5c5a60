/* SPDX-License-Identifier: MIT */
/* Command `sluice annotate`: prints source lines and instructions with their counts and costs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* A single argument is a database or a function, file or line. */
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
    bool has_database = n == 2 || (n == 1 && is_database(given[0]));
    struct sl_annotate_config config = {
        .size = sizeof config,
        .place = n == 2                    ? given[1]
                 : n == 1 && !has_database ? given[0]
                                           : NULL,
        .n = o->n,
        .process = o->process,
        .width = cli_width(stdout),
        .colour = needs_colour(),
    };
    return sl_annotate(has_database ? given[0] : "sluice.db", &config, stdout, &f) < 0
               ? cli_error(&f)
               : 0;
}

const struct cli_command cli_annotate = {
    .name = "annotate",
    .summary = "Shows source lines and instructions with their counts and costs",
    .usage = "[OPTIONS] [DATABASE] [FUNCTION|FILE[:LINE]]",
    .options = CLI_OPTIONS("process", "number"),
    .details = "Without arguments, shows the hottest function of sluice.db. The code range with "
               "the highest\n"
               "cost comes first. With -n N, shows N code ranges with all their instructions.\n\n"
               "examples:\n"
               "  sluice annotate\n"
               "  sluice annotate is_prime\n"
               "  sluice annotate e.db primes.c:25\n",
    .run = run,
};
