/* What is to be done: each chosen experiment is asked once for each program that it is
 * about, and says its steps. A step's key is the text of all that decides its figures. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "lab_inside.h"

static char *formatted(const char *format, va_list arguments)
{
    char *text = NULL;
    return lab_got(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

#define FORMATTED(place, last)        \
    do {                              \
        va_list arguments;            \
        va_start(arguments, last);    \
        place = formatted(last, arguments); \
        va_end(arguments);            \
    } while (0)

static struct lab_step *new_step(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step = lab_got(calloc(1, sizeof *step));
    step->lab = lab;
    step->experiment = lab->planning;
    step->program = program ? lab->program + (program - lab->program) : NULL;
    step->perform = lab_replay;
    return step;
}

struct lab_step *lab_step(struct lab *lab, const struct lab_program *program, const char *name, ...)
{
    struct lab_step *step = new_step(lab, program);
    FORMATTED(step->name, name);
    struct lab_step **place = LAB_ADD(lab->step, lab->room_steps, lab->n_steps);
    return *place = step;
}

void lab_profile(struct lab_step *step, const char *label, const char *spec, ...)
{
    struct lab_labelled *p = LAB_ADD(step->profile, step->room_profiles, step->n_profiles);
    p->label = lab_format("%s", label);
    FORMATTED(p->spec, spec);
}

void lab_stream(struct lab_step *step, const char *stream, ...)
{
    FORMATTED(step->stream, stream);
}

void lab_machine(struct lab_step *step, const char *machine, ...)
{
    FORMATTED(step->machine, machine);
}

void lab_by(struct lab_step *step, lab_perform *perform, const char *argument)
{
    step->perform = perform;
    step->argument = argument ? lab_format("%s", argument) : NULL;
}

static char *key_of(const struct lab_step *step)
{
    char *key = NULL;
    size_t size;
    FILE *out = lab_got(open_memstream(&key, &size));
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
        fprintf(out, " instructions %llu behind %llu", (unsigned long long)step->limit,
                (unsigned long long)step->skip);
    if (step->argument)
        fprintf(out, " argument %s", step->argument);
    for (size_t i = 0; i < step->n_profiles; i++)
        fprintf(out, "\n%s: %s", step->profile[i].label, step->profile[i].spec);
    return fclose(out) ? lab_got(NULL) : key;
}

struct lab_step *lab_recording(struct lab *lab, struct lab_program *program)
{
    lab->planning = NULL;
    struct lab_step *step = new_step(lab, program);
    step->name = lab_format("%s", program->name);
    step->perform = lab_record;
    step->key = key_of(step);
    return step;
}

void lab_plan(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_chosen; i++) {
        const struct experiment *experiment = lab->planning = lab->chosen[i];
        if (experiment->once)
            experiment->plan(lab, NULL);
        for (size_t k = 0; k < lab->n_programs; k++)
            if (!lab->program[k].absent && experiment->programs & lab->program[k].kind)
                experiment->plan(lab, &lab->program[k]);
    }
    for (size_t i = 0; i < lab->n_steps; i++)
        lab->step[i]->key = key_of(lab->step[i]);
}
