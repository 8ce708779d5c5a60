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
#ifndef SL_LAB_H
#define SL_LAB_H

#include "sluice.h"

enum sl_lab_kind {
    SL_LAB_REAL = 1,  /* programs that come with the system */
    SL_LAB_SMALL = 2, /* programs of our own */
    SL_LAB_MIPS = 4,  /* the same, compiled for MIPS */
};

struct sl_lab_program {
    char *name, *does, *version;
    enum sl_lab_kind kind;
    char *absent; /* NULL, or why it cannot be run here */
    bool needed;  /* by a step that is to be done */
};

struct sl_lab;
struct sl_lab_step;

struct sl_experiment {
    const char *name;    /* also of its page */
    const char *summary; /* one line */
    unsigned programs;   /* enum sl_lab_kind: it is planned once for each of these; */
    bool once;           /* and once without a program */
    /* Says what is to be done, by sl_lab_step and what goes with it. */
    void (*plan)(struct sl_lab *lab, const struct sl_lab_program *program);
};

extern const struct sl_experiment *const sl_experiments[]; /* NULL at the end */

/* ---- planning --------------------------------------------------------------- */

enum sl_lab_size sl_lab_size(const struct sl_lab *lab);

/* A new step of the experiment that is being planned: `name` is unique within it, and
 * begins with the program's name if there is one. `program` may be NULL. */
struct sl_lab_step *sl_lab_step(struct sl_lab *lab, const struct sl_lab_program *program,
                                const char *name, ...) __attribute__((format(printf, 3, 4)));

/* A profile that the step makes, by the label under which its figures go. */
void sl_lab_profile(struct sl_lab_step *step, const char *label, const char *spec, ...)
    __attribute__((format(printf, 3, 4)));

/* What is replayed instead of a program: a made-up stream, "synth:..." (synth_kinds.c). */
void sl_lab_stream(struct sl_lab_step *step, const char *stream, ...)
    __attribute__((format(printf, 2, 3)));

/* The machine to be modelled; and after how many events the error is measured, too: after
 * each so many at first, and more sparsely as there are more. */
void sl_lab_machine(struct sl_lab_step *step, const char *machine, ...)
    __attribute__((format(printf, 2, 3)));
void sl_lab_every(struct sl_lab_step *step, uint64_t events);

/* Instructions of a window of the dynamic overlap, which is not measured without. */
void sl_lab_window(struct sl_lab_step *step, uint64_t instructions);

struct sl_lab_results;

/* What does the step. Without it, the program's stream is replayed through the profiles
 * (lab_replay.c says which figures that leaves). `argument` is the step's own text and part
 * of what it is known by. */
typedef int sl_lab_perform(const struct sl_lab_step *step, struct sl_lab_results *results,
                           struct sl_failure *f);
void sl_lab_by(struct sl_lab_step *step, sl_lab_perform *perform, const char *argument);

/* ---- performing --------------------------------------------------------------- */

const char *sl_lab_argument(const struct sl_lab_step *step);
enum sl_lab_size sl_lab_size_of(const struct sl_lab_step *step);

/* The recorded stream of the step's program; and a directory of its own for files, empty
 * at first. Both absolute. */
const char *sl_lab_trace(const struct sl_lab_step *step);
const char *sl_lab_scratch(const struct sl_lab_step *step);

/* Where the lab keeps everything, for what is to outlive the step; and this program. */
const char *sl_lab_directory(const struct sl_lab_step *step);
const char *sl_lab_self(const struct sl_lab_step *step);

/* Figures, one by one: `value` of `measure` under `label`, at `x` (NAN: of the whole), or
 * of an item by its name. One that is NAN is not kept. */
void sl_lab_figure(struct sl_lab_results *results, const char *label, const char *measure,
                   double x, double value);
void sl_lab_figure_of(struct sl_lab_results *results, const char *label, const char *measure,
                      const char *item, double value);

/* The session of the step's profiles over its stream, run to the end: to be closed. And
 * its figures. What sl_lab_replay does, for those who want to see more of it. */
int sl_lab_session(const struct sl_lab_step *step, bool exact, struct sl_session **session,
                   struct sl_failure *f);
/* The same with its stream, which names of functions are from: to be closed after it. */
int sl_lab_session_of(const struct sl_lab_step *step, bool exact, struct sl_session **session,
                      struct sl_source **source, struct sl_failure *f);
void sl_lab_tell(const struct sl_lab_step *step, const struct sl_session *session,
                 struct sl_lab_results *results);
sl_lab_perform sl_lab_replay;

/* Runs a command without a shell, its output to the file `out` in the scratch directory
 * (NULL: thrown away). A status other than 0 is a failure with the end of what it said. */
int sl_lab_command(const struct sl_lab_step *step, const char *const *argv, const char *out,
                   struct sl_failure *f);

#endif
