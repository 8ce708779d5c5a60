/* The lab: experiments on real programs, with the published figures beside ours.
 *
 *     experiment ──plan──► steps ──perform──► figures (lab.db) ──queries──► page, csv, plots
 *
 * An *experiment* is one C file, which says what is measured, and one page of words in
 * data/lab with its queries, which says what is shown of it (lab_page.h). Its *steps* are
 * independent of each other: mostly one pass over one program's recorded stream with many
 * profiles. A step leaves *figures*, numbers with names; they are kept in one SQLite file
 * together with what the step was, so that one which is done is not done again, and
 * everything shown is a query over them.
 *
 * Steps are jobs as those of a sweep are (jobs.h): processes of their own, as many at a time as
 * there are processors, or jobs of a cluster. One that fails takes nothing else with it. Figures do
 * not depend on the order. What is random has a seed that is written in the step. */
#ifndef LAB_H
#define LAB_H

#include <sqlite3.h>

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
    bool needed;  /* by a step that is to be done */
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
    unsigned jobs;   /* steps at a time; 0: as many as there are processors, or as the cluster likes */
    const char *on, *slurm; /* where they run: "local", "slurm"; words for sbatch */
    bool again;      /* also what was done before */
    bool progress;   /* is told on standard error */
    sqlite3 *store;
    struct lab_program *program;
    size_t n_programs, room_programs;
    const char *const *wanted; /* programs; none: all */
    size_t n_wanted;
    const struct experiment **chosen;
    size_t n_chosen;
    struct lab_step **step; /* all that is planned */
    size_t n_steps, room_steps;
    const struct experiment *planning;
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
    uint64_t skip, limit; /* instructions of the stream that are left out first, and then taken; 0: all */
    struct lab_labelled {
        char *label, *spec;
    } *profile;
    size_t n_profiles, room_profiles;
    lab_perform *perform;
    char *key;     /* all that decides its figures */
    char *trace;   /* while it is performed: the recorded stream, */
    char *scratch; /* and a directory of its own for files, empty at first; absolute */
    char *failure; /* NULL, or why it failed */
    bool done;
};

struct experiment {
    const char *name;    /* also of its page */
    const char *summary; /* one line */
    unsigned programs;   /* enum lab_kind: it is planned once for each of these; */
    bool once;           /* and once without a program */
    /* Says what is to be done, by lab_step and what goes with it. */
    void (*plan)(struct lab *lab, const struct lab_program *program);
};

extern const struct experiment *const experiments[]; /* NULL at the end */

/* ---- planning --------------------------------------------------------------- */

/* A new step of the experiment that is being planned: `name` is unique within it, and
 * begins with the program's name if there is one. `program` may be NULL. */
struct lab_step *lab_step(struct lab *lab, const struct lab_program *program, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* A profile that the step makes, by the label under which its figures go. */
void lab_profile(struct lab_step *step, const char *label, const char *spec, ...)
    __attribute__((format(printf, 3, 4)));

/* What is replayed instead of a program: a made-up stream, "synth:..." (synth_kinds.c); and
 * the machine to be modelled. */
void lab_stream(struct lab_step *step, const char *stream, ...)
    __attribute__((format(printf, 2, 3)));
void lab_machine(struct lab_step *step, const char *machine, ...)
    __attribute__((format(printf, 2, 3)));

/* What does the step. Without it, the program's stream is replayed through the profiles
 * (lab_replay.c says which figures that leaves). `argument` is the step's own text and part
 * of what it is known by. */
void lab_by(struct lab_step *step, lab_perform *perform, const char *argument);

/* ---- performing --------------------------------------------------------------- */

/* Figures, one by one: `value` of `measure` under `label`, at `x` (NAN: of the whole), or
 * of an item by its name. One that is NAN is not kept. */
void lab_figure(struct sl_job_figures *results, const char *label, const char *measure, double x,
                double value);
void lab_figure_of(struct sl_job_figures *results, const char *label, const char *measure,
                   const char *item, double value);

/* The session of the step's profiles over its stream, run to the end: to be closed. And
 * its figures. What lab_replay does, for those who want to see more of it. */
int lab_session(const struct lab_step *step, bool exact, struct sl_session **session,
                struct sl_failure *f);
/* The same with its stream, which names of functions are from: to be closed after it. */
int lab_session_of(const struct lab_step *step, bool exact, struct sl_session **session,
                   struct sl_source **source, struct sl_failure *f);
void lab_tell(const struct lab_step *step, const struct sl_session *session,
              struct sl_job_figures *results);
lab_perform lab_replay;

/* Runs a command without a shell, its output to the file `out` in the scratch directory
 * (NULL: thrown away). A status other than 0 is a failure with the end of what it said. */
int lab_command(const struct lab_step *step, const char *const *argv, const char *out,
                struct sl_failure *f);

#endif
