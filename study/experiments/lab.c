/* SPDX-License-Identifier: MIT */
/* A run of the lab: programs, plan, recordings, steps, pages. What it allocates stays until
 * it ends. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_experiments.h"
#include "lab_inside.h"
#include "data_path.h"

static const char *const usual_directories[] = {
    [LAB_FULL] = "sluice-lab",
    [LAB_QUICK] = "sluice-lab-quick",
    [LAB_TINY] = "sluice-lab-tiny",
};

static bool is_chosen(const struct lab *lab, const struct experiment *experiment)
{
    for (size_t i = 0; i < lab->n_chosen; i++)
        if (lab->chosen[i] == experiment)
            return true;
    return false;
}

/* Of all, those that a stream of the user's goes through, if there is one. */
static void choose(struct lab *lab, const char *name, bool yours)
{
    bool all = !strcmp(name, "all"), found = all;
    for (size_t i = 0; experiments[i].name; i++) {
        const struct experiment *one = &experiments[i];
        bool is_it = !strcmp(one->name, name);
        found |= is_it;
        if (yours && one->not_yours && is_it)
            lab_die_usage("a stream of yours makes no difference to %s: %s", name, one->not_yours);
        if (yours && one->not_yours && all)
            printf("left out: %s: %s\n", one->name, one->not_yours);
        else if ((all || is_it) && !is_chosen(lab, one))
            lab->chosen[lab->n_chosen++] = one;
    }
    if (!found)
        lab_die_usage("there is no experiment called %s; 'sluice lab' lists them", name);
}

/* Before hours of computing that could not be shown. */
static void check_pages(const struct lab *lab)
{
    for (size_t i = 0; i < lab->n_chosen; i++) {
        static const char *const endings[] = {"md", "sql"};
        for (size_t k = 0; k < 2; k++) {
            char *name = lab_format("%s.%s", lab->chosen[i]->name, endings[k]);
            free(lab_words(name));
            free(name);
        }
    }
}

static void settle(struct lab *lab, const char *wanted, bool write)
{
    if (!write)
        lab_make_directory(wanted);
    lab->directory = realpath(wanted, NULL);
    if (!lab->directory)
        lab_die("%s: %s", wanted, strerror(errno));
    lab->database = lab_format("%s/lab.db", lab->directory);
    lab->sluice = lab_format("%s/sluice", (char *)lab_got(sl_install_directory()));
    if (access(lab->sluice, X_OK))
        lab_die("%s, which is to record programs: %s", lab->sluice, strerror(errno));
    if (write && access(lab->database, F_OK))
        lab_die("%s: nothing was measured here that could be written", lab->directory);
    lab->store = lab_store_open(lab->database);
    lab_store_size(lab);
}

/* ---- recordings first, then the steps ---- */

struct list {
    struct lab_step **step;
    size_t n;
};

static struct list list_steps(struct lab *lab)
{
    struct list todo = {lab_got(calloc(lab->n_steps + 1, sizeof *todo.step)), 0};
    for (size_t i = 0; i < lab->n_steps; i++) {
        struct lab_step *step = lab->step[i];
        step->done = !lab->again && lab_store_has(lab->store, step);
        if (!step->done) {
            todo.step[todo.n++] = step;
            if (step->program)
                step->program->needed = true;
        }
    }
    return todo;
}

static struct list list_recordings(struct lab *lab)
{
    struct list todo = {lab_got(calloc(lab->n_programs + 1, sizeof *todo.step)), 0};
    for (size_t i = 0; i < lab->n_programs; i++) {
        struct lab_step *one = lab->program[i].needed ? lab_recording(lab, &lab->program[i]) : NULL;
        if (one && !lab_is_recorded(lab->store, one))
            todo.step[todo.n++] = one;
    }
    return todo;
}

