/* SPDX-License-Identifier: MIT */
/* Runs the steps of the experiments of `sluice lab` as jobs (jobs.h), which are processes on this
 * computer or tasks on a cluster.
 *
 * A job file identifies a step by experiment, program, name and key. The process that performs the
 * job plans the experiment for that program again, finds the step by its name, and performs it if
 * its key is still the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "job_file.h"
#include "jobs.h"
#include "lab_experiments.h"
#include "lab_internal.h"

#define ESTIMATED_BYTES                                                      \
    (UINT64_C(1) << 30) /* memory requested for a step on a cluster at first \
                         */
#define RECORD "record" /* in place of an experiment's name, for recordings */

void lab_add_figure(struct sl_job_results *results, const char *label, const char *measure,
                    double x, double value)
{
    sl_job_add_at(results, sl_job_label(results, label), measure, NULL, x, value);
}

void lab_add_item_figure(struct sl_job_results *results, const char *label, const char *measure,
                         const char *item, double value)
{
    sl_job_add_at(results, sl_job_label(results, label), measure, item, (double)NAN, value);
}

const char *lab_experiment_name(const struct lab_step *step)
{
    return step->experiment ? step->experiment->name : RECORD;
}

/* ---- the submitting process ---- */

struct todo {
    struct lab *lab;
    struct lab_step *const *step;
};

/* Reports a finished step: on a terminal in one line that the next report overwrites. Failures are
 * reported in any case. The remaining steps are assumed to take as long as the finished ones on
 * average. */
static void report(const struct lab *lab, const struct lab_step *step)
{
    const char *clear_line = lab->progress ? "\r\033[K" : "";
    double parallel = lab->jobs ? lab->jobs : (double)sysconf(_SC_NPROCESSORS_ONLN);
    int left = (int)(lab->seconds_done / (double)lab->n_done * (double)(lab->n_todo - lab->n_done) /
                         parallel +
                     0.5);
    fputs(clear_line, stderr);
    if (step->failure)
        sl_print_line(stderr, "sluice: %s, %s: %s", lab_experiment_name(step), step->name,
                      step->failure);
    else if (lab->progress && lab->n_done < lab->n_todo)
        fprintf(stderr, "%zu of %zu steps done, about %d:%02d left; last step: %s, %s", lab->n_done,
                lab->n_todo, left / 60, left % 60, lab_experiment_name(step), step->name);
}

static uint64_t bytes(const void *context, size_t job)
{
    (void)context, (void)job;
    return ESTIMATED_BYTES;
}

/* Another lab on the same directory may have performed the step in the meantime. */
static int needed(void *context, size_t job, struct sl_failure *f)
{
    struct todo *todo = context;
    struct lab_step *step = todo->step[job];
    struct lab *lab = todo->lab;
    (void)f;
    step->done = step->experiment ? !lab->again && lab_store_has_step(lab->store, step)
                                  : lab_is_recorded(lab->store, step);
    lab->n_done += step->done;
    return !step->done;
}

static int write_job(void *context, size_t job, const char *directory, size_t number,
                     struct sl_failure *f)
{
    const struct lab_step *step = ((struct todo *)context)->step[job];
    const struct lab_program *program = step->program;
    struct sl_job_text t;
    sl_job_begin(&t);
    sl_job_put(&t, "lab", step->lab->directory);
    sl_job_put(&t, "size", lab_size_names[step->lab->size]);
    sl_job_put(&t, "experiment", lab_experiment_name(step));
    sl_job_put(&t, "name", step->name);
    sl_job_put(&t, "key", step->key);
    if (program) {
        sl_job_put(&t, "program", program->name);
        sl_job_put(&t, "kind", lab_kind_name(program->kind));
        sl_job_put(&t, "version", program->version);
    }
    if (program && program->trace)
        sl_job_put(&t, "trace", program->trace);
    return sl_job_write(&t, directory, "job", number, f);
}

static int store_result(void *context, size_t job, const char *directory, size_t number,
                        struct sl_failure *f)
{
    struct todo *todo = context;
    struct lab_step *step = todo->step[job];
    struct sl_job_results figures = {0};
    int error = sl_job_collect(directory, number, &figures, f);
    if (error >= 0) {
        lab_store_add_step(todo->lab->store, step, &figures);
        step->done = true;
        todo->lab->seconds_done += figures.seconds;
        todo->lab->n_done++;
        report(todo->lab, step);
    }
    sl_job_results_free(&figures);
    return error;
}

static int store_failure(void *context, size_t job, const char *why, bool final,
                         struct sl_failure *f)
{
    struct todo *todo = context;
    (void)f;
    if (final) {
        todo->step[job]->failure = lab_format("%s", why);
        todo->lab->n_done++;
        report(todo->lab, todo->step[job]);
    }
    return 0;
}

/* ---- the file of a job ---- */

struct job_fields {
    char *lab, *size, *experiment, *name, *key, *program, *kind, *version,
        *trace; /* NULL: not there */
};

