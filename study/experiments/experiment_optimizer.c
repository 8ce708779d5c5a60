/* SPDX-License-Identifier: MIT */
/* What a post-link optimizer makes of a table's profile: the last part of the path profiler's
 * document (section 6.2, figure 9), with BOLT of today for its superblocks in gcc 3.4.
 *
 * All of it is done by a script, data/lab/optimizer.sh, one step for each program: it builds
 * the program from its sources, optimizes it once from each profile, and counts what each
 * binary does, by sluice itself. Here its figures are read, and the time is taken: natively, of
 * many short runs of some of the binaries in turn, each kept, so that ratios are of runs that were
 * neighbours. That is the one figure which a rerun does not give again.
 *
 * The document has times of a processor, an Alpha 21264. Whether a binary is faster, time alone
 * says, with its interval. Beside it are counts that are the same each time: instructions, branches
 * taken, and cycles and misses of the machine that the document models elsewhere (ss4), with that
 * processor's instruction cache and with its own.
 *
 * Where BOLT or a program's sources cannot be had, a figure says why, and there are no others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "lab_experiments.h"
#include "resources.h"

/* Whose binaries are run for their time, beside the original. */
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

static bool keep(struct binaries *all, const char *label, const char *directory)
{
    if (!SL_GROW(all->one, all->capacity, all->n + 1))
        return false;
    struct binary *one = &all->one[all->n++];
    *one = (struct binary){strdup(label), strdup(directory)};
    return one->label && one->directory;
}

/* SPEC, measure, item or nothing, value; or SPEC, "binary", its directory, 1. */
static bool take(void *context, char *line, struct sl_job_figures *results)
{
    char *label = strsep(&line, "\t"), *measure = strsep(&line, "\t"), *item = strsep(&line, "\t");
    if (!line)
        return false;
    if (!strcmp(measure, "binary"))
        return keep(context, label, item);
    if (*item)
        lab_figure_of(results, label, measure, item, strtod(line, NULL));
    else
        lab_figure(results, label, measure, NAN, strtod(line, NULL));
    return true;
}

/* ---- time ---- */

/* Processor seconds, by round: all in turn, so that what else the machine has to do falls upon each
 * of them, and each round begins with another one. */
static int take_time(const struct lab_step *step, const struct binaries *all,
                     struct sl_job_figures *results, struct sl_failure *f)
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
            error = lab_script(step, argv, NULL, NULL, results, f);
            lab_figure(results, one->label, "seconds", round, sl_children_seconds() - before);
        }
    return error;
}

/* ---- steps ---- */

int lab_optimizer(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
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
    int error = lab_script(step, argv, take, &binaries, results, f);
    if (error >= 0)
        error = take_time(step, &binaries, results, f);
    for (size_t i = 0; i < binaries.n; i++) {
        free(binaries.one[i].label);
        free(binaries.one[i].directory);
    }
    free(binaries.one);
    free(sources);
    free(argv);
    return error;
}
