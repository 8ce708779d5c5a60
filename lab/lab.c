/* A run of the lab: programs, plan, recordings, steps, pages. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "lab_inside.h"

static const char *const usual_directories[] = {
    [LAB_FULL] = "sluice-lab", [LAB_QUICK] = "sluice-lab-quick",
    [LAB_TINY] = "sluice-lab-tiny",
};

static const struct experiment *find(const char *name)
{
    for (size_t i = 0; experiments[i]; i++)
        if (!strcmp(experiments[i]->name, name))
            return experiments[i];
    return NULL;
}

static bool is_chosen(const struct lab *lab, const struct experiment *experiment)
{
    for (size_t i = 0; i < lab->n_chosen; i++)
        if (lab->chosen[i] == experiment)
            return true;
    return false;
}

static int choose(struct lab *lab, struct sl_failure *f)
{
    size_t n = 0;
    while (experiments[n])
        n++;
    lab->chosen = calloc(n + 1, sizeof(struct experiment *));
    if (!lab->chosen)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < lab->config->n_experiments; i++) {
        const char *name = lab->config->experiment[i];
        const struct experiment *one = find(name);
        if (!one && strcmp(name, "all"))
            return sl_fail(f, SL_EUSAGE, "there is no experiment called %s; 'sluice lab' lists "
                           "them", name);
        for (size_t j = 0; j < n; j++)
            if ((!one || one == experiments[j]) && !is_chosen(lab, experiments[j]))
                lab->chosen[lab->n_chosen++] = experiments[j];
    }
    return 0;
}

/* Before hours of computing that could not be shown. */
static int check_pages(const struct lab *lab, struct sl_failure *f)
{
    for (size_t i = 0; i < lab->n_chosen; i++) {
        char *words = lab_words(lab->chosen[i]->name, "md", f);
        char *queries = words ? lab_words(lab->chosen[i]->name, "sql", f) : NULL;
        free(words);
        free(queries);
        if (!queries)
            return f->code;
    }
    return 0;
}

/* Path, to be freed, of a file in the directory that this program is in; NULL: there is none. */
static char *beside_self(const char *name)
{
    char *self = realpath("/proc/self/exe", NULL), *slash = self ? strrchr(self, '/') : NULL;
    char *path = slash ? lab_format("%.*s/%s", (int)(slash - self), self, name) : NULL;
    char *found = path ? realpath(path, NULL) : NULL;
    free(self);
    free(path);
    return found;
}

static int settle(struct lab *lab, struct sl_failure *f)
{
    const char *wanted = lab->config->directory ? lab->config->directory
                                                : usual_directories[lab->config->size];
    int error = lab->config->write ? 0 : lab_make_directory(wanted, f);
    if (error < 0)
        return error;
    lab->directory = realpath(wanted, NULL);
    lab->database = lab->directory ? lab_format("%s/lab.db", lab->directory) : NULL;
    if (!lab->database)
        return sl_fail_errno(f, SL_EIO, "%s", wanted);
    lab->sluice = beside_self("sluice");
    if (!lab->sluice)
        return sl_fail_errno(f, SL_EIO, "sluice, which is to record programs, is not beside the lab");
    if (lab->config->write && access(lab->database, F_OK))
        return sl_fail(f, SL_EIO, "%s: nothing was measured here that could be written",
                       lab->directory);
    error = lab_store_open(&lab->store, lab->database, f);
    return error < 0 ? error : lab_store_size(lab, f);
}

/* ---- recordings first, then the steps ------------------------------------------------- */

struct list {
    struct lab_step **step;
    size_t n;
};

static int list_steps(struct lab *lab, struct list *todo, struct sl_failure *f)
{
    todo->step = calloc(lab->n_steps + 1, sizeof(struct lab_step *));
    if (!todo->step)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < lab->n_steps; i++) {
        struct lab_step *step = lab->step[i];
        step->done = !lab->config->again && lab_store_has(lab->store, step);
        if (!step->done) {
            todo->step[todo->n++] = step;
            if (step->program)
                step->program->needed = true;
        }
    }
    return 0;
}

static int list_recordings(struct lab *lab, struct list *todo, struct sl_failure *f)
{
    todo->step = calloc(lab->n_programs + 1, sizeof(struct lab_step *));
    if (!todo->step)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    lab->planning = NULL;
    for (size_t i = 0; i < lab->n_programs; i++) {
        if (!lab->program[i].needed)
            continue;
        struct lab_step *recording = lab_recording(lab, &lab->program[i]);
        recording->key = lab_format("sluice %s size %d program %s (%s)", SL_VERSION,
                                       (int)lab->config->size, recording->program->name,
                                       recording->program->version);
        lab->out_of_memory |= !recording->key;
        if (lab_is_recorded(lab->store, recording))
            lab_step_free(recording);
        else
            todo->step[todo->n++] = recording;
    }
    return lab->out_of_memory ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}

