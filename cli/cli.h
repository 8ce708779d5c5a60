/* SPDX-License-Identifier: MIT */
/* What the commands share. A command is one file with one function; main.c has
 * a row for each. */
#ifndef SL_CLI_H
#define SL_CLI_H

#include "sluice-study.h"

/* Exit statuses, as env(1) and timeout(1) have them. A guest's own status is
 * passed through. */
enum {
    EXIT_DEARER = 1,
    EXIT_USAGE = 2,
    EXIT_SLUICE = 125,
    EXIT_CANNOT_EXECUTE = 126,
    EXIT_NOT_FOUND = 127
};

struct cli_options;

struct cli_command {
    const char *name;
    const char *summary;
    const char *usage; /* after "sluice NAME " */
    const char
        *options; /* names of those that it takes (option_rows.c), with blanks between them */
    const char *details; /* explanation and examples, for --help */
    const char *program; /* NULL, or one of its own beside this one, which gets all arguments */
    bool machines;       /* it takes several, side by side */
    /* Returns an exit status. */
    int (*run)(const struct cli_command *command, struct cli_options *options, int argc,
               char **argv);
};

extern const struct cli_command *const cli_commands[]; /* NULL at the end */
extern const struct cli_command cli_run;

/* What an option says that may be repeated. */
struct cli_list {
    const char **word;
    size_t n;
};

/* The machine, and those that run beside it. */
struct cli_machines {
    const char *first;
    struct cli_list beside;
};

/* sl_session_config has the same. */
struct cli_error_of {
    uint64_t executions;
    double share, covered;
};

/* The length of a stretch (struct sl_load_sampling), unless it is given. */
#define CLI_STRETCH_BLOCKS 8192u

/* Who is to see intervals as they end. */
struct cli_live_wish {
    bool wanted;
    bool screen;      /* a terminal shows them */
    const char *file; /* NULL: the descriptor */
    int descriptor;
};

/* What options say; what is not given is zero. */
struct cli_options {
    struct cli_list specs;
    const char *output;
    const char *format, *object, *report;
    const char *start_at, *spill;
    const char *range, *only;
    struct cli_machines machine;
    const char *qemu, *sysroot, *program;
    const char *stream;
    const char *front;
    uint64_t n, memory_bytes, keep;
    bool lossy, marked, quiet, follow, symbols;
    struct cli_live_wish live;
    const char *repeatable; /* NULL: it is not to be; "" or names of variables to keep */
    uint64_t process;
    /* What is measured: sl_session_config and sl_compare_config have the same. */
    bool exact;
    uint64_t window, every, runs;
    uint64_t skip, limit; /* instructions: sl_source_run_range */
    struct sl_load_sampling stretches;
    struct cli_error_of error_of;
    double below;
    double fail_above;
    double partition; /* sl_report_config has the same */
    bool help;
    uint64_t jobs, level;
    uint64_t interval, length, warm_up, clusters, slices; /* sl_simpoint_config has the same */
    const char *grid, *on, *slurm; /* sl_sweep_config has the same; and sl_sweep_report_config: */
    struct cli_by {
        const char *x, *y;
    } by;
    uint64_t under, share, minutes;
    bool all, holes;
    int first_argument; /* in argv */
};

/* Reads the options the command takes. Returns -1 to go on, or an exit status:
 * --help has been printed, or a usage message. */
int cli_parse(const struct cli_command *command, int argc, char **argv,
              struct cli_options *options);

void cli_print_help(const struct cli_command *command, FILE *out);

/* Prints "sluice: " and the sentence on standard error; returns the exit status. */
int cli_error(const struct sl_failure *f);
int cli_usage_error(const struct cli_command *command, const char *sentence);

/* Starts the guest as sl_source_run does. From the moment it is there, signals that somebody sends
 * to us go to it, and those that the terminal sends to both are ignored; a second SIGINT or SIGTERM
 * ends its stream; and when it stops, so do we. `source` stays where it is until: */
int cli_start_guest(struct sl_source **source, const struct sl_guest *guest, struct sl_failure *f);
void cli_forget_guest(void);

/* Whether a second SIGINT or SIGTERM has told us to end. */
bool cli_told_to_end(void);

/* Ends as the guest ended: with its exit status, or by its signal; or if it has not, because we
 * were told twice to end, by the signal that told us. */
int cli_end_like(int wait_status);

/* A line on standard error, if that is a terminal: events, rate, time. */
struct cli_progress {
    double started, shown;
    bool wanted;
};
void cli_progress_start(struct cli_progress *progress, bool quiet);
void cli_progress_show(void *progress, uint64_t events, uint64_t instructions);
void cli_progress_end(struct cli_progress *progress);

/* Becomes the program of that name which is beside this one; or says why not, and returns an
 * exit status. */
int cli_become(const char *program, char *const *argv);

/* Columns of the terminal behind `stream`, 0 if it is none. */
unsigned cli_width(FILE *stream);

/* What to profile if the options do not say. */
void cli_usual_specs(struct cli_options *options, const char *const *spec, size_t n);

/* The session that the options ask for. */
int cli_open_session(struct sl_session **session, const struct cli_options *options,
                     struct sl_failure *f);

/* Where its loads are to be watched. */
struct sl_load_sampling cli_stretches(const struct cli_options *options,
                                      const struct sl_session *session);

/* Where the options want the database. */
const char *cli_database(const struct cli_options *options);

/* Whether standard output is for the report, and for nobody else. */
bool cli_reports_to_output(const struct cli_options *options);

/* Saves the session and shows it on `out`, or in the file that the options name; returns an exit
 * status, 0 if all went well. If the database cannot be written, what was found is shown all the
 * same. */
int cli_save_and_show(struct sl_session *session, const struct cli_options *options, FILE *out);

#endif
