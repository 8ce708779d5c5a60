/* SPDX-License-Identifier: MIT */
/* Experiment `optimizer` of `sluice lab`: measures the speed of programs that the post-link
 * optimizer BOLT has optimized with profiles from tables.
 *
 * Paper: Vaswani, Thazhuthaveetil, Srikant, "A Programmable Hardware Path Profiler", 2005, section
 * 6.2 and figure 9. The paper forms superblocks in gcc 3.4 and measures time on an Alpha 21264.
 *
 * The script data/lab/optimizer.sh does one step per program. It builds the program from its
 * sources, optimizes it once with each profile, and counts events of each binary with sluice:
 * instructions, taken branches, and cycles and misses of the CPU model that the paper uses (ss4),
 * with its own and with the Alpha's instruction cache. These counts are repeatable. This file reads
 * them and measures the native run time of some of the binaries. The binaries run many times in
 * turn, and each time is stored, so that ratios compare neighboring runs. Run times are the only
 * figures that differ when the experiment is repeated.
 *
 * If BOLT or the sources of a program are not available, one figure has the reason, and there are
 * no others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "failure.h"
#include "grow.h"
#include "lab_experiments.h"

/* Labels of the binaries whose run time is measured. */
static const char *const timed[] = {
    "edge@exact", "edge@hpt(512x4)", "edge@hpt(2048x4,replacement=age)",
    "path@exact", "path@hpt(512x4)", "path@hpt(2048x4)",
    "original"};

/* ---- figures of the script ---- */

struct binary {
    char *label, *directory;
};

struct binaries {
    struct binary *one;
    size_t n, capacity;
};

static bool is_timed(const char *label)
{
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
        if (!strcmp(timed[i], label))
            return true;
    return false;
}

static bool add_binary(struct binaries *all, const char *label, const char *directory)
{
    if (!SL_GROW(all->one, all->capacity, all->n + 1))
        return false;
    struct binary *one = &all->one[all->n++];
    *one = (struct binary){strdup(label), strdup(directory)};
    return one->label && one->directory;
}

/* A line has four fields: SPEC, measure, item or nothing, value; or SPEC, "binary", its directory,
 * 1. */
static bool parse_line(void *context, char *line, struct sl_job_results *results)
{
    char *label = strsep(&line, "\t"), *measure = strsep(&line, "\t"), *item = strsep(&line, "\t");
    if (!line)
        return false;
    if (!strcmp(measure, "binary"))
        return add_binary(context, label, item);
    if (*item)
        lab_add_item_figure(results, label, measure, item, strtod(line, NULL));
    else
        lab_add_figure(results, label, measure, NAN, strtod(line, NULL));
    return true;
}

/* ---- time ---- */

/* Measures CPU seconds of all binaries in several rounds. All run in each round, so that other load
 * on the computer affects all of them, and each round begins with a different one. */
static int measure_time(const struct lab_step *step, const struct binaries *all,
                        struct sl_job_results *results, struct sl_failure *f)
{
    static const unsigned rounds[] = {[LAB_FULL] = 30, [LAB_QUICK] = 5, [LAB_TINY] = 2};
    int error = 0;
    for (unsigned round = 0; round < rounds[step->lab->size]; round++)
        for (size_t k = 0; k < all->n && error >= 0; k++) {
            const struct binary *one = &all->one[(round + k) % all->n];
            const char *argv[] = {"sh",           "lab/optimizer.sh", "run",
                                  step->argument, one->directory,     NULL};
            if (!is_timed(one->label))
                continue;
            double before = sl_children_seconds();
            error = lab_run_script(step, argv, NULL, NULL, results, f);
            lab_add_figure(results, one->label, "seconds", round, sl_children_seconds() - before);
        }
    return error;
}

/* ---- the step ---- */

int lab_optimizer(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    struct binaries binaries = {0};
    char *sources = NULL;
    size_t n = 0;
    const char **argv = calloc(step->n_profiles + 7, sizeof *argv);
    if (!argv || asprintf(&sources, "%s/sources", step->lab->directory) < 0)
        return sl_out_of_memory(f);
    argv[n++] = "sh";
    argv[n++] = "lab/optimizer.sh";
    argv[n++] = "try";
    argv[n++] = step->argument;
    argv[n++] = step->lab->sluice;
    argv[n++] = sources;
    for (size_t i = 0; i < step->n_profiles; i++)
        argv[n++] = step->profile[i].spec;
    int error = lab_run_script(step, argv, parse_line, &binaries, results, f);
    if (error >= 0)
        error = measure_time(step, &binaries, results, f);
    for (size_t i = 0; i < binaries.n; i++) {
        free(binaries.one[i].label);
        free(binaries.one[i].directory);
    }
    free(binaries.one);
    free(sources);
    free(argv);
    return error;
}
