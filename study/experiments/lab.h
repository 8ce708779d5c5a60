/* SPDX-License-Identifier: MIT */
/* The program `sluice lab` repeats, on real programs, published experiments with hardware
 * profilers. For each experiment, the lab writes a page that compares the published results with
 * the measured ones.
 *
 *     experiment ──plan──► steps ──perform──► figures (lab.db) ──queries──► page, csv, plots
 *
 * An *experiment* is a sweep with a page. Its plan in data/lab (plan.sh) lists its steps; text and
 * queries next to the plan make the page (lab_page.h). A *step* is independent of other steps. Most
 * steps replay the recorded trace of one program with many profiles; the others are functions in C
 * (experiment.c). A step produces *figures*: numbers with names. They are stored in one SQLite
 * file, together with the configuration of the step, so that a finished step is not repeated. Pages
 * show only results of queries on this file.
 *
 * Steps run as jobs (jobs.h), like those of a sweep: as processes, one per processor, or as jobs of
 * a cluster. A step that fails does not affect others. Figures do not depend on the order of steps,
 * and random numbers have seeds that are part of the step. */
#ifndef LAB_H
#define LAB_H

#include "job_results.h"

enum lab_size {
    LAB_FULL,
    LAB_QUICK, /* small inputs: minutes */
    LAB_TINY,  /* smallest inputs, for tests of the lab itself */
};

enum lab_kind {
    LAB_REAL = 1,  /* programs of the distribution */
    LAB_SMALL = 2, /* programs of our own */
    LAB_MIPS = 4,  /* our own programs, compiled for MIPS */
    LAB_RISCV = 8, /* some of our own programs, compiled for RISC-V */
    LAB_LONG = 16, /* real programs with long runs, of which a window is recorded */
};

struct lab_program {
    char *name, *summary, *version;
    enum lab_kind kind;
    char *absent; /* NULL, or the reason why it cannot run on this computer */
    char *trace;  /* the user's trace; NULL: the lab records the program */
    struct sl_sweep_stream *user_stream; /* source of `trace`; NULL: a program of the lab */
    bool needed;                         /* by a step that has to be performed */
};

struct lab_step;

/* Performs a step and adds its figures to `results`. Returns 0 or a negative enum sl_error; the
 * step has then failed. */
typedef int lab_perform(const struct lab_step *step, struct sl_job_results *results,
                        struct sl_failure *f);

struct lab {
    enum lab_size size;
    char *directory;           /* for all files; absolute */
    char *database;            /* path of lab.db */
    char *script;              /* path of programs.sh, which knows the lab's programs */
    char *sluice;              /* path of the program `sluice`, which records */
    unsigned jobs;             /* steps in parallel; 0: one per processor, on a cluster no limit */
    const char *where, *slurm; /* "local" or "slurm"; additional arguments for sbatch */
    bool again;                /* repeat finished steps */
    bool progress;             /* show progress on standard error */
    struct sl_sweep_store *store;
    struct lab_program *program;
    size_t n_programs, programs_capacity;
    const char *const *selected; /* names of the programs to measure; none: all */
    size_t n_selected;
    const struct experiment **chosen;
    size_t n_chosen;
    struct lab_step **step; /* all planned steps */
    size_t n_steps, steps_capacity;
    double seconds_done; /* CPU time of the steps that this run has performed */
    size_t n_done, n_todo;
};

struct lab_step {
    struct lab *lab;
    const struct experiment *experiment; /* NULL: the step records its program */
    struct lab_program *program;         /* NULL: none */
    char *name, *machine;
    char *argument;       /* for the function that performs it */
    char *stream;         /* spec of a synthetic stream; NULL: the program's trace */
    uint64_t every;       /* measure errors also after every N events, later less often; 0: no */
    uint64_t window;      /* instructions per window of the dynamic overlap; 0: not measured */
    uint64_t skip, limit; /* run range in instructions; limit 0: the whole trace */
    struct lab_labelled {
        char *label, *spec;
    } * profile;
    size_t n_profiles, profiles_capacity;
    lab_perform *perform;
    /* Set by functions that perform steps: additional settings of the session, and their own data
     * for lab_read_session. */
    struct sl_session_config session_config;
    void *context;
    char *key;     /* text of everything that determines the figures */
    char *trace;   /* path of the trace or spec of the stream; set while the step is performed */
    char *scratch; /* empty directory for its files; absolute; set while it is performed */
    char *failure; /* NULL, or the reason why it failed */
    bool done;
};

struct experiment {
    const char *name;           /* also of its plan and its page */
    const char *summary;        /* one line */
    unsigned programs;          /* enum lab_kind: planned once for each of these programs */
    bool once;                  /* also planned once without a program */
    const char *stream_refusal; /* why it cannot use the user's streams; NULL: it can */
};

/* ---- performing steps ---- */

/* Add one figure: the `value` of `measure` for the profile `label`, at the position x (NAN: of the
 * whole run) or for a named item. A value of NAN is ignored. */
void lab_add_figure(struct sl_job_results *results, const char *label, const char *measure,
                    double x, double value);
void lab_add_item_figure(struct sl_job_results *results, const char *label, const char *measure,
                         const char *item, double value);

/* Reads figures from a session whose run has finished. */
typedef int lab_read_session(const struct lab_step *step, struct sl_session *session,
                             struct sl_job_results *results, struct sl_failure *f);

/* Runs the step's profiles on its trace, each next to its exact profile if `exact`, and then calls
 * `read`. Returns 0, an error of the session or of `read`, or SL_ENOMEM if an exact profile has
 * dropped events. */
int lab_run_session(const struct lab_step *step, bool exact, lab_read_session *read,
                    struct sl_job_results *results, struct sl_failure *f);

/* Adds the figures of a replay: all of session_measurements.h. */
void lab_add_replay_figures(const struct lab_step *step, const struct sl_session *session,
                            struct sl_job_results *results);

/* The usual step: a replay with exact profiles. */
lab_perform lab_replay;

/* Parses one line that a script has printed. Returns false for an invalid line. */
typedef bool lab_parse_line(void *context, char *line, struct sl_job_results *results);

/* Runs argv in the step's scratch directory: "sh", the relative path of an installed script, its
 * arguments, NULL. Passes each line of its output to `parse` unless that is NULL. Returns 0, SL_EIO
 * if the script is missing or fails (with the end of its standard error), SL_ENOTFOUND without a
 * shell, or SL_EFORMAT for an invalid line. */
int lab_run_script(const struct lab_step *step, const char **argv, lab_parse_line *parse,
                   void *context, struct sl_job_results *results, struct sl_failure *f);

#endif
