/* sluice: finds what a running program does most. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Each command is cli_NAME in cmd_NAME.c; --help has them in this order. */
#define COMMANDS(ROW) \
    ROW(run) \
    ROW(record) \
    ROW(replay) \
    ROW(compare) \
    ROW(report) \
    ROW(rtl) \
    ROW(lab) \
    ROW(list) \
    ROW(completion)

#define DECLARE(name) extern const struct cli_command cli_##name;
COMMANDS(DECLARE)

#define LIST(name) &cli_##name,
const struct cli_command *const cli_commands[] = {COMMANDS(LIST) NULL};

static void print_overview(FILE *out)
{
    fprintf(out, "sluice finds what a program does most: functions, branches, values.\n\n"
                 "usage: sluice COMMAND [OPTIONS] [ARGUMENTS]\n\n");
    for (size_t i = 0; cli_commands[i]; i++)
        fprintf(out, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    fprintf(out, "\nexamples:\n"
                 "  sluice run ./prog                    one screen: hot functions, edges, values\n"
                 "  sluice run -p edge -o e.db ./prog    every branch, kept in e.db\n"
                 "  sluice report -n 50 e.db             more of it\n"
                 "  sluice run -m rocket ./prog          cycles of a processor that is not there\n"
                 "  sluice record -o p.slt ./prog        its stream, for\n"
                 "  sluice compare p.slt                 cost and error of profilers on it\n\n"
                 "'sluice COMMAND --help' says more. Version " SL_VERSION ".\n");
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct cli_options options;
    if (command->program)
        return cli_become(command->program, argv);
    int status = cli_parse(command, argc, argv, &options);
    if (status < 0)
        status = command->run(command, &options, argc, argv);
    free(options.specs.word);
    return status;
}

static int complain_command(const char *name)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_ROOM];
    sl_nearest_start(&nearest, name, strlen(name));
    for (size_t i = 0; cli_commands[i]; i++)
        sl_nearest_offer(&nearest, cli_commands[i]->name);
    sl_say(stderr, "sluice: there is no command called %s%s 'sluice --help' lists them", name,
           sl_nearest_question(&nearest, question));
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    /* Where it is ignored, as some daemons have it, no child can be waited for. */
    signal(SIGCHLD, SIG_DFL);
    if (!strcmp(name, "--version")) {
        puts("sluice " SL_VERSION);
        return 0;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        print_overview(argc > 1 ? stdout : stderr);
        return argc > 1 ? 0 : EXIT_USAGE;
    }
    for (size_t i = 0; cli_commands[i]; i++)
        if (!strcmp(name, cli_commands[i]->name))
            return run(cli_commands[i], argc - 1, argv + 1);
    return complain_command(name);
}
