/* SPDX-License-Identifier: MIT */
/* Internal declarations of the program sluice-lab, for the files lab*.c only: file access, the
 * database, programs, steps and pages. After a fatal error, sluice-lab prints a message and exits.
 */
#ifndef LAB_INTERNAL_H
#define LAB_INTERNAL_H

#include "lab.h"
#include "sweep_store.h"

/* Exit statuses, the same as those of sluice. */
enum { EXIT_USAGE = 2, EXIT_LAB = 125, EXIT_NOT_FOUND = 127 };

/* ---- lab_files.c: fatal errors, files and memory ---- */

/* Print "sluice: " and the message to standard error, and exit with EXIT_LAB, EXIT_USAGE, or the
 * status that belongs to the failure's code. */
_Noreturn void lab_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void lab_die_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void lab_die_failure(const struct sl_failure *f);

/* Returns `memory`, the result of an allocation; exits if it is NULL. */
void *lab_check_alloc(void *memory);
/* Appends an uninitialized element to an array and returns its address. */
#define LAB_ADD(array, capacity, n) \
    (SL_GROW(array, capacity, (n) + 1) ? &(array)[(n)++] : lab_check_alloc(NULL))

/* The functions below exit on errors. */
char *lab_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lab_make_directory(const char *path);  /* and its parents */
void lab_remove_tree(const char *path);     /* ignores errors */
char *lab_read_file(const char *path);      /* text, to be freed */
char *lab_read_data_file(const char *name); /* the installed file lab/NAME */
/* Replaces a file atomically: readers see the old or the new content. */
void lab_write_file(const char *path, const char *text, size_t size);

/* ---- lab_store.c: the database, lab.db ---- */

/* Opens or creates the database; exits on errors. */
struct sl_sweep_store *lab_store_open(const char *path);
/* Executes SQL, with arguments as for sqlite3_mprintf(); exits on errors. */
void lab_store_execute(struct sl_sweep_store *store, const char *sql, ...);
void lab_store_programs(struct lab *lab);
/* True if the step was performed with exactly the same key. */
bool lab_store_has_step(struct sl_sweep_store *store, const struct lab_step *step);
/* Exits if the database has figures of another size, which would be lost or mixed with new ones. */
void lab_store_check_size(struct lab *lab);
/* Deletes the steps of the chosen experiments that are no longer planned, except those of programs
 * that are not selected or not available in this run. */
void lab_store_delete_stale(struct lab *lab);
/* Stores a step with its figures in one transaction. */
void lab_store_add_step(struct sl_sweep_store *store, const struct lab_step *step,
                        const struct sl_job_results *figures);

/* ---- lab_program.c: programs and recordings ---- */

/* Reads the list of the lab's programs from the script. */
void lab_programs_read(struct lab *lab);
/* Uses the user's streams in place of the lab's programs. Programs among them will be recorded next
 * to the path `record_path`. */
void lab_programs_add_streams(struct lab *lab, const char *const *text, size_t n,
                              const char *record_path);
/* Records the user's programs. */
void lab_programs_record(struct lab *lab);
const char *lab_kind_name(enum lab_kind kind);  /* "real" */
enum lab_kind lab_kind_parse(const char *name); /* 0: unknown */
char *lab_trace_path(const struct lab *lab, const struct lab_program *program);
/* Step that records its program. */
lab_perform lab_record;
/* True if the trace exists and the database has the recording step with the same key. */
bool lab_is_recorded(struct sl_sweep_store *store, const struct lab_step *recording);

/* ---- lab_plan.c ---- */

/* Plans the steps of all chosen experiments. */
void lab_plan(struct lab *lab);
/* Returns a new step that records the program. */
struct lab_step *lab_new_recording(struct lab *lab, struct lab_program *program);

/* ---- lab_jobs.c ---- */

/* Performs steps on this computer or on a cluster, and stores their figures. A step that fails has
 * its `failure` set. */
void lab_run_steps(struct lab *lab, struct lab_step *const *step, size_t n);
const char *lab_experiment_name(const struct lab_step *step); /* "record" for a recording */
/* Stores the figures of planned steps that jobs of an earlier run have left. */
void lab_collect_leftover(struct lab *lab);
/* Performs the step that a job file describes. Returns the exit status. */
int lab_run_job(const char *directory, const char *number);

/* ---- lab_spawn.c ---- */

extern const char *const lab_size_names[];
enum lab_size lab_size_parse(const char *name);

/* What a command has written to standard output and standard error. */
struct lab_output {
    char *out, *err;
    int status; /* as in a shell: 128 + signal, 127 if the command was not found */
};
/* Runs a command, found in PATH, in `directory` (NULL: the current one), without a shell and with
 * the variable SIZE set. Both texts of the result must be freed. */
struct lab_output lab_spawn(const char *const *argv, const char *directory, enum lab_size size);
/* Fails with SL_ENOTFOUND if the command was not found, otherwise with SL_EIO and the end of its
 * standard error. */
int lab_output_failure(const char *const *argv, const struct lab_output *output,
                       struct sl_failure *f);

/* ---- lab_page.c ---- */

/* Writes NAME.md from its template and queries. `experiment` is NULL for the overview. */
void lab_page(struct lab *lab, const char *name, const char *experiment);

/* ---- lab.c: a run ---- */

struct lab_request {
    const char *const *experiment, *const *program;
    size_t n_experiments, n_programs;
    const char *const *stream; /* the user's traces and programs; none: the lab's programs */
    size_t n_streams;
    const char *directory; /* NULL: sluice-lab, sluice-lab-quick, ... */
    enum lab_size size;
    unsigned jobs;             /* 0: one per processor */
    const char *where, *slurm; /* as in struct lab */
    bool again;                /* repeat finished steps */
    bool write;                /* only write the pages from existing figures */
    bool progress;
};
/* Runs the lab. Returns the exit status 0, or exits. */
int lab_run(const struct lab_request *request);

#endif
