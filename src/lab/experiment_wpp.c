/* Whole program paths: how small a grammar the sequence of a program's paths makes. */
#include "lab_experiments.h"

static void plan(struct sl_lab *lab, const struct sl_lab_program *program)
{
    struct sl_lab_step *step = sl_lab_step(lab, program, "%s", program->name);
    sl_lab_profile(step, "wpp", "path(kind=wpp)@wpp");
}

const struct sl_experiment sl_experiment_wpp = {
    .name = "wpp",
    .summary = "whole program paths: length and compression",
    .programs = SL_LAB_REAL,
    .plan = plan,
};
