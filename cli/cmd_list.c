/* SPDX-License-Identifier: MIT */
/* Command `sluice list`: lists the detectors, metrics, tables, CPU models, report formats,
 * synthetic streams, experiments and emulators that can be selected, with their options. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* The experiments are part of sluice-lab, not of the library. */
static int list_experiments(void)
{
    char *argv[] = {"sluice-lab", "--list", NULL};
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(cli_exec(argv[0], argv));
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return EXIT_SLUICE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SLUICE;
}

static int list(const char *kind)
{
    struct sl_failure f;
    if (!strcmp(kind, "experiments"))
        return list_experiments();
    return sl_list(kind, stdout, &f) < 0 ? cli_error(&f) : 0;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    (void)command;
    static const char *const all[] = {"detectors", "metrics",     "tables",  "machines", "formats",
                                      "streams",   "experiments", "engines", NULL};
    int status = 0;
    for (int i = o->first_argument; i < argc && !status; i++)
        status = list(argv[i]);
    for (size_t i = 0; all[i] && o->first_argument == argc && !status; i++) {
        printf("%s%s\n", i ? "\n" : "", all[i]);
        status = list(all[i]);
    }
    return status;
}

const struct cli_command cli_list = {
    .name = "list",
    .summary = "Lists the detectors, metrics, tables, CPU models, formats and streams",
    .usage = "[detectors|metrics|tables|machines|formats|streams|experiments|engines]",
    .options = (const char *const[]){NULL},
    .examples = "  sluice list detectors        DETECTOR in -p DETECTOR[:METRIC][@TABLE]\n"
                "  sluice list tables           TABLE in -p\n"
                "  sluice list machines         CPU models for -m\n"
                "  sluice list engines          emulators that can run programs here\n",
    .details = "Without an argument, lists everything, with options and their defaults.\n",
    .run = run,
};
