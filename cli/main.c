/* SPDX-License-Identifier: MIT */
/* Main program of `sluice`: runs the command that the first argument names, for example `run`. */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process_tree.h"

#define STACK_BYTES (8u << 20)

/* Commands and their groups, in the order of --help; each command is cli_NAME in cmd_NAME.c. */
#define COMMANDS(ROW)        \
    ROW(run, "Profile")      \
    ROW(top, "Profile")      \
    ROW(record, "Profile")   \
    ROW(replay, "Profile")   \
    ROW(report, "Inspect")   \
    ROW(annotate, "Inspect") \
    ROW(diff, "Inspect")     \
    ROW(merge, "Inspect")    \
    ROW(compare, "Study")    \
    ROW(sweep, "Study")      \
    ROW(simpoint, "Study")   \
    ROW(convert, "Study")    \
    ROW(lab, "Study")        \
    ROW(rtl, "Hardware")     \
    ROW(list, "Other")       \
    ROW(completion, "Other")

#define DECLARE(name, group) extern const struct cli_command cli_##name;
COMMANDS(DECLARE)

#define LIST(name, group) &cli_##name,
const struct cli_command *const cli_commands[] = {COMMANDS(LIST) NULL};

#define GROUP(name, group) group,
static const char *const groups[] = {COMMANDS(GROUP)};

static void print_overview(FILE *out)
{
    fprintf(out, "sluice finds the hot functions, branches and values of a program.\n\n"
                 "usage: sluice COMMAND [OPTIONS] [ARGUMENTS]\n\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!i || strcmp(groups[i], groups[i - 1]))
            fprintf(out, "%s:\n", groups[i]);
        fprintf(out, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    fprintf(out,
            "\nexamples:\n"
            "  sluice run ./prog                    one screen: hot functions and lines, hints\n"
            "  sluice run -p edge -o e.db ./prog    every branch, saved to e.db\n"
            "  sluice report -n 50 e.db             more entries of it\n"
            "  sluice run -m rocket ./prog          cycles of a simulated CPU\n"
            "  sluice record -o p.slt ./prog        record a trace\n"
            "  sluice compare p.slt                 cost and error of profilers on it\n"
            "  sluice sweep p.slt                   Pareto front of a hundred table designs\n\n"
            "Details: sluice help COMMAND, man sluice. Version " SL_VERSION ".\n");
}

/* If a standard stream is closed, the next file that sluice opens would get its descriptor, and
 * messages would be written into that file. Opens /dev/null there instead, so that reading standard
 * input and writing standard output still fail; messages to standard error are discarded. The guest
 * gets closed streams (O_CLOEXEC). */
static void fill_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd] | O_CLOEXEC) < 0)
            _exit(EXIT_SLUICE);
}

/* Reports an error of standard output, for example a full disk. */
static int finish(int status)
{
    struct sl_failure f;
    return status || !sl_flush_output(stdout, "to standard output", &f) ? status : cli_error(&f);
}

/* Handler for SIGXFSZ, so that a write beyond the file size limit returns an error. The guest does
 * not inherit a handler, as it would SIG_IGN. */
static void file_too_large(int number)
{
    (void)number;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct cli_options options;
    if (command->program)
        return cli_exec(command->program, argv);
    int status = cli_parse(command, argc, argv, &options);
    if (status < 0)
        status = command->run(command, &options, argc, argv);
    free(options.specs.word);
    free(options.sources.word);
    free(options.machine.other.word);
    return status;
}

static bool is_program(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

static bool is_in_path(const char *name)
{
    const char *directory = getenv("PATH");
    while (directory && *directory) {
        char path[PATH_MAX];
        int size = (int)strcspn(directory, ":");
        int length = snprintf(path, sizeof path, "%.*s/%s", size, directory, name);
        if (length < (int)sizeof path && is_program(path))
            return true;
        directory += size + (directory[size] == ':');
    }
    return false;
}

/* Most people who type a program in place of a command want to profile it. */
static int report_command(const char *name)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_BYTES];
    bool here = *name && is_program(name), is_path = strchr(name, '/');
    sl_nearest_start(&nearest, name, strlen(name));
    for (size_t i = 0; cli_commands[i]; i++)
        sl_nearest_offer(&nearest, cli_commands[i]->name);
    if (here || (*name && !is_path && is_in_path(name)))
        sl_print_line(stderr,
                      "sluice: unknown command %s; to profile this program: sluice run %s%s", name,
                      here && !is_path ? "./" : "", name);
    else
        sl_print_line(stderr, "sluice: unknown command %s%s %s", name,
                      sl_nearest_hint(&nearest, question), "all commands: sluice --help");
    return EXIT_USAGE;
}

static const struct cli_command *find_command(const char *name)
{
    const struct cli_command *const *command = cli_commands;
    while (*command && strcmp((*command)->name, name))
        command++;
    return *command;
}

static int help(int argc, char **argv)
{
    if (argc > 2) {
        char *line[] = {argv[2], "--help", NULL};
        const struct cli_command *command = find_command(argv[2]);
        return command ? run(command, 2, line) : report_command(argv[2]);
    }
    print_overview(argc > 1 ? stdout : stderr);
    return argc > 1 ? 0 : EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "help";
    if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        puts("sluice " SL_VERSION);
        return 0;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
        return help(argc, argv);
    if (!strcmp(name, "followed")) /* started by the engine, for run --follow */
        return cli_run_followed(argc, argv);
    if (!strcmp(name, "forked"))
        return cli_run_forked(argc, argv);
    const struct cli_command *command = find_command(name);
    return command ? run(command, argc - 1, argv + 1) : report_command(name);
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

/* A stack limit (ulimit -s) is meant for the guest, which gets it. sluice itself needs more than
 * 160 KB, in threads too (libdw, to find a line), and therefore runs in a thread with STACK_BYTES.
 */
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
    /* If it is ignored (some daemons do that), waitpid() cannot get a child's status. */
    signal(SIGCHLD, SIG_DFL);
    if (signal(SIGXFSZ, file_too_large) == SIG_IGN)
        signal(SIGXFSZ, SIG_IGN);
    sl_survive_truncated_files();
    return with_enough_stack(&line);
}
