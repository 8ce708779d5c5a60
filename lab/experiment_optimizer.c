/* What a post-link optimizer makes of a table's profile: the last part of the path profiler's
 * document (section 6.2, figure 9), with BOLT of today for its superblocks in gcc 3.4.
 *
 * All of it is done by a script, data/lab/optimizer.sh, one step for each program: it builds
 * the program from its sources, optimizes it once from each profile, and counts what each
 * binary does, by sluice itself. Here its figures are read, and the time is taken: natively, of
 * many short runs of some of the binaries in turn, each kept, so that ratios are of runs that were neighbours.
 * That is the one figure which a rerun does not give again.
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
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "lab_experiments.h"
#include "processor_time.h"

#define BOLT "/usr/lib/llvm-19/bin/llvm-bolt" /* as optimizer.sh has it */

/* The smallest size that a profile is made for. */
static const struct {
    const char *spec;
    enum lab_size from;
    bool timed;
} profiles[] = {
    {"edge@exact", LAB_TINY, true},
    {"edge@hpt(512x4)", LAB_QUICK, true},
    {"edge@hpt(512x4,replacement=age)", LAB_QUICK, false},
    {"edge@hpt(2048x4)", LAB_FULL, false},
    {"edge@hpt(2048x4,replacement=age)", LAB_QUICK, true},
    {"edge@hpt(4096x4,replacement=age)", LAB_FULL, false},
    {"path@exact", LAB_TINY, true},
    {"path@hpt(512x4)", LAB_TINY, true},
    {"path@hpt(512x4,replacement=age)", LAB_QUICK, false},
    {"path@hpt(2048x4)", LAB_FULL, true},
    {"path@hpt(2048x4,replacement=age)", LAB_QUICK, false},
    {"edge@H[P256]2048", LAB_FULL, false},
    {"edge@multihash", LAB_FULL, false},
    {"edge@multihash(interval=1M,threshold=0.01%)", LAB_FULL, false},
};
#define N_PROFILES (sizeof profiles / sizeof *profiles)

/* Sizes are in this order in enum lab_size: the smaller the larger. */
static bool is_made(size_t i, enum lab_size size)
{
    return size <= profiles[i].from;
}

/* ---- figures of the script --------------------------------------------------------------- */

struct binary {
    char *label, *directory;
};

/* The original, and what some of the profiles made. */
static bool is_timed(const char *label)
{
    for (size_t i = 0; i < N_PROFILES; i++)
        if (!strcmp(profiles[i].spec, label))
            return profiles[i].timed;
    return true;
}

struct binaries {
    struct binary one[N_PROFILES + 1];
    size_t n;
};

static bool keep(struct binaries *all, const char *label, const char *directory)
{
    struct binary *one = &all->one[all->n];
    if (all->n == sizeof all->one / sizeof *all->one)
        return false;
    *one = (struct binary){strdup(label), strdup(directory)};
    all->n++;
    return one->label && one->directory;
}

static bool read_figure(char *line, struct sl_job_figures *results, struct binaries *binaries)
{
    char *label = strsep(&line, "\t"), *measure = strsep(&line, "\t"), *item = strsep(&line, "\t");
    if (!line)
        return false;
    if (!strcmp(measure, "binary"))
        return keep(binaries, label, item);
    if (*item)
        lab_figure_of(results, label, measure, item, strtod(line, NULL));
    else
        lab_figure(results, label, measure, NAN, strtod(line, NULL));
    return true;
}

static int read_figures(const struct lab_step *step, struct sl_job_figures *results,
                        struct binaries *binaries, struct sl_failure *f)
{
    char *path = NULL, *line = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s/figures", step->scratch) < 0)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    FILE *file = fopen(path, "re");
    int error = file ? 0 : sl_fail_errno(f, SL_EIO, "%s", path);
    while (error >= 0 && getline(&line, &size, file) > 0)
        if (!read_figure(line, results, binaries))
            error = sl_fail(f, SL_EFORMAT, "%s: four fields are wanted, and few binaries", path);
    if (file)
        fclose(file);
    free(line);
    free(path);
    return error;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* Processor seconds, by round: all in turn, so that what else the machine has to do falls upon each of
 * them, and each round begins with another one. */
static int take_time(const struct lab_step *step, const char *script, const struct binaries *all,
                     struct sl_job_figures *results, struct sl_failure *f)
{
    static const unsigned rounds[] = {[LAB_FULL] = 30, [LAB_QUICK] = 5, [LAB_TINY] = 2};
    int error = 0;
    for (unsigned round = 0; round < rounds[step->lab->size]; round++)
        for (size_t k = 0; k < all->n && error >= 0; k++) {
            const struct binary *one = &all->one[(round + k) % all->n];
            const char *argv[] = {"sh", script, "run", step->argument, one->directory, NULL};
            if (!is_timed(one->label))
                continue;
            double before = sl_children_seconds();
            error = lab_command(step, argv, NULL, f);
            lab_figure(results, one->label, "seconds", round, sl_children_seconds() - before);
        }
    return error;
}

/* ---- steps --------------------------------------------------------------------------------- */

static int try_all(const struct lab_step *step, const char *script,
                   struct sl_job_figures *results, struct binaries *binaries,
                   struct sl_failure *f)
{
    const char *argv[7 + N_PROFILES] = {"sh", script, "try", step->argument,
                                        step->lab->sluice};
    char *sources = NULL;
    if (asprintf(&sources, "%s/sources", step->lab->directory) < 0)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    size_t n = 5;
    argv[n++] = sources;
    for (size_t i = 0; i < N_PROFILES; i++)
        if (is_made(i, step->lab->size))
            argv[n++] = profiles[i].spec;
    int error = lab_command(step, argv, "figures", f);
    free(sources);
    if (error >= 0)
        error = read_figures(step, results, binaries, f);
    return error < 0 ? error : take_time(step, script, binaries, results, f);
}

static int perform(const struct lab_step *step, struct sl_job_figures *results,
                   struct sl_failure *f)
{
    struct binaries binaries = {0};
    char *script = sl_data_path("lab/optimizer.sh");
    if (!script)
        return sl_fail(f, SL_EIO, "lab/optimizer.sh is not among the files that came with sluice");
    int error = try_all(step, script, results, &binaries, f);
    for (size_t i = 0; i < binaries.n; i++) {
        free(binaries.one[i].label);
        free(binaries.one[i].directory);
    }
    free(script);
    return error;
}

/* In its tiny form it is about a program of our own, for which nothing is fetched. */
static void plan(struct lab *lab, const struct lab_program *program)
{
    static const char *const full[] = {"lua", "tcc", "sqlite", "bzip2", "mawk", "mujs", NULL};
    static const char *const quick[] = {"lua", NULL}, *const tiny[] = {"mips", NULL};
    const char *const *name = lab->size == LAB_FULL    ? full
                              : lab->size == LAB_QUICK ? quick
                                                                 : tiny;
    for (; *name; name++) {
        /* Once BOLT is there, what was done without it is done again. */
        struct lab_step *step = lab_step(lab, program, "%s%s", *name,
                                               access(BOLT, X_OK) ? " without BOLT" : "");
        lab_by(step, perform, *name);
        for (size_t i = 0; i < N_PROFILES; i++)
            if (is_made(i, lab->size))
                lab_profile(step, profiles[i].spec, "%s", profiles[i].spec);
    }
}

const struct experiment experiment_optimizer = {
    .name = "optimizer",
    .summary = "binaries that BOLT makes of tables' profiles: branches, cycles, time",
    .once = true,
    .plan = plan,
};
