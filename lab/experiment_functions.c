/* The function profiler's document redone: LEAP, SnoopP and the exact profile function by
 * function; cycles, stalls and energy of programs on the document's processor; what moving
 * functions to hardware would gain; storage. */
#include <stdio.h>

#include "experiment_functions.h"
#include "lab_experiments.h"

static void add_three(struct lab_step *step, const char *metric)
{
    char label[64];
    snprintf(label, sizeof label, "exact %s", metric);
    lab_profile(step, label, "function:%s", metric);
    snprintf(label, sizeof label, "leap %s", metric);
    lab_profile(step, label, "function(tail=0):%s@leap(bits=64)", metric);
    snprintf(label, sizeof label, "snoopp %s", metric);
    lab_profile(step, label, "block:%s@snoopp(bits=64)", metric);
}

static struct lab_step *compare(struct lab *lab, const struct lab_program *program,
                                   const char *machine, const char *const *metrics)
{
    struct lab_step *step = lab_step(lab, program, "%s %s", program->name, machine);
    lab_machine(step, "%s", machine);
    for (; *metrics; metrics++)
        add_three(step, *metrics);
    lab_by(step, lab_functions, "functions");
    return step;
}

static void add_hierarchy(struct lab_step *step)
{
    lab_profile(step, "document", "function(tail=0,depth=32):cycles@leap(bits=32)");
    lab_profile(step, "hierarchical", "function(inclusive=1):cycles");
    lab_profile(step, "hierarchical leap", "function(tail=0,inclusive=1):cycles@leap(bits=64)");
    lab_profile(step, "contexts", "context:cycles");
    lab_profile(step, "contexts by energy", "context:energy");
}

static void plan_loops(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step = lab_step(lab, program, "%s loops", program->name);
    lab_machine(step, "tiger");
    lab_profile(step, "loops", "loop:cycles");
    lab_profile(step, "iterations", "loop:count");
    lab_profile(step, "entries", "loop(trips=1):count");
    lab_by(step, lab_functions_loops, "loops");
}

/* Totals of machines: with the document's other set of powers, and with other values for what
 * it does not say of its processor. */
static void plan_machines(struct lab *lab, const struct lab_program *program)
{
    static const struct {
        const char *name, *change;
    } machines[] = {{"cache", "power.stalls=cache"},  {"slow memory", "memory.latency=24"},
                    {"slow loads", "core.load_use=3"}, {"slow multiply", "core.multiply=34"}};
    size_t n = lab->size == LAB_TINY ? 1 : sizeof machines / sizeof *machines;
    for (size_t i = 0; i < n; i++)
        lab_machine(lab_step(lab, program, "%s %s", program->name, machines[i].name),
                       "tiger,%s", machines[i].change);
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    static const char *const all[] = {"instructions", "cycles", "stalls", "energy", NULL};
    static const char *const few[] = {"instructions", "cycles", NULL};
    struct lab_step *step;
    if (!program) {
        step = lab_step(lab, NULL, "published");
        lab_by(step, lab_functions_published, "published");
        return;
    }
    step = compare(lab, program, "tiger", program->kind == LAB_REAL ? few : all);
    if (program->kind != LAB_SMALL)
        plan_loops(lab, program);
    if (program->kind != LAB_MIPS)
        return;
    add_hierarchy(step);
    plan_machines(lab, program);
    compare(lab, program, "rocket", all);
}

const struct experiment experiment_functions = {
    .name = "functions",
    .summary = "function profilers: LEAP, SnoopP and exact; energy; what to move to hardware",
    .programs = LAB_REAL | LAB_SMALL | LAB_MIPS,
    .once = true,
    .plan = plan,
};
