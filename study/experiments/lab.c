/* SPDX-License-Identifier: MIT */
/* One run of `sluice lab`: selects experiments and programs, plans the steps, records programs,
 * performs the steps and writes the pages. Most memory is freed only at the end of the process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_experiments.h"
#include "lab_internal.h"
#include "data_path.h"

static const char *const default_directories[] = {
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

/* Adds an experiment, or all, to the chosen ones. With the user's streams, "all" means the
 * experiments that accept streams. */
static void choose(struct lab *lab, const char *name, bool user_streams)
{
    bool all = !strcmp(name, "all"), found = all;
    for (size_t i = 0; experiments[i].name; i++) {
        const struct experiment *one = &experiments[i];
        bool is_it = !strcmp(one->name, name);
        found |= is_it;
        if (user_streams && one->stream_refusal && is_it)
            lab_die_usage("%s accepts no stream: %s", name, one->stream_refusal);
        if (user_streams && one->stream_refusal && all)
            printf("left out: %s: %s\n", one->name, one->stream_refusal);
        else if ((all || is_it) && !is_chosen(lab, one))
            lab->chosen[lab->n_chosen++] = one;
    }
    if (!found)
        lab_die_usage("unknown experiment '%s': 'sluice lab' lists all experiments", name);
}

/* Reads all templates and queries before the measurements, which may take hours. */
static void check_pages(const struct lab *lab)
{
    for (size_t i = 0; i < lab->n_chosen; i++) {
        static const char *const endings[] = {"md", "sql"};
        for (size_t k = 0; k < 2; k++) {
            char *name = lab_format("%s.%s", lab->chosen[i]->name, endings[k]);
            free(lab_read_data_file(name));
            free(name);
        }
    }
}

static void open_directory(struct lab *lab, const char *path, bool write)
{
    if (!write)
        lab_make_directory(path);
    lab->directory = realpath(path, NULL);
    if (!lab->directory)
        lab_die("%s: %s", path, strerror(errno));
    lab->database = lab_format("%s/lab.db", lab->directory);
    lab->sluice = lab_format("%s/sluice", (char *)lab_check_alloc(sl_install_directory()));
    if (access(lab->sluice, X_OK))
        lab_die("cannot execute %s to record programs: %s", lab->sluice, strerror(errno));
    if (write && access(lab->database, F_OK))
        lab_die("%s has no measurements: run the lab without --write first", lab->directory);
    lab->store = lab_store_open(lab->database);
    lab_store_check_size(lab);
}

/* ---- recordings first, then the steps ---- */

struct list {
    struct lab_step **step;
    size_t n;
};

static struct list list_steps(struct lab *lab)
{
    struct list todo = {lab_check_alloc(calloc(lab->n_steps + 1, sizeof *todo.step)), 0};
    for (size_t i = 0; i < lab->n_steps; i++) {
        struct lab_step *step = lab->step[i];
        step->done = !lab->again && lab_store_has_step(lab->store, step);
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
    struct list todo = {lab_check_alloc(calloc(lab->n_programs + 1, sizeof *todo.step)), 0};
    for (size_t i = 0; i < lab->n_programs; i++) {
        struct lab_step *one = lab->program[i].needed ? lab_new_recording(lab, &lab->program[i])
                                                      : NULL;
        if (one && !lab_is_recorded(lab->store, one))
            todo.step[todo.n++] = one;
    }
    return todo;
}

/* Marks the steps of a program whose recording failed as failed, and removes them from the list. */
static void drop_steps_of(struct lab *lab, struct list *todo, const struct lab_step *recording)
{
    size_t n = 0;
    for (size_t i = 0; i < todo->n; i++) {
        struct lab_step *step = todo->step[i];
        if (step->program == recording->program) {
            step->failure = lab_format("cannot record %s: %s", step->program->name,
                                       recording->failure);
            lab->n_todo--;
        } else {
            todo->step[n++] = step;
        }
    }
    todo->n = n;
}

static void run_all_steps(struct lab *lab)
{
    lab_collect_leftover(lab);
    struct list steps = list_steps(lab), recordings = list_recordings(lab);
    lab->n_todo = steps.n + recordings.n;
    lab_run_steps(lab, recordings.step, recordings.n);
    for (size_t i = 0; i < recordings.n; i++)
        if (!recordings.step[i]->done)
            drop_steps_of(lab, &steps, recordings.step[i]);
    lab_run_steps(lab, steps.step, steps.n);
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
        lab_die("%zu of %zu experiments failed: run them again to repeat only the failed steps",
                failed, lab->n_chosen);
    return 0;
}

/* Lists experiments and programs, for a run without arguments. */
static int list_all(const struct lab *lab)
{
    printf("experiments\n");
    for (size_t i = 0; experiments[i].name; i++)
        printf("  %-12s %s\n", experiments[i].name, experiments[i].summary);
    printf("\nprograms\n");
    for (size_t i = 0; i < lab->n_programs; i++)
        printf("  %-16s %s%s\n", lab->program[i].name, lab->program[i].absent ? "left out: " : "",
               lab->program[i].absent ? lab->program[i].absent : lab->program[i].summary);
    return 0;
}

int lab_run(const struct lab_request *request)
{
    struct lab lab = {.size = request->size,
                      .jobs = request->jobs,
                      .where = request->where ? request->where : "local",
                      .slurm = request->slurm,
                      .again = request->again,
                      .progress = request->progress,
                      .selected = request->program,
                      .n_selected = request->n_programs};
    const char *directory = request->directory   ? request->directory
                            : request->n_streams ? "sluice-lab-traces"
                                                 : default_directories[lab.size];
    char *record_path = lab_format("%s/programs", directory);
    size_t n = 1;
    while (experiments[n].name)
        n++;
    lab.chosen = lab_check_alloc(calloc(n, sizeof *lab.chosen));
    for (size_t i = 0; i < request->n_experiments; i++)
        choose(&lab, request->experiment[i], request->n_streams);
    if (request->n_streams)
        lab_programs_add_streams(&lab, request->stream, request->n_streams, record_path);
    else
        lab_programs_read(&lab);
    if (!lab.n_chosen)
        return list_all(&lab);
    check_pages(&lab);
    open_directory(&lab, directory, request->write);
    if (!request->write) { /* with --write, the stored versions belong to the figures */
        lab_store_programs(&lab);
        lab_programs_record(&lab);
    }
    lab_plan(&lab);
    if (!request->write) {
        lab_store_delete_stale(&lab);
        run_all_steps(&lab);
    }
    for (size_t i = 0; i < lab.n_programs; i++)
        if (lab.program[i].absent)
            printf("left out: %s: %s\n", lab.program[i].name, lab.program[i].absent);
    return write_pages(&lab);
}
