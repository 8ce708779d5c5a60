/* SPDX-License-Identifier: MIT */
/* Planning of the steps of `sluice lab`: runs the plan of each chosen experiment, which is a shell
 * script (data/lab/plan.sh), and reads the list of steps that the script prints. Each step has a
 * key, which is a text with everything that determines the results of the step. */
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "grow.h"
#include "lab_experiments.h"
#include "lab_internal.h"

static struct lab_step *new_step(struct lab *lab, const struct experiment *experiment,
                                 struct lab_program *program, const char *name)
{
    struct lab_step *step = lab_check_alloc(calloc(1, sizeof *step));
    *step = (struct lab_step){.lab = lab,
                              .experiment = experiment,
                              .program = program,
                              .name = lab_format("%s", name),
                              .perform = lab_replay};
    return step;
}

static char *key_of(const struct lab_step *step)
{
    char *key = NULL;
    size_t size;
    FILE *out = lab_check_alloc(open_memstream(&key, &size));
    fprintf(out, "sluice %s size %d", SL_VERSION, (int)step->lab->size);
    if (step->program)
        fprintf(out, " program %s (%s)", step->program->name, step->program->version);
    if (step->stream)
        fprintf(out, " stream %s", step->stream);
    if (step->machine)
        fprintf(out, " machine %s", step->machine);
    if (step->every)
        fprintf(out, " every %llu", (unsigned long long)step->every);
    if (step->window)
        fprintf(out, " window %llu", (unsigned long long)step->window);
    if (step->limit)
        fprintf(out, " instructions %llu after %llu", (unsigned long long)step->limit,
                (unsigned long long)step->skip);
    if (step->argument)
        fprintf(out, " argument %s", step->argument);
    for (size_t i = 0; i < step->n_profiles; i++)
        fprintf(out, "\n%s: %s", step->profile[i].label, step->profile[i].spec);
    return fclose(out) ? lab_check_alloc(NULL) : key;
}

struct lab_step *lab_new_recording(struct lab *lab, struct lab_program *program)
{
    struct lab_step *step = new_step(lab, NULL, program, program->name);
    step->perform = lab_record;
    step->key = key_of(step);
    return step;
}

/* ---- reading a plan ---- */

static struct lab_program *find_program(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->n_programs; i++)
        if (!strcmp(lab->program[i].name, name))
            return &lab->program[i];
    return NULL;
}

static lab_perform *find_performer(const char *name)
{
    for (size_t i = 0; performers[i].name; i++)
        if (!strcmp(performers[i].name, name))
            return performers[i].perform;
    return NULL;
}

/* Applies a line about the current step: a key and one or two words. Returns false if the line is
 * invalid. */
static bool set(struct lab_step *step, const char *key, char *word, char *second)
{
    if (!strcmp(key, "machine")) {
        step->machine = word;
    } else if (!strcmp(key, "stream")) {
        step->stream = word;
    } else if (!strcmp(key, "every")) {
        step->every = strtoull(word, NULL, 10);
    } else if (!strcmp(key, "window")) {
        step->window = strtoull(word, NULL, 10);
    } else if (!strcmp(key, "by")) {
        step->perform = find_performer(word);
        step->argument = second;
        return step->perform;
    } else if (second && !strcmp(key, "part")) {
        step->skip = strtoull(word, NULL, 10);
        step->limit = strtoull(second, NULL, 10);
    } else if (second && !strcmp(key, "profile")) {
        struct lab_labelled *profile = LAB_ADD(step->profile, step->profiles_capacity,
                                               step->n_profiles);
        *profile = (struct lab_labelled){word, second};
    } else {
        return false;
    }
    return true;
}

/* Appends the steps of a plan. They point into `text`, which must outlive them. */
static void read_plan(struct lab *lab, const struct experiment *experiment, char *text)
{
    struct lab_program *program = NULL;
    struct lab_step *step = NULL;
    for (char *line; (line = strsep(&text, "\n"));) {
        char *key = strsep(&line, "\t"), *word = strsep(&line, "\t");
        if (word && !strcmp(key, "program")) {
            program = find_program(lab, word);
        } else if (word && !strcmp(key, "step")) {
            struct lab_step **slot = LAB_ADD(lab->step, lab->steps_capacity, lab->n_steps);
            *slot = step = new_step(lab, experiment, program, word);
        } else if (*key && !(word && step && set(step, key, word, line))) {
            lab_die("%s.plan: invalid line '%s %s' (plan.sh lists the valid ones)",
                    experiment->name, key, word ? word : "");
        }
    }
}

void lab_plan(struct lab *lab)
{
    static const char *const sizes[] = {
        [LAB_FULL] = "full", [LAB_QUICK] = "quick", [LAB_TINY] = "tiny"};
    const char **argv = lab_check_alloc(calloc(2 * lab->n_programs + 6, sizeof *argv));
    struct sl_failure f;
    char *script = sl_data_path("lab/plan.sh");
    for (size_t i = 0; i < lab->n_chosen; i++) {
        const struct experiment *experiment = lab->chosen[i];
        size_t n = 0;
        argv[n++] = "sh";
        argv[n++] = script ? script : "plan.sh";
        argv[n++] = experiment->name;
        argv[n++] = sizes[lab->size];
        argv[n++] = experiment->once ? "once" : "each";
        for (size_t k = 0; k < lab->n_programs; k++)
            if (!lab->program[k].absent && experiment->programs & lab->program[k].kind) {
                argv[n++] = lab->program[k].name;
                argv[n++] = lab->program[k].trace ? "yours" : lab_kind_name(lab->program[k].kind);
            }
        argv[n] = NULL;
        struct lab_output output = lab_spawn(argv, NULL, lab->size);
        if (output.status || *output.err)
            lab_output_failure(argv, &output, &f), lab_die_failure(&f);
        free(output.err);
        read_plan(lab, experiment, output.out);
    }
    free(argv);
    free(script);
    for (size_t i = 0; i < lab->n_steps; i++)
        lab->step[i]->key = key_of(lab->step[i]);
}