/* Steps of a program that could not be recorded fail with it. */
static void leave_out(struct lab *lab, struct list *todo, const struct lab_step *recording)
{
    size_t n = 0;
    for (size_t i = 0; i < todo->n; i++) {
        struct lab_step *step = todo->step[i];
        if (step->program == recording->program) {
            step->failure = lab_format("%s could not be recorded: %s", step->program->name,
                                       recording->failure);
            lab->n_todo--;
        } else {
            todo->step[n++] = step;
        }
    }
    todo->n = n;
}

static void do_steps(struct lab *lab)
{
    lab_take_left(lab);
    struct list steps = list_steps(lab), recordings = list_recordings(lab);
    lab->n_todo = steps.n + recordings.n;
    lab_do_steps(lab, recordings.step, recordings.n);
    for (size_t i = 0; i < recordings.n; i++)
        if (!recordings.step[i]->done)
            leave_out(lab, &steps, recordings.step[i]);
    lab_do_steps(lab, steps.step, steps.n);
}

/* ---- pages ---- */

static const struct lab_step *failed_step(const struct lab *lab,
                                          const struct experiment *experiment)
{
    for (size_t i = 0; i < lab->n_steps; i++)
        if (lab->step[i]->experiment == experiment && lab->step[i]->failure)
            return lab->step[i];
    return NULL;
}

static int write_pages(struct lab *lab)
{
    size_t failed = 0;
    for (size_t i = 0; i < lab->n_chosen; i++) {
        const char *name = lab->chosen[i]->name;
        const struct lab_step *why = failed_step(lab, lab->chosen[i]);
        failed += why != NULL;
        if (why) {
            printf("%s: not written: %s: %s\n", name, why->name, why->failure);
            continue;
        }
        lab_page(lab, name, name);
        printf("%s/%s.md\n", lab->directory, name);
    }
    if (failed < lab->n_chosen) {
        lab_page(lab, "README", NULL);
        printf("%s/README.md\n", lab->directory);
    }
    if (failed)
        lab_die("%zu of %zu experiments could not be finished; run them again, and what was done "
                "is not done again",
                failed, lab->n_chosen);
    return 0;
}

/* What there is: for a run that names no experiment. */
static int list_all(const struct lab *lab)
{
    printf("experiments\n");
    for (size_t i = 0; experiments[i].name; i++)
        printf("  %-12s %s\n", experiments[i].name, experiments[i].summary);
    printf("\nprograms\n");
    for (size_t i = 0; i < lab->n_programs; i++)
        printf("  %-16s %s%s\n", lab->program[i].name, lab->program[i].absent ? "left out: " : "",
               lab->program[i].absent ? lab->program[i].absent : lab->program[i].does);
    return 0;
}

int lab_run(const struct lab_request *request)
{
    struct lab lab = {.size = request->size,
                      .jobs = request->jobs,
                      .on = request->on ? request->on : "local",
                      .slurm = request->slurm,
                      .again = request->again,
                      .progress = request->progress,
                      .wanted = request->program,
                      .n_wanted = request->n_programs};
    const char *directory = request->directory   ? request->directory
                            : request->n_streams ? "sluice-lab-traces"
                                                 : usual_directories[lab.size];
    char *beside = lab_format("%s/programs", directory);
    size_t n = 1;
    while (experiments[n].name)
        n++;
    lab.chosen = lab_got(calloc(n, sizeof *lab.chosen));
    for (size_t i = 0; i < request->n_experiments; i++)
        choose(&lab, request->experiment[i], request->n_streams);
    if (request->n_streams)
        lab_programs_take(&lab, request->stream, request->n_streams, beside);
    else
        lab_programs_read(&lab);
    if (!lab.n_chosen)
        return list_all(&lab);
    check_pages(&lab);
    settle(&lab, directory, request->write);
    if (!request->write) { /* versions are those that the figures are of */
        lab_store_programs(&lab);
        lab_programs_record(&lab);
    }
    lab_plan(&lab);
    if (!request->write) {
        lab_store_tidy(&lab);
        do_steps(&lab);
    }
    for (size_t i = 0; i < lab.n_programs; i++)
        if (lab.program[i].absent)
            printf("left out: %s: %s\n", lab.program[i].name, lab.program[i].absent);
    return write_pages(&lab);
}
