/* Predictors of branches at equal bits: gshare against TAGE, on real programs. The core is an
 * in-order one, since directions do not depend on it. gshare has the better of three lengths of
 * history for each program, which TAGE, with all lengths, cannot choose. */
#include "lab_experiments.h"

#define COUNTERS "32Ki" /* of two bits: 65,536 bits */

static const struct {
    const char *label, *options;
} predictors[] = {
    {"gshare 10", "bpred.kind=gshare,bpred.gshare_entries=" COUNTERS ",bpred.history=10"},
    {"gshare 12", "bpred.kind=gshare,bpred.gshare_entries=" COUNTERS ",bpred.history=12"},
    {"gshare 15", "bpred.kind=gshare,bpred.gshare_entries=" COUNTERS ",bpred.history=15"},
    /* 6 x 512 entries of 9 + 5 bits, 4,096 counters of two behind them: 51,200 bits. */
    {"tage", "bpred.kind=tage,bpred.bimodal_entries=4Ki,bpred.tage_tables=6,bpred.tage_entries=512,"
             "bpred.tage_tag=9"},
};

static void plan(struct lab *lab, const struct lab_program *program)
{
    for (size_t i = 0; i < sizeof predictors / sizeof *predictors; i++)
        lab_machine(lab_step(lab, program, "%s %s", program->name, predictors[i].label),
                    "rocket,bpred.shift=0,%s", predictors[i].options);
}

const struct experiment experiment_predictors = {
    .name = "predictors",
    .summary = "TAGE against gshare at equal bits: branches predicted wrong",
    .programs = LAB_REAL,
    .plan = plan,
};
