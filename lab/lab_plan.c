/* What is to be done: each chosen experiment is asked once for each program that it is
 * about, and says its steps. A step's key is the text of all that decides its figures. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "lab_inside.h"

/* Text that is out of memory is found out at the end of the planning. */
static char *checked(struct lab *lab, char *text)
{
    lab->out_of_memory |= !text;
    return text;
}

static char *formatted(struct lab *lab, const char *format, va_list arguments)
{
    char *text = NULL;
    return checked(lab, vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

enum lab_size lab_size(const struct lab *lab)
{
    return lab->config->size;
}

enum lab_size lab_size_of(const struct lab_step *step)
{
    return step->lab->config->size;
}

const char *lab_argument(const struct lab_step *step)
{
    return step->argument;
}

const char *lab_trace(const struct lab_step *step)
{
    return step->trace;
}

const char *lab_scratch(const struct lab_step *step)
{
    return step->scratch;
}

const char *lab_directory(const struct lab_step *step)
{
    return step->lab->directory;
}

const char *lab_sluice(const struct lab_step *step)
{
    return step->lab->sluice;
}

static struct lab_step *new_step(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step = calloc(1, sizeof *step);
    if (!step)
        abort(); /* a hundred bytes; nobody could go on */
    step->lab = lab;
    step->experiment = lab->planning;
    step->program = program ? lab->program + (program - lab->program) : NULL;
    step->perform = lab_replay;
    return step;
}

struct lab_step *lab_step(struct lab *lab, const struct lab_program *program,
                                const char *name, ...)
{
    struct lab_step *step = new_step(lab, program);
    va_list arguments;
    va_start(arguments, name);
    step->name = formatted(lab, name, arguments);
    va_end(arguments);
    if (!SL_GROW(lab->step, lab->room_steps, lab->n_steps + 1))
        abort();
    lab->step[lab->n_steps++] = step;
    return step;
}

struct lab_step *lab_recording(struct lab *lab, struct lab_program *program)
{
    struct lab_step *step = new_step(lab, program);
    step->name = checked(lab, strdup(program->name));
    step->perform = lab_record;
    return step;
}

void lab_profile(struct lab_step *step, const char *label, const char *spec, ...)
{
    va_list arguments;
    if (!SL_GROW(step->profile, step->room_profiles, step->n_profiles + 1)) {
        step->lab->out_of_memory = true;
        return;
    }
    struct lab_labelled *p = &step->profile[step->n_profiles++];
    p->label = checked(step->lab, strdup(label));
    va_start(arguments, spec);
    p->spec = formatted(step->lab, spec, arguments);
    va_end(arguments);
}

void lab_stream(struct lab_step *step, const char *stream, ...)
{
    va_list arguments;
    va_start(arguments, stream);
    free(step->stream);
    step->stream = formatted(step->lab, stream, arguments);
    va_end(arguments);
}

void lab_machine(struct lab_step *step, const char *machine, ...)
{
    va_list arguments;
    va_start(arguments, machine);
    free(step->machine);
    step->machine = formatted(step->lab, machine, arguments);
    va_end(arguments);
}

void lab_every(struct lab_step *step, uint64_t events)
{
    step->every = events;
}

void lab_window(struct lab_step *step, uint64_t instructions)
{
    step->window = instructions;
}

void lab_by(struct lab_step *step, lab_perform *perform, const char *argument)
{
    step->perform = perform;
    free(step->argument);
    step->argument = argument ? checked(step->lab, strdup(argument)) : NULL;
}

void lab_step_free(struct lab_step *step)
{
    for (size_t i = 0; i < step->n_profiles; i++) {
        free(step->profile[i].label);
        free(step->profile[i].spec);
    }
    free(step->profile);
    free(step->name);
    free(step->stream);
    free(step->machine);
    free(step->argument);
    free(step->key);
    free(step->trace);
    free(step->scratch);
    free(step->failure);
    free(step);
}

static char *key_of(const struct lab_step *step)
{
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);
    if (!out)
        return NULL;
    fprintf(out, "sluice %s size %d", SL_VERSION, (int)step->lab->config->size);
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
    if (step->argument)
        fprintf(out, " argument %s", step->argument);
    for (size_t i = 0; i < step->n_profiles; i++)
        fprintf(out, "\n%s: %s", step->profile[i].label, step->profile[i].spec);
    return fclose(out) ? (free(key), NULL) : key;
}

static void plan_one(struct lab *lab, const struct experiment *experiment)
{
    lab->planning = experiment;
    if (experiment->once)
        experiment->plan(lab, NULL);
    for (size_t i = 0; i < lab->n_programs; i++)
        if (!lab->program[i].absent && experiment->programs & lab->program[i].kind)
            experiment->plan(lab, &lab->program[i]);
}

int lab_plan_all(struct lab *lab, struct sl_failure *f)
{
    for (size_t i = 0; i < lab->n_chosen; i++)
        plan_one(lab, lab->chosen[i]);
    for (size_t i = 0; i < lab->n_steps; i++)
        lab->step[i]->key = checked(lab, key_of(lab->step[i]));
    return lab->out_of_memory ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}
