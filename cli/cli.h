/* SPDX-License-Identifier: MIT */
/* Declarations for all commands of sluice: the definition of a command, the values of its options,
 * and functions that open, save and print sessions. The file cmd_NAME.c defines the command NAME as
 * a struct cli_command, and main.c lists all commands. */
#ifndef SL_CLI_H
#define SL_CLI_H

#include "sluice-study.h"

/* Exit statuses, the same as those of env(1) and timeout(1). If sluice succeeds, its exit status is
 * that of the guest. */
enum {
    EXIT_REGRESSION = 1,
    EXIT_USAGE = 2,
    EXIT_SLUICE = 125,
    EXIT_CANNOT_EXECUTE = 126,
    EXIT_NOT_FOUND = 127
};

struct cli_options;

struct cli_option_text {
    const char *option, *text;
};

struct cli_command {
    const char *name;
    const char *summary;
    const char *usage; /* after "sluice NAME " */
    /* Names of the options that the command accepts (option_rows.c), NULL at the end. */
    const char *const *options;
    /* Help texts of options that say more about this command than those of the rows; the last one
     * has no name. NULL: none. */
    const struct cli_option_text *texts;
    const char *examples; /* for --help: indented command lines */
    const char *details;  /* explanation for --help; NULL: the summary is enough */
    const char *program;  /* NULL, or a program in the same directory that gets all arguments */
    bool machines;        /* -m may be repeated: the CPU models run in parallel */
    /* Returns an exit status. */
    int (*run)(const struct cli_command *command, struct cli_options *options, int argc,
               char **argv);
};

#define CLI_OPTIONS(...)  \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

#define CLI_TEXTS(...)               \
    (const struct cli_option_text[]) \
    {                                \
        __VA_ARGS__,                 \
        {                            \
            NULL, NULL               \
        }                            \
    }

extern const struct cli_command *const cli_commands[]; /* NULL at the end */
extern const struct cli_command cli_run;

/* Arguments of an option that may be repeated. */
struct cli_list {
    const char **word;
    size_t n;
};

/* The CPU models (-m): the first one gives the metrics, the others run in parallel. */
struct cli_machines {
    const char *first;
    struct cli_list other;
};

/* Fields of the same names are in sl_session_config. */
struct cli_error_of {
    uint64_t executions;
    double share, covered;
};

/* Default length of a sampling window (struct sl_load_sampling), in blocks. */
#define CLI_WINDOW_BLOCKS 8192u

/* Output of intervals when they end (--live, top). */
struct cli_live_options {
    bool wanted;
    bool screen;      /* sluice top: shows intervals on a terminal */
    const char *file; /* NULL: `descriptor` */
    int descriptor;
};

/* Values of the options; 0 or NULL if an option is not given. */
struct cli_options {
    struct cli_list specs;
    struct cli_list sources; /* directories */
    bool no_source;
    const char *output;
    const char *format, *object, *own, *report;
    const char *start_at, *spill;
    const char *range, *only;
    struct cli_machines machine;
    const char *qemu, *sysroot, *program;
    const char *stream;
    const char *front;
    uint64_t n, memory_bytes, keep;
    bool lossy, marked, quiet, follow, symbols;
    struct cli_live_options live;
    const char *repeatable; /* NULL: not given; else names of variables to keep, or "" */
    uint64_t process;
    /* Evaluation: fields of the same names are in sl_session_config and sl_compare_config. */
    bool exact;
    uint64_t window, every, runs;
    uint64_t skip, limit; /* instructions: sl_source_run_range */
    struct sl_load_sampling load_sampling;
    struct cli_error_of error_of;
    double below;
    double fail_above;
    double partition; /* as in sl_report_config */
    bool help;
    uint64_t jobs, level;
    uint64_t interval, length, warm_up, clusters, slices; /* as in sl_simpoint_config */
    const char *grid, *on,
        *slurm; /* as in sl_sweep_config; from here on, sl_sweep_report_config: */
    struct cli_by {
        const char *x, *y;
    } by;
    uint64_t under, shard, minutes;
    bool all, holes, allow_run;
    int first_argument; /* index in argv */
};

/* Parses the options of the command. Returns -1 on success, or an exit status after it has printed
 * --help or a usage error. */
int cli_parse(const struct cli_command *command, int argc, char **argv,
              struct cli_options *options);

void cli_print_help(const struct cli_command *command, FILE *out);

/* Print "sluice: " and the message on standard error; return the exit status. */
int cli_error(const struct sl_failure *f);
int cli_usage_error(const struct cli_command *command, const char *message);

/* Checks that the function of an option may be in the program (function_check.c). Returns 0 after a
 * warning, too, or prints an error and returns an exit status. `function` may be NULL or addresses.
 */
int cli_check_function(const char *option, const char *function, const char *program);

/* Starts the guest with sl_source_run(). From then on, signals sent to sluice are forwarded to the
 * guest, except those that the terminal sends to both; a second SIGINT or SIGTERM ends its stream;
 * and sluice stops when the guest stops. `source` must stay valid until cli_release_guest(). */
int cli_start_guest(struct sl_source **source, const struct sl_guest *guest, struct sl_failure *f);
void cli_release_guest(void);

/* True after a second SIGINT or SIGTERM. */
bool cli_must_end(void);

/* Ends sluice as the guest ended: returns its exit status, or raises its signal. If a second SIGINT
 * or SIGTERM ended sluice before the guest, raises that signal. */
int cli_exit_like(int wait_status);

/* Progress line on standard error, if it is a terminal: events, rate, time. */
struct cli_progress {
    double started, shown;
    bool wanted;
};
void cli_progress_start(struct cli_progress *progress, bool quiet);
void cli_progress_show(void *progress, uint64_t events, uint64_t instructions);
void cli_progress_end(struct cli_progress *progress);

/* Executes a program in the directory of this one. Returns only on failure: prints a message and
 * returns an exit status. */
int cli_exec(const char *program, char *const *argv);

/* Columns of the terminal that `stream` writes to; 0 if it is no terminal. */
unsigned cli_width(FILE *stream);

/* Sets width and height of a report to those of that terminal, if there is one. */
void cli_fit_screen(struct sl_report_config *config, FILE *stream);

/* Sets the default profiles, unless -p was given. */
void cli_default_specs(struct cli_options *options, const char *const *spec, size_t n);

/* Opens a session as the options request. Returns 0 or a negative enum sl_error. */
int cli_open_session(struct sl_session **session, const struct cli_options *options,
                     struct sl_failure *f);

/* Load sampling of the session: --sample-loads, or the default. */
struct sl_load_sampling cli_load_sampling(const struct cli_options *options,
                                          const struct sl_session *session);

/* Path of the database: -o, or sluice.db. */
const char *cli_database(const struct cli_options *options);

/* Database to read: the one given, or sluice.db (`given` is NULL). Returns NULL after it has
 * printed that there is no sluice.db. */
const char *cli_database_to_read(const char *given);

/* True if only the report goes to standard output; the guest's output goes to standard error. */
bool cli_reports_to_output(const struct cli_options *options);

/* Saves the session and writes the report to `out`, or to the file of --report. If the database
 * cannot be written, saves to a file in $TMPDIR and reports that. Returns an exit status, 0 if
 * everything was saved where it was requested. */
int cli_save_and_show(struct sl_session *session, const struct cli_options *options, FILE *out);

#endif
