/* SPDX-License-Identifier: MIT */
/* The lab: experiments on real programs, with the published figures beside ours.
 *
 *     experiment ──plan──► steps ──perform──► figures (lab.db) ──queries──► page, csv, plots
 *
 * An *experiment* is a sweep with a page: its plan in data/lab says what is measured (plan.sh),
 * words and queries beside it what is shown of that (lab_page.h). Its *steps* are independent of
 * each other: mostly one pass over one program's recorded stream with many profiles; what else they
 * do is in C (experiment.c). A step leaves *figures*, numbers with names; they are kept in one
 * SQLite file together with what the step was, so that one which is done is not done again, and
 * everything shown is a query over them.
 *
 * Steps are jobs as those of a sweep are (jobs.h): processes of their own, as many at a time as
 * there are processors, or jobs of a cluster. One that fails takes nothing else with it. Figures do
 * not depend on the order. What is random has a seed that is written in the step. */
#ifndef LAB_H
#define LAB_H

#include "job_figures.h"

enum lab_size {
    LAB_FULL,
    LAB_QUICK, /* small inputs: minutes */
    LAB_TINY,  /* whether it works at all: for tests */
};

enum lab_kind {
    LAB_REAL = 1,  /* programs that come with the system */
    LAB_SMALL = 2, /* programs of our own */
    LAB_MIPS = 4,  /* the same, compiled for MIPS, */
    LAB_RISCV = 8, /* and some of them for RISC-V */
    LAB_LONG = 16, /* real ones that run for long, of which a window is recorded */
};

struct lab_program {
    char *name, *does, *version;
    enum lab_kind kind;
    char *absent; /* NULL, or why it cannot be run here */
    char *trace;  /* the user's own, of whatever program; NULL: it is the lab's, which records it */
    struct sl_sweep_stream *theirs; /* that the trace is of; NULL: it is the lab's */
    bool needed;                    /* by a step that is to be done */
};

struct lab_step;

/* What does a step: leaves its figures in `results`. */
typedef int lab_perform(const struct lab_step *step, struct sl_job_figures *results,
                        struct sl_failure *f);

struct lab {
    enum lab_size size;
    char *directory; /* for everything; absolute */
    char *database;  /* path of lab.db */
    char *script;    /* of the programs */
    char *sluice;    /* the program that records, beside this one */
    unsigned
        jobs; /* steps at a time; 0: as many as there are processors, or as the cluster likes */
    const char *on, *slurm; /* where they run: "local", "slurm"; words for sbatch */
    bool again;             /* also what was done before */
    bool progress;          /* is told on standard error */
    struct sl_sweep_store *store;
    struct lab_program *program;
    size_t n_programs, programs_capacity;
    const char *const *wanted; /* programs; none: all */
    size_t n_wanted;
    const struct experiment **chosen;
    size_t n_chosen;
    struct lab_step **step; /* all that is planned */
    size_t n_steps, steps_capacity;
    double spent; /* seconds of steps that were done in this run */
    size_t n_done, n_todo;
};

struct lab_step {
    struct lab *lab;
    const struct experiment *experiment; /* NULL: it records its program */
    struct lab_program *program;         /* NULL: none */
    char *name, *machine;
    char *argument;  /* its own, for what performs it */
    char *stream;    /* made up; NULL: the program's trace */
    uint64_t every;  /* the error is measured, too, after so many events; later more sparsely */
    uint64_t window; /* instructions of one of the dynamic overlap; 0: that is not measured */
    uint64_t skip,
        limit; /* instructions of the stream that are left out first, and then taken; 0: all */
    struct lab_labelled {
        char *label, *spec;
    } * profile;
    size_t n_profiles, profiles_capacity;
    lab_perform *perform;
    struct sl_session_config with; /* of whoever performs it: what else its session has, */
    void *context;                 /* and what it looks for */
    char *key;                     /* all that decides its figures */
    char *trace;                   /* while it is performed: the recorded stream, */
    char *scratch; /* and a directory of its own for files, empty at first; absolute */
    char *failure; /* NULL, or why it failed */
    bool done;
};

struct experiment {
    const char *name;      /* also of its plan and its page */
    const char *summary;   /* one line */
    unsigned programs;     /* enum lab_kind: it is planned once for each of these; */
    bool once;             /* and once without a program */
    const char *not_yours; /* why it is not about streams of the user's; NULL: it is */
};

/* ---- performing ---- */

/* Figures, one by one: `value` of `measure` under `label`, at `x` (NAN: of the whole), or
 * of an item by its name. One that is NAN is not kept. */
void lab_figure(struct sl_job_figures *results, const char *label, const char *measure, double x,
                double value);
void lab_figure_of(struct sl_job_figures *results, const char *label, const char *measure,
                   const char *item, double value);

/* The step's profiles over its stream, with the exact profile beside each if that is wanted: what
 * came of it is looked at when all was run. lab_tell leaves the figures of a replay (lab_replay.c).
 */
typedef int lab_look(const struct lab_step *step, struct sl_session *session,
                     struct sl_job_figures *results, struct sl_failure *f);
int lab_look_at(const struct lab_step *step, bool exact, lab_look *look,
                struct sl_job_figures *results, struct sl_failure *f);
void lab_tell(const struct lab_step *step, const struct sl_session *session,
              struct sl_job_figures *results);
lab_perform lab_replay;

/* Runs "sh", a script among the files that came with sluice, and its arguments, in the scratch
 * directory. What it says is taken line by line, unless `take` is NULL; which is false for what is
 * none. A status other than 0 is a failure with the end of what it complained of. */
typedef bool lab_take(void *context, char *line, struct sl_job_figures *results);
int lab_script(const struct lab_step *step, const char **argv, lab_take *take, void *context,
               struct sl_job_figures *results, struct sl_failure *f);

#endif
