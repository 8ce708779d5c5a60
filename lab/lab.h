/* The lab: experiments on real programs, with the published figures beside ours.
 *
 *     experiment ──plan──► steps ──perform──► figures (lab.db) ──template──► page, csv, plots
 *
 * An *experiment* is one C file, which says what is measured, and one page of words in
 * data/lab, which says what is shown of it (lab_page.h). Its *steps* are independent of
 * each other: mostly one pass over one program's recorded stream with many profiles. A step
 * leaves *figures*, numbers with names; they are kept in one SQLite file together with what
 * the step was, so that one which is done is not done again, and everything shown is a
 * query over them.
 *
 * Steps run in processes of their own, as many at a time as there are processors: one that
 * fails takes nothing else with it. Figures do not depend on the order. What is random has
 * a seed that is written in the step. */
#ifndef LAB_H
#define LAB_H

#include "sluice.h"

enum lab_size {
    LAB_FULL,
    LAB_QUICK, /* small inputs: minutes */
    LAB_TINY,  /* whether it works at all: for tests */
};

/* A step of an experiment has come to its end. */
struct lab_progress {
    const char *experiment, *step;
    const char *failure; /* NULL, or why it failed */
    size_t done, steps;  /* of all that are to be done now */
    double seconds_left; /* an estimate */
};

struct lab_config {
    const char *const *experiment; /* names, or "all"; none: what there is, is listed */
    size_t n_experiments;
    const char *const *program; /* only these; none: all */
    size_t n_programs;
    enum lab_size size;
    const char *directory; /* for everything; NULL: sluice-lab, sluice-lab-quick, ... */
    unsigned jobs;         /* steps at a time; 0: as many as processors */
    bool again;            /* also what was done before */
    bool write;            /* only the pages, from what is there */
    void (*progress)(void *context, const struct lab_progress *progress);
    void *context;
};

/* Runs the experiments, in processes of their own, and writes their pages, data and
 * pictures; says on `out` what was written and what was left out. A step that was done
 * before is not done again. Steps that fail do not stop the others: their experiments'
 * pages are not written, and it is a failure. */
int lab_run(const struct lab_config *config, FILE *out, struct sl_failure *f);

enum lab_kind {
    LAB_REAL = 1,  /* programs that come with the system */
    LAB_SMALL = 2, /* programs of our own */
    LAB_MIPS = 4,  /* the same, compiled for MIPS */
};

struct lab_program {
    char *name, *does, *version;
    enum lab_kind kind;
    char *absent; /* NULL, or why it cannot be run here */
    bool needed;  /* by a step that is to be done */
};

struct lab;
struct lab_step;

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

enum lab_size lab_size(const struct lab *lab);

/* A new step of the experiment that is being planned: `name` is unique within it, and
 * begins with the program's name if there is one. `program` may be NULL. */
struct lab_step *lab_step(struct lab *lab, const struct lab_program *program,
                                const char *name, ...) __attribute__((format(printf, 3, 4)));

/* A profile that the step makes, by the label under which its figures go. */
void lab_profile(struct lab_step *step, const char *label, const char *spec, ...)
    __attribute__((format(printf, 3, 4)));

/* What is replayed instead of a program: a made-up stream, "synth:..." (synth_kinds.c). */
void lab_stream(struct lab_step *step, const char *stream, ...)
    __attribute__((format(printf, 2, 3)));

/* The machine to be modelled; and after how many events the error is measured, too: after
 * each so many at first, and more sparsely as there are more. */
void lab_machine(struct lab_step *step, const char *machine, ...)
    __attribute__((format(printf, 2, 3)));
void lab_every(struct lab_step *step, uint64_t events);

/* Instructions of a window of the dynamic overlap, which is not measured without. */
void lab_window(struct lab_step *step, uint64_t instructions);

struct lab_results;

/* What does the step. Without it, the program's stream is replayed through the profiles
 * (lab_replay.c says which figures that leaves). `argument` is the step's own text and part
 * of what it is known by. */
typedef int lab_perform(const struct lab_step *step, struct lab_results *results,
                           struct sl_failure *f);
void lab_by(struct lab_step *step, lab_perform *perform, const char *argument);

/* ---- performing --------------------------------------------------------------- */

const char *lab_argument(const struct lab_step *step);
enum lab_size lab_size_of(const struct lab_step *step);

/* The recorded stream of the step's program; and a directory of its own for files, empty
 * at first. Both absolute. */
const char *lab_trace(const struct lab_step *step);
const char *lab_scratch(const struct lab_step *step);

/* Where the lab keeps everything, for what is to outlive the step; and the program sluice. */
const char *lab_directory(const struct lab_step *step);
const char *lab_sluice(const struct lab_step *step);

/* Figures, one by one: `value` of `measure` under `label`, at `x` (NAN: of the whole), or
 * of an item by its name. One that is NAN is not kept. */
void lab_figure(struct lab_results *results, const char *label, const char *measure,
                   double x, double value);
void lab_figure_of(struct lab_results *results, const char *label, const char *measure,
                      const char *item, double value);

/* The session of the step's profiles over its stream, run to the end: to be closed. And
 * its figures. What lab_replay does, for those who want to see more of it. */
int lab_session(const struct lab_step *step, bool exact, struct sl_session **session,
                   struct sl_failure *f);
/* The same with its stream, which names of functions are from: to be closed after it. */
int lab_session_of(const struct lab_step *step, bool exact, struct sl_session **session,
                      struct sl_source **source, struct sl_failure *f);
void lab_tell(const struct lab_step *step, const struct sl_session *session,
                 struct lab_results *results);
lab_perform lab_replay;

/* Runs a command without a shell, its output to the file `out` in the scratch directory
 * (NULL: thrown away). A status other than 0 is a failure with the end of what it said. */
int lab_command(const struct lab_step *step, const char *const *argv, const char *out,
                   struct sl_failure *f);

#endif
