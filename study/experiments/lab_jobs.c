/* SPDX-License-Identifier: MIT */
/* Steps as jobs (jobs.h). The file of one says which step it is: its experiment, its program, its
 * name, and the key of all that decides its figures. Whoever does it plans that experiment for that
 * program anew, finds the step by its name, and does it if it is still the same one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "job_file.h"
#include "jobs.h"
#include "lab_experiments.h"
#include "lab_inside.h"

#define BYTES_RECKONED (UINT64_C(1) << 30) /* of a step on a cluster, at first */
#define RECORD "record"                    /* what is not of an experiment */

void lab_figure(struct sl_job_figures *results, const char *label, const char *measure, double x,
                double value)
{
    sl_job_add_at(results, sl_job_label(results, label), measure, NULL, x, value);
}

void lab_figure_of(struct sl_job_figures *results, const char *label, const char *measure,
                   const char *item, double value)
{
    sl_job_add_at(results, sl_job_label(results, label), measure, item, (double)NAN, value);
}

const char *lab_experiment_of(const struct lab_step *step)
{
    return step->experiment ? step->experiment->name : RECORD;
}

/* ---- whoever has them ---- */

struct todo {
    struct lab *lab;
    struct lab_step *const *step;
};

/* On a terminal one line that is written over; what failed is said anywhere. What is still to
 * do takes, in the mean, as long as what was done. */
static void tell(const struct lab *lab, const struct lab_step *step)
{
    const char *over = lab->progress ? "\r\033[K" : "";
    double hands = lab->jobs ? lab->jobs : (double)sysconf(_SC_NPROCESSORS_ONLN);
    int left =
        (int)(lab->spent / (double)lab->n_done * (double)(lab->n_todo - lab->n_done) / hands + 0.5);
    fputs(over, stderr);
    if (step->failure)
        sl_print_line(stderr, "sluice: %s, %s: %s", lab_experiment_of(step), step->name,
                      step->failure);
    else if (lab->progress && lab->n_done < lab->n_todo)
        fprintf(stderr, "%zu of %zu, about %d:%02d left; done: %s, %s", lab->n_done, lab->n_todo,
                left / 60, left % 60, lab_experiment_of(step), step->name);
}

static uint64_t bytes(const void *context, size_t job)
{
    (void)context, (void)job;
    return BYTES_RECKONED;
}

