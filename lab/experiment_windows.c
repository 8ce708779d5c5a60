/* Windows as long as the documents': 500 million instructions from the middle of runs that are long
 * enough, start-up left out, where other experiments have whole short runs. What is measured is
 * what verdicts hang on that could be otherwise there: errors of interval profilers at both settings, how
 * much intervals change, and what a hot path table keeps.
 *
 * Labels are those of the experiments `interval` and `paths`, whose figures stand beside these. */
#include "lab_experiments.h"

static void plan(struct lab *lab, const struct lab_program *program)
{
    static const char *const values[] = {
        "value@singlehash(interval=10K,threshold=1%,reset=1,retain=1)",
        "value@multihash(interval=10K,threshold=1%,tables=4,conservative=1,reset=0)",
        "value@multihash(interval=10K,threshold=1%,tables=2,conservative=1,reset=1)",
        "value@singlehash(interval=1M,threshold=0.1%,reset=1,retain=1)",
        "value@multihash(interval=1M,threshold=0.1%,tables=4,conservative=1,reset=0)",
        "value@multihash(interval=1M,threshold=0.1%,tables=2,conservative=1,reset=1)",
    };
    struct lab_step *step = lab_step(lab, program, "%s values", program->name);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        lab_profile(step, values[i], "%s", values[i]);
    step = lab_step(lab, program, "%s paths", program->name);
    lab_profile(step, "512x4 lfu", "path@hpt(512x4,replacement=lfu)");
    lab_profile(step, "512x4 age", "path@hpt(512x4,replacement=age)");
}

const struct experiment experiment_windows = {
    .name = "windows",
    .summary = "windows of 500 million instructions from the middle of long runs: what changes",
    .programs = LAB_LONG,
    .plan = plan,
};
