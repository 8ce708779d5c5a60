/* SPDX-License-Identifier: MIT */
/* sluice: finds what a running program does most. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "process_tree.h"

#define STACK_BYTES (8u << 20)

/* Each command is cli_NAME in cmd_NAME.c; --help has them in this order. */
#define COMMANDS(ROW) \
    ROW(run)          \
    ROW(top)          \
    ROW(record)       \
    ROW(replay)       \
    ROW(convert)      \
    ROW(simpoint)     \
    ROW(compare)      \
    ROW(sweep)        \
    ROW(report)       \
    ROW(annotate)     \
    ROW(diff)         \
    ROW(merge)        \
    ROW(rtl)          \
    ROW(lab)          \
    ROW(list)         \
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
    fprintf(out,
            "\nexamples:\n"
            "  sluice run ./prog                    one screen: hot functions, edges, values\n"
            "  sluice run -p edge -o e.db ./prog    every branch, kept in e.db\n"
            "  sluice report -n 50 e.db             more of it\n"
            "  sluice run -m rocket ./prog          cycles of a processor that is not there\n"
            "  sluice record -o p.slt ./prog        its stream, for\n"
            "  sluice compare p.slt                 cost and error of profilers on it\n"
            "  sluice sweep p.slt                   which of a hundred are worth their storage\n\n"
            "'sluice COMMAND --help' says more. Version " SL_VERSION ".\n");
}

/* Files that we open must not become standard streams that were closed, or what we say would go
 * into them. Reading there, and writing to standard output, fails as it would; what is said on a
 * closed standard error is for nobody. The guest finds them closed. */
static void fill_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd] | O_CLOEXEC) < 0)
            _exit(EXIT_SLUICE);
}

/* A full disk must not look like success. */
static int finish(int status)
{
    struct sl_failure f;
    return status || !sl_written(stdout, "to standard output", &f) ? status : cli_error(&f);
}

/* Files that grow too large are an error of the write. Unlike what is ignored, this is not passed
 * on to the guest. */
static void file_too_large(int number)
{
    (void)number;
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
    free(options.machine.beside.word);
    return status;
}

static int complain_command(const char *name)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_ROOM];
    sl_nearest_start(&nearest, name, strlen(name));
    for (size_t i = 0; cli_commands[i]; i++)
        sl_nearest_offer(&nearest, cli_commands[i]->name);
    sl_print_line(stderr, "sluice: there is no command called %s%s 'sluice --help' lists them",
                  name, sl_nearest_question(&nearest, question));
    return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    if (!strcmp(name, "--version")) {
        puts("sluice " SL_VERSION);
        return 0;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        print_overview(argc > 1 ? stdout : stderr);
        return argc > 1 ? 0 : EXIT_USAGE;
    }
    if (!strcmp(name, "followed")) /* by the engine, in the name of run --follow */
        return cli_followed(argc, argv);
    if (!strcmp(name, "forked"))
        return cli_forked(argc, argv);
    for (size_t i = 0; cli_commands[i]; i++)
        if (!strcmp(name, cli_commands[i]->name))
            return run(cli_commands[i], argc - 1, argv + 1);
    return complain_command(name);
}

struct line {
    int argc;
    char **argv;
    int status;
};

static void *on_own_stack(void *line)
{
    struct line *l = line;
    l->status = finish(dispatch(l->argc, l->argv));
    return NULL;
}

/* Whoever limits the stack means the guest, which gets the limit: libraries that we use want more
 * than 160 KB of it (libdw, to find a line), in threads too. */
static int with_enough_stack(struct line *line)
{
    pthread_attr_t attributes;
    pthread_t thread;
    struct rlimit limit;
    if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < STACK_BYTES &&
        !pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, STACK_BYTES) &&
        !pthread_setattr_default_np(&attributes) &&
        !pthread_create(&thread, &attributes, on_own_stack, line) && !pthread_join(thread, NULL))
        return line->status;
    on_own_stack(line);
    return line->status;
}

int main(int argc, char **argv)
{
    struct line line = {argc, argv, EXIT_SLUICE};
    fill_standard_streams();
    /* Where it is ignored, as some daemons have it, no child can be waited for. */
    signal(SIGCHLD, SIG_DFL);
    if (signal(SIGXFSZ, file_too_large) == SIG_IGN)
        signal(SIGXFSZ, SIG_IGN);
    sl_survive_cut_files();
    return with_enough_stack(&line);
}