/* Somebody else may have done it since. */
static int needed(void *context, size_t job, struct sl_failure *f)
{
    struct todo *todo = context;
    struct lab_step *step = todo->step[job];
    struct lab *lab = todo->lab;
    (void)f;
    step->done = step->experiment ? !lab->again && lab_store_has(lab->store, step)
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
    sl_job_put(&t, "experiment", lab_experiment_of(step));
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

static int keep(void *context, size_t job, const char *directory, size_t number,
                struct sl_failure *f)
{
    struct todo *todo = context;
    struct lab_step *step = todo->step[job];
    struct sl_job_figures figures = {0};
    int error = sl_job_collect(directory, number, &figures, f);
    if (error >= 0) {
        lab_store_step(todo->lab->store, step, &figures);
        step->done = true;
        todo->lab->spent += figures.seconds;
        todo->lab->n_done++;
        tell(todo->lab, step);
    }
    sl_job_figures_free(&figures);
    return error;
}

static int keep_failure(void *context, size_t job, const char *why, bool in_the_end,
                        struct sl_failure *f)
{
    struct todo *todo = context;
    (void)f;
    if (in_the_end) {
        todo->step[job]->failure = lab_format("%s", why);
        todo->lab->n_done++;
        tell(todo->lab, todo->step[job]);
    }
    return 0;
}

/* ---- the file of a job ---- */

struct read {
    char *lab, *size, *experiment, *name, *key, *program, *kind, *version,
        *trace; /* NULL: not there */
};

static int read_job(struct read *r, const char *directory, size_t number, struct sl_failure *f)
{
    const struct {
        const char *key;
        char **value;
    } row[] = {{"lab", &r->lab},   {"size", &r->size},       {"experiment", &r->experiment},
               {"name", &r->name}, {"key", &r->key},         {"program", &r->program},
               {"kind", &r->kind}, {"version", &r->version}, {"trace", &r->trace}};
    struct sl_job_lines lines;
    char *key, *value;
    *r = (struct read){0};
    int error = sl_job_open(&lines, directory, "job", number, f);
    while (error >= 0 && sl_job_next(&lines, &key, &value))
        for (size_t i = 0; i < sizeof row / sizeof *row; i++)
            if (!strcmp(key, row[i].key))
                *row[i].value = lab_format("%s", value);
    sl_job_close(&lines);
    if (error >= 0 && !(r->lab && r->size && r->experiment && r->name && r->key))
        error = sl_fail(f, SL_EFORMAT, "%s/job-%zu is not a step of the lab", directory, number);
    return error;
}

/* What cannot be read is none of ours. */
static int find(void *context, const char *directory, size_t number, struct sl_failure *f)
{
    struct lab *lab = ((struct todo *)context)->lab;
    struct read r;
    (void)f;
    for (size_t i = 0; read_job(&r, directory, number, NULL) >= 0 && i < lab->n_steps; i++) {
        struct lab_step *step = lab->step[i];
        struct sl_job_figures figures = {0};
        if (strcmp(step->name, r.name) || strcmp(lab_experiment_of(step), r.experiment) ||
            strcmp(step->key, r.key))
            continue;
        if (!lab_store_has(lab->store, step) &&
            sl_job_collect(directory, number, &figures, NULL) >= 0)
            lab_store_step(lab->store, step, &figures);
        sl_job_figures_free(&figures);
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
                            .keep = keep,
                            .keep_failure = keep_failure,
                            .find = find};
}

void lab_take_left(struct lab *lab)
{
    struct todo todo = {lab, lab->step};
    struct sl_jobs jobs = jobs_of(&todo, 0);
    struct sl_failure f;
    if (sl_jobs_take_left(&jobs, &f) < 0)
        lab_die_of(&f);
}

void lab_do_steps(struct lab *lab, struct lab_step *const *step, size_t n)
{
    struct todo todo = {lab, step};
    struct sl_jobs jobs = jobs_of(&todo, n);
    struct sl_failure f;
    if ((strcmp(lab->on, "slurm") ? sl_jobs_here : sl_jobs_slurm)(&jobs, &f) < 0)
        lab_die_of(&f);
}

/* ---- whoever does one ---- */

static struct lab_program program_of(const struct read *r)
{
    return (struct lab_program){.name = r->program,
                                .does = "",
                                .version = r->version,
                                .kind = lab_kind_called(r->kind),
                                .trace = r->trace};
}

static struct lab_step *find_step(struct lab *lab, const struct read *r)
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
        step = lab_recording(lab, lab->program);
    for (size_t i = 0; i < lab->n_steps; i++)
        if (!strcmp(lab->step[i]->name, r->name))
            step = lab->step[i];
    return step && !strcmp(step->key, r->key) ? step : NULL;
}

static int perform(void *context, struct sl_job_figures *out, struct sl_failure *f)
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

int lab_work(const char *directory, const char *number)
{
    struct read r;
    struct sl_failure f;
    size_t job = strtoul(number, NULL, 10);
    if (read_job(&r, directory, job, &f) < 0)
        lab_die_of(&f);
    struct lab_program program = r.program && r.kind && r.version ? program_of(&r)
                                                                  : (struct lab_program){0};
    struct lab lab = {.directory = r.lab,
                      .size = lab_size_called(r.size),
                      .program = &program,
                      .n_programs = program.name != NULL,
                      .script = sl_data_path("lab/programs.sh"),
                      .sluice = lab_format("%s/sluice", (char *)lab_got(sl_install_directory()))};
    struct lab_step *step = find_step(&lab, &r);
    if (!step)
        lab_die("%s of %s is not what it was when it was asked for", r.name, r.experiment);
    step->scratch = lab_format("%s/scratch-%zu", directory, job);
    if (sl_job_work(directory, job, perform, step, &f) < 0)
        lab_die_of(&f);
    return 0;
}
