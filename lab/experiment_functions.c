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
    lab_profile(step, "wraps", "function(tail=0,depth=32,repair=0,wrap=1):cycles");
    lab_profile(step, "plain", "function(tail=0):cycles");
    lab_profile(step, "twice", "function(inclusive=1,twice=1):cycles");
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

/* Totals of machines: with the document's other set of powers; without what tiger has that such a core
 * need not have; as it was before that was known; and with other values for the two that were fitted. */
static void plan_machines(struct lab *lab, const struct lab_program *program)
{
    static const struct {
        const char *name, *change;
    } machines[] = {
        {"cache", "power.stalls=cache"},
        {"no wait", "core.branch_wait=0"},
        {"no busy", "core.store_busy=0"},
        {"neither", "core.branch_wait=0,core.store_busy=0,memory.latency=20,core.branch_penalty=2"},
        {"before", "core.multiply=2,core.divide=34,core.branch_wait=0,core.store_busy=0,memory.latency=12"},
        {"fit 6 3", "memory.latency=6,core.store_busy=3"},
        {"fit 6 10", "memory.latency=6,core.store_busy=10"},
        {"fit 20 3", "memory.latency=20,core.store_busy=3"},
        {"fit 20 6", "memory.latency=20,core.store_busy=6"},
        {"fit 20 10", "memory.latency=20,core.store_busy=10"},
    };
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
