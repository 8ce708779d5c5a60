/* A run of the lab: programs, plan, recordings, steps, pages. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "lab_inside.h"

static const char *const usual_directories[] = {
    [SL_LAB_FULL] = "sluice-lab", [SL_LAB_QUICK] = "sluice-lab-quick",
    [SL_LAB_TINY] = "sluice-lab-tiny",
};

static const struct sl_experiment *find(const char *name)
{
    for (size_t i = 0; sl_experiments[i]; i++)
        if (!strcmp(sl_experiments[i]->name, name))
            return sl_experiments[i];
    return NULL;
}

static bool is_chosen(const struct sl_lab *lab, const struct sl_experiment *experiment)
{
    for (size_t i = 0; i < lab->n_chosen; i++)
        if (lab->chosen[i] == experiment)
            return true;
    return false;
}

static int choose(struct sl_lab *lab, struct sl_failure *f)
{
    size_t n = 0;
    while (sl_experiments[n])
        n++;
    lab->chosen = calloc(n + 1, sizeof(struct sl_experiment *));
    if (!lab->chosen)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < lab->config->n_experiments; i++) {
        const char *name = lab->config->experiment[i];
        const struct sl_experiment *one = find(name);
        if (!one && strcmp(name, "all"))
            return sl_fail(f, SL_EUSAGE, "there is no experiment called %s; 'sluice lab' lists "
                           "them", name);
        for (size_t j = 0; j < n; j++)
            if ((!one || one == sl_experiments[j]) && !is_chosen(lab, sl_experiments[j]))
                lab->chosen[lab->n_chosen++] = sl_experiments[j];
    }
    return 0;
}

/* Before hours of computing that could not be shown. */
static int check_pages(const struct sl_lab *lab, struct sl_failure *f)
{
    for (size_t i = 0; i < lab->n_chosen; i++) {
        char *words = sl_lab_words(lab->chosen[i]->name, f);
        if (!words)
            return f->code;
        free(words);
    }
    return 0;
}

static int settle(struct sl_lab *lab, struct sl_failure *f)
{
    const char *wanted = lab->config->directory ? lab->config->directory
                                                : usual_directories[lab->config->size];
    int error = lab->config->write ? 0 : sl_lab_make_directory(wanted, f);
    if (error < 0)
        return error;
    lab->directory = realpath(wanted, NULL);
    lab->database = lab->directory ? sl_lab_format("%s/lab.db", lab->directory) : NULL;
    if (!lab->database)
        return sl_fail_errno(f, SL_EIO, "%s", wanted);
    lab->self = realpath("/proc/self/exe", NULL);
    if (!lab->self)
        return sl_fail_errno(f, SL_EIO, "/proc/self/exe, which is to record programs");
    if (lab->config->write && access(lab->database, F_OK))
        return sl_fail(f, SL_EIO, "%s: nothing was measured here that could be written",
                       lab->directory);
    error = sl_lab_store_open(&lab->store, lab->database, f);
    return error < 0 ? error : sl_lab_store_size(lab, f);
}

/* ---- recordings first, then the steps ------------------------------------------------- */

struct list {
    struct sl_lab_step **step;
    size_t n;
};

static int list_steps(struct sl_lab *lab, struct list *todo, struct sl_failure *f)
{
    todo->step = calloc(lab->n_steps + 1, sizeof(struct sl_lab_step *));
    if (!todo->step)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < lab->n_steps; i++) {
        struct sl_lab_step *step = lab->step[i];
        step->done = !lab->config->again && sl_lab_store_has(lab->store, step);
        if (!step->done) {
            todo->step[todo->n++] = step;
            if (step->program)
                step->program->needed = true;
        }
    }
    return 0;
}

static int list_recordings(struct sl_lab *lab, struct list *todo, struct sl_failure *f)
{
    todo->step = calloc(lab->n_programs + 1, sizeof(struct sl_lab_step *));
    if (!todo->step)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    lab->planning = NULL;
    for (size_t i = 0; i < lab->n_programs; i++) {
        if (!lab->program[i].needed)
            continue;
        struct sl_lab_step *recording = sl_lab_recording(lab, &lab->program[i]);
        recording->key = sl_lab_format("sluice %s size %d program %s (%s)", SL_VERSION,
                                       (int)lab->config->size, recording->program->name,
                                       recording->program->version);
        lab->out_of_memory |= !recording->key;
        if (sl_lab_is_recorded(lab->store, recording))
            sl_lab_step_free(recording);
        else
            todo->step[todo->n++] = recording;
    }
    return lab->out_of_memory ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}

/* Steps of a program that could not be recorded fail with it. */
static void leave_out(struct sl_lab *lab, struct list *todo, const struct sl_lab_step *recording)
{
    size_t n = 0;
    for (size_t i = 0; i < todo->n; i++) {
        struct sl_lab_step *step = todo->step[i];
        if (step->program == recording->program && step->program) {
            step->failure = sl_lab_format("%s could not be recorded: %s", step->program->name,
                                          recording->failure ? recording->failure : "no reason");
            lab->n_todo--;
        } else {
            todo->step[n++] = step;
        }
    }
    todo->n = n;
}