/* Steps of a program that could not be recorded fail with it. */
static void leave_out(struct lab *lab, struct list *todo, const struct lab_step *recording)
{
    size_t n = 0;
    for (size_t i = 0; i < todo->n; i++) {
        struct lab_step *step = todo->step[i];
        if (step->program == recording->program && step->program) {
            step->failure = lab_format("%s could not be recorded: %s", step->program->name,
                                          recording->failure ? recording->failure : "no reason");
            lab->n_todo--;
        } else {
            todo->step[n++] = step;
        }
    }
    todo->n = n;
}

static int do_steps(struct lab *lab, struct sl_failure *f)
{
    struct list steps = {0}, recordings = {0};
    int error = list_steps(lab, &steps, f);
    if (error >= 0)
        error = list_recordings(lab, &recordings, f);
    lab->n_todo = steps.n + recordings.n;
    lab_clear_scratch(lab);
    if (error >= 0)
        error = lab_crew(lab, recordings.step, recordings.n, f);
    for (size_t i = 0; i < recordings.n; i++) {
        if (!recordings.step[i]->done)
            leave_out(lab, &steps, recordings.step[i]);
        lab_step_free(recordings.step[i]);
    }
    if (error >= 0)
        error = lab_crew(lab, steps.step, steps.n, f);
    free(steps.step);
    free(recordings.step);
    return error;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static const struct lab_step *failed_step(const struct lab *lab,
                                             const struct experiment *experiment)
{
    for (size_t i = 0; i < lab->n_steps; i++)
        if (lab->step[i]->experiment == experiment && lab->step[i]->failure)
            return lab->step[i];
    return NULL;
}

static int write_pages(struct lab *lab, FILE *out, struct sl_failure *f)
{
    size_t written = 0, failed = 0;
    int error = 0;
    for (size_t i = 0; i < lab->n_chosen && error >= 0; i++) {
        const char *name = lab->chosen[i]->name;
        const struct lab_step *why = failed_step(lab, lab->chosen[i]);
        if (why) {
            fprintf(out, "%s: not written: %s: %s\n", name, why->name, why->failure);
            failed++;
            continue;
        }
        error = lab_page(lab, name, name, f);
        written += error >= 0;
        if (error >= 0)
            fprintf(out, "%s/%s.md\n", lab->directory, name);
    }
    if (error >= 0 && written)
        error = lab_page(lab, "README", NULL, f);
    if (error >= 0 && written)
        fprintf(out, "%s/README.md\n", lab->directory);
    if (error >= 0 && failed)
        error = sl_fail(f, SL_EIO, "%zu of %zu experiments could not be finished; run them again, "
                        "and what was done is not done again", failed, lab->n_chosen);
    return error;
}

static void name_absent(const struct lab *lab, FILE *out)
{
    for (size_t i = 0; i < lab->n_programs; i++)
        if (lab->program[i].absent)
            fprintf(out, "left out: %s: %s\n", lab->program[i].name, lab->program[i].absent);
}

/* What there is: for a run that names no experiment. */
static void list_all(const struct lab *lab, FILE *out)
{
    fprintf(out, "experiments\n");
    for (size_t i = 0; experiments[i]; i++)
        fprintf(out, "  %-12s %s\n", experiments[i]->name, experiments[i]->summary);
    fprintf(out, "\nprograms\n");
    for (size_t i = 0; i < lab->n_programs; i++)
        fprintf(out, "  %-16s %s%s\n", lab->program[i].name,
                lab->program[i].absent ? "left out: " : "",
                lab->program[i].absent ? lab->program[i].absent : lab->program[i].does);
}

static void close_lab(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_steps; i++)
        lab_step_free(lab->step[i]);
    lab_programs_free(lab);
    sqlite3_close(lab->store);
    free(lab->step);
    free(lab->chosen);
    free(lab->directory);
    free(lab->database);
    free(lab->sluice);
}

int lab_run(const struct lab_config *config, FILE *out, struct sl_failure *f)
{
    struct lab lab = {.config = config};
    int error = choose(&lab, f);
    if (error >= 0)
        error = lab_programs_read(&lab, f);
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
        error = lab_store_programs(&lab, f);
    if (error >= 0)
        error = lab_plan_all(&lab, f);
    if (error >= 0 && !config->write)
        error = lab_store_tidy(&lab, f);
    if (error >= 0 && !config->write)
        error = do_steps(&lab, f);
    if (error >= 0) {
        name_absent(&lab, out);
        error = write_pages(&lab, out, f);
    }
    close_lab(&lab);
    return error;
}
