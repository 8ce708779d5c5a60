/* SPDX-License-Identifier: MIT */
/* The lab's inside: for the files lab*.c only. It is a program: what cannot be gone on with
 * ends it, with a sentence. */
#ifndef LAB_INSIDE_H
#define LAB_INSIDE_H

#include "lab.h"
#include "sweep_store.h"

/* Exit statuses, as sluice itself has them. */
enum { EXIT_USAGE = 2, EXIT_LAB = 125, EXIT_NOT_FOUND = 127 };

/* ---- lab_files.c: ends and beginnings ---- */

_Noreturn void lab_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void lab_die_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void lab_die_of(const struct sl_failure *f);

/* What was got, which is not NULL. */
void *lab_got(void *memory);
#define LAB_ADD(array, capacity, n) \
    (SL_GROW(array, capacity, (n) + 1) ? &(array)[(n)++] : lab_got(NULL))

char *lab_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lab_make_directory(const char *path); /* with those above it */
void lab_remove_tree(const char *path);
char *lab_read_file(const char *path);
/* In one step: what was there stays until all of it is written. */
void lab_write_file(const char *path, const char *text, size_t size);
char *lab_words(const char *name); /* of the file lab/NAME that came with sluice */

/* ---- the database; lab_store.c ---- */

struct sl_sweep_store *lab_store_open(const char *path);
/* SQL with values in it, as sqlite3_mprintf has them; what is refused ends the program. */
void lab_do(struct sl_sweep_store *store, const char *sql, ...);
void lab_store_programs(struct lab *lab);
/* Whether the step was done, exactly as it is now. */
bool lab_store_has(struct sl_sweep_store *store, const struct lab_step *step);
/* Ends if it has figures of another size, which would be lost or mixed up with these. */
void lab_store_size(struct lab *lab);
/* Forgets steps of the chosen experiments that are not planned any more; but not those of
 * programs that were not asked for, or are not there now. */
void lab_store_tidy(struct lab *lab);
/* All that is saved of a step is saved at once. */
void lab_store_step(struct sl_sweep_store *store, const struct lab_step *step,
                    const struct sl_job_figures *figures);

/* ---- programs and steps ---- */

/* lab_program.c: asks the script for all of them, or takes the user's traces and programs instead
 * (sweep_stream.h), which it records beside the given file. */
void lab_programs_read(struct lab *lab);
void lab_programs_take(struct lab *lab, const char *const *text, size_t n, const char *beside);
void lab_programs_record(struct lab *lab);
const char *lab_kind_name(enum lab_kind kind);   /* "real" */
enum lab_kind lab_kind_called(const char *name); /* 0: none is */
char *lab_trace_path(const struct lab *lab, const struct lab_program *program);
/* Records the program. And whether that was done: key and trace have to be there. */
lab_perform lab_record;
bool lab_is_recorded(struct sl_sweep_store *store, const struct lab_step *recording);

/* lab_plan.c */
void lab_plan(struct lab *lab);
struct lab_step *lab_recording(struct lab *lab, struct lab_program *program);

/* lab_jobs.c: performs steps, here or on a cluster. Those that fail say so in themselves. */
void lab_do_steps(struct lab *lab, struct lab_step *const *step, size_t n);
const char *lab_experiment_of(const struct lab_step *step); /* its name, or "record" */
/* Takes figures of planned steps that were found for somebody who has ended meanwhile. */
void lab_take_left(struct lab *lab);
/* Performs one, as the file of a job says. */
int lab_work(const char *directory, const char *number);

/* lab_spawn.c: a command, found in PATH, without a shell; what it says on standard output
 * and, apart from that, on standard error. */
struct lab_said {
    char *out, *err;
    int status; /* as a shell has it: 128 and more for a signal, 127 if there is none such */
};
extern const char *const lab_size_names[];
enum lab_size lab_size_called(const char *name);
struct lab_said lab_spawn(const char *const *argv, const char *directory, enum lab_size size);
/* A failure that quotes the end of what it said on standard error. */
int lab_said_why(const char *const *argv, const struct lab_said *said, struct sl_failure *f);

/* lab_page.c: writes a page. */
void lab_page(struct lab *lab, const char *name, const char *experiment);

/* lab.c: a run. */
struct lab_request {
    const char *const *experiment, *const *program;
    size_t n_experiments, n_programs;
    const char *const *stream; /* the user's own traces and programs; none: the lab's programs */
    size_t n_streams;
    const char *directory; /* NULL: sluice-lab, sluice-lab-quick, ... */
    enum lab_size size;
    unsigned jobs; /* 0: as many as processors */
    const char *on, *slurm;
    bool again; /* also what was done before */
    bool write; /* only the pages, from what is there */
    bool progress;
};
int lab_run(const struct lab_request *request);

#endif