static int do_steps(struct sl_lab *lab, struct sl_failure *f)
{
    struct list steps = {0}, recordings = {0};
    int error = list_steps(lab, &steps, f);
    if (error >= 0)
        error = list_recordings(lab, &recordings, f);
    lab->n_todo = steps.n + recordings.n;
    sl_lab_clear_scratch(lab);
    if (error >= 0)
        error = sl_lab_crew(lab, recordings.step, recordings.n, f);
    for (size_t i = 0; i < recordings.n; i++) {
        if (!recordings.step[i]->done)
            leave_out(lab, &steps, recordings.step[i]);
        sl_lab_step_free(recordings.step[i]);
    }
    if (error >= 0)
        error = sl_lab_crew(lab, steps.step, steps.n, f);
    free(steps.step);
    free(recordings.step);
    return error;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static const struct sl_lab_step *failed_step(const struct sl_lab *lab,
                                             const struct sl_experiment *experiment)
{
    for (size_t i = 0; i < lab->n_steps; i++)
        if (lab->step[i]->experiment == experiment && lab->step[i]->failure)
            return lab->step[i];
    return NULL;
}

static int write_pages(struct sl_lab *lab, FILE *out, struct sl_failure *f)
{
    size_t written = 0, failed = 0;
    int error = 0;
    for (size_t i = 0; i < lab->n_chosen && error >= 0; i++) {
        const char *name = lab->chosen[i]->name;
        const struct sl_lab_step *why = failed_step(lab, lab->chosen[i]);
        if (why) {
            fprintf(out, "%s: not written: %s: %s\n", name, why->name, why->failure);
            failed++;
            continue;
        }
        error = sl_lab_page(lab, name, name, f);
        written += error >= 0;
        if (error >= 0)
            fprintf(out, "%s/%s.md\n", lab->directory, name);
    }
    if (error >= 0 && written)
        error = sl_lab_page(lab, "README", NULL, f);
    if (error >= 0 && written)
        fprintf(out, "%s/README.md\n", lab->directory);
    if (error >= 0 && failed)
        error = sl_fail(f, SL_EIO, "%zu of %zu experiments could not be finished; run them again, "
                        "and what was done is not done again", failed, lab->n_chosen);
    return error;
}

static void name_absent(const struct sl_lab *lab, FILE *out)
{
    for (size_t i = 0; i < lab->n_programs; i++)
        if (lab->program[i].absent)
            fprintf(out, "left out: %s: %s\n", lab->program[i].name, lab->program[i].absent);
}

/* What there is: for a run that names no experiment. */
static void list_all(const struct sl_lab *lab, FILE *out)
{
    fprintf(out, "experiments\n");
    for (size_t i = 0; sl_experiments[i]; i++)
        fprintf(out, "  %-12s %s\n", sl_experiments[i]->name, sl_experiments[i]->summary);
    fprintf(out, "\nprograms\n");
    for (size_t i = 0; i < lab->n_programs; i++)
        fprintf(out, "  %-16s %s%s\n", lab->program[i].name,
                lab->program[i].absent ? "left out: " : "",
                lab->program[i].absent ? lab->program[i].absent : lab->program[i].does);
}

static void close_lab(struct sl_lab *lab)
{
    for (size_t i = 0; i < lab->n_steps; i++)
        sl_lab_step_free(lab->step[i]);
    sl_lab_programs_free(lab);
    sqlite3_close(lab->store);
    free(lab->step);
    free(lab->chosen);
    free(lab->directory);
    free(lab->database);
    free(lab->self);
}

int sl_lab(const struct sl_lab_config *config, FILE *out, struct sl_failure *f)
{
    struct sl_lab lab = {.config = config};
    struct sl_failure unread;
    f = f ? f : &unread;
    int error = choose(&lab, f);
    if (error >= 0)
        error = sl_lab_programs_read(&lab, f);
    if (error >= 0 && !lab.n_chosen) {
        list_all(&lab, out);
        close_lab(&lab);
        return 0;
    }
    if (error >= 0)
        error = check_pages(&lab, f);
    if (error >= 0)
        error = settle(&lab, f);
    if (error >= 0 && !config->write) /* versions are those that the figures are of */
        error = sl_lab_store_programs(&lab, f);
    if (error >= 0)
        error = sl_lab_plan_all(&lab, f);
    if (error >= 0 && !config->write)
        error = sl_lab_store_tidy(&lab, f);
    if (error >= 0 && !config->write)
        error = do_steps(&lab, f);
    if (error >= 0) {
        name_absent(&lab, out);
        error = write_pages(&lab, out, f);
    }
    close_lab(&lab);
    return error;
}