static int read_job(struct job_fields *r, const char *directory, size_t number,
                    struct sl_failure *f)
{
    const struct {
        const char *key;
        char **value;
    } row[] = {{"lab", &r->lab},   {"size", &r->size},       {"experiment", &r->experiment},
               {"name", &r->name}, {"key", &r->key},         {"program", &r->program},
               {"kind", &r->kind}, {"version", &r->version}, {"trace", &r->trace}};
    struct sl_job_lines lines;
    char *key, *value;
    *r = (struct job_fields){0};
    int error = sl_job_open(&lines, directory, "job", number, f);
    while (error >= 0 && sl_job_next(&lines, &key, &value))
        for (size_t i = 0; i < sizeof row / sizeof *row; i++)
            if (!strcmp(key, row[i].key))
                *row[i].value = lab_format("%s", value);
    sl_job_close(&lines);
    if (error >= 0 && !(r->lab && r->size && r->experiment && r->name && r->key))
        error = sl_fail(f, SL_EFORMAT, "%s/job-%zu is not a job file of the lab", directory,
                        number);
    return error;
}

/* Stores the figures of a leftover job if its step is planned. Ignores unreadable job files. */
static int find(void *context, const char *directory, size_t number, struct sl_failure *f)
{
    struct lab *lab = ((struct todo *)context)->lab;
    struct job_fields r;
    (void)f;
    for (size_t i = 0; read_job(&r, directory, number, NULL) >= 0 && i < lab->n_steps; i++) {
        struct lab_step *step = lab->step[i];
        struct sl_job_results figures = {0};
        if (strcmp(step->name, r.name) || strcmp(lab_experiment_name(step), r.experiment) ||
            strcmp(step->key, r.key))
            continue;
        if (!lab_store_has_step(lab->store, step) &&
            sl_job_collect(directory, number, &figures, NULL) >= 0)
            lab_store_add_step(lab->store, step, &figures);
        sl_job_results_free(&figures);
        break;
    }
    return 0;
}

static struct sl_jobs jobs_of(struct todo *todo, size_t n)
{
    const struct lab *lab = todo->lab;
    return (struct sl_jobs){.context = todo,
                            .n = n,
                            .file = lab->database,
                            .command = "lab",
                            .at_once = lab->jobs,
                            .slurm = lab->slurm,
                            .bytes = bytes,
                            .needed = needed,
                            .write = write_job,
                            .store_results = store_result,
                            .store_failure = store_failure,
                            .find = find};
}

void lab_collect_leftover(struct lab *lab)
{
    struct todo todo = {lab, lab->step};
    struct sl_jobs jobs = jobs_of(&todo, 0);
    struct sl_failure f;
    if (sl_jobs_collect_leftover(&jobs, &f) < 0)
        lab_die_failure(&f);
}

void lab_run_steps(struct lab *lab, struct lab_step *const *step, size_t n)
{
    struct todo todo = {lab, step};
    struct sl_jobs jobs = jobs_of(&todo, n);
    struct sl_failure f;
    if ((strcmp(lab->where, "slurm") ? sl_jobs_local : sl_jobs_slurm)(&jobs, &f) < 0)
        lab_die_failure(&f);
}

/* ---- the process that performs a job ---- */

static struct lab_program program_of(const struct job_fields *r)
{
    return (struct lab_program){.name = r->program,
                                .summary = "",
                                .version = r->version,
                                .kind = lab_kind_parse(r->kind),
                                .trace = r->trace};
}

static struct lab_step *find_step(struct lab *lab, const struct job_fields *r)
{
    const struct experiment *experiment = NULL;
    struct lab_step *step = NULL;
    for (size_t i = 0; experiments[i].name; i++)
        if (!strcmp(experiments[i].name, r->experiment))
            experiment = &experiments[i];
    lab->chosen = &experiment;
    lab->n_chosen = experiment != NULL;
    lab_plan(lab);
    if (!strcmp(r->experiment, RECORD) && lab->n_programs)
        step = lab_new_recording(lab, lab->program);
    for (size_t i = 0; i < lab->n_steps; i++)
        if (!strcmp(lab->step[i]->name, r->name))
            step = lab->step[i];
    return step && !strcmp(step->key, r->key) ? step : NULL;
}

static int perform(void *context, struct sl_job_results *out, struct sl_failure *f)
{
    struct lab_step *step = context;
    step->trace = step->stream    ? step->stream
                  : step->program ? lab_trace_path(step->lab, step->program)
                                  : NULL;
    lab_make_directory(step->scratch);
    int error = step->perform(step, out, f);
    lab_remove_tree(step->scratch);
    return error;
}

int lab_run_job(const char *directory, const char *number)
{
    struct job_fields r;
    struct sl_failure f;
    size_t job = strtoul(number, NULL, 10);
    if (read_job(&r, directory, job, &f) < 0)
        lab_die_failure(&f);
    struct lab_program program = r.program && r.kind && r.version ? program_of(&r)
                                                                  : (struct lab_program){0};
    struct lab lab = {
        .directory = r.lab,
        .size = lab_size_parse(r.size),
        .program = &program,
        .n_programs = program.name != NULL,
        .script = sl_data_path("lab/programs.sh"),
        .sluice = lab_format("%s/sluice", (char *)lab_check_alloc(sl_install_directory()))};
    struct lab_step *step = find_step(&lab, &r);
    if (!step)
        lab_die("step '%s' of %s has changed since its job was submitted: start the lab again",
                r.name, r.experiment);
    step->scratch = lab_format("%s/scratch-%zu", directory, job);
    if (sl_job_work(directory, job, perform, step, &f) < 0)
        lab_die_failure(&f);
    return 0;
}
