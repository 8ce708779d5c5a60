/* Stream compressors on real programs: figures 7 to 11 of their document, and what its text
 * says of hardware.
 *
 *     PROGRAM values     errors of load values as they evolve
 *     PROGRAM messages   what a second level saves; tags
 *     PROGRAM flow       edges and call targets together, and types
 *     PROGRAM cycles     how long the program takes, for overheads
 *     storage            bits of each
 *
 * Labels are NOTATION#SEED: samplers and hashes have a seed, and what depends on it much is
 * tried with several. The document is about gcc most of the time, so that has them all. */
#include <math.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"

/* The document's machine: ss4 with other caches and another predictor. */
#define MACHINE "ss4,l1i.size=64Ki,l1d.size=64Ki,l2.size=1Mi,bpred.kind=gshare"

struct part {
    const char *notation;
    unsigned seeds;     /* with as many, 1, 2, ... */
    unsigned gcc_seeds; /* and for gcc */
    bool tiny;          /* also where there is hardly any time */
};

static void add(struct lab_step *step, const char *detecting, const struct part *part,
                unsigned seed)
{
    char label[60];
    bool by_ratio = !strncmp(part->notation, "CR", 2) && strstr(part->notation, " by ratio");
    int length = (int)strcspn(part->notation, " ");
    snprintf(label, sizeof label, "%s%s%s#%u", strcmp(detecting, "value") ? detecting : "",
             strcmp(detecting, "value") ? " " : "", part->notation, seed);
    lab_profile(step, label, "%s@%.*s(seed=%u%s)", detecting, length, part->notation, seed,
                   by_ratio ? ",estimate=ratio" : "");
}

/* A list of parts ends with one that has no notation. */
static void add_all(struct lab *lab, struct lab_step *step, bool is_gcc,
                    const char *detecting, const struct part *part)
{
    enum lab_size size = lab->size;
    for (; part->notation; part++) {
        unsigned seeds = is_gcc ? part->gcc_seeds : part->seeds;
        if (size == LAB_TINY)
            seeds = part->tiny ? (seeds > 1 ? 2 : 1) : 0;
        for (unsigned seed = 1; seed <= seeds; seed++)
            add(step, detecting, part, seed);
    }
}

static const struct part values[] = {
    {"R256", 5, 5, true},
    {"P256", 1, 1, true},
    {"RD256", 3, 5, false},
    {"CR256", 3, 5, false},
    {"CR256 by ratio", 3, 5, true},
    {"H[P256]2048", 1, 5, true},
    {"H[P512]2048", 1, 5, true},
    {"H[P1024]2048", 1, 1, false},
    {"H[P2048]2048", 1, 1, false},
    {"H[P256]512", 1, 3, true},
    {"H[P256]1024", 1, 3, false},
    {"H[P256]4096", 1, 3, true},
    {"T2/256x2048w2", 1, 5, true},
    {NULL, 0, 0, false},
};

static const struct part messages[] = {
    {"R256+A16", 1, 1, true},
    {"H[P256]2048+A4", 1, 1, false},
    {"H[P256]2048+A8", 1, 1, false},
    {"H[P256]2048+A16", 1, 1, true},
    {"H[P256]2048+A32", 1, 1, false},
    {"H[P256]2048+A64", 1, 1, true},
    {"T2/256x2048w2+A16", 1, 1, true},
    {"T1/256x2048w2", 1, 1, false},
    {"T4/256x2048w2", 1, 1, true},
    {"T8/256x2048w2", 1, 1, false},
    {NULL, 0, 0, false},
};

static const struct part flow[] = {
    {"H[P256]2048", 1, 5, true},
    {"H[P256]2048+A16", 1, 1, false},
    {"R256", 3, 5, true},
    {NULL, 0, 0, false},
};

static const struct part types[] = {
    {"H[P256]2048", 1, 1, true},
    {"R256", 1, 1, false},
    {NULL, 0, 0, false},
};

/* ---- hardware ---------------------------------------------------------------------------- */

static int tell_storage(const struct lab_step *step, struct sl_job_figures *results,
                        struct sl_failure *f)
{
    static const char *const notations[] = {
        "P256", "H[P256]512", "H[P256]1024", "H[P256]2048", "H[P256]4096", "H[P512]2048",
        "T1/256x2048w2", "T2/256x2048w2", "H[P256]2048+A16", "A4096(width=8)",
    };
    (void)step;
    for (size_t i = 0; i < sizeof notations / sizeof *notations; i++) {
        uint64_t bits = sl_table_storage(notations[i], f);
        if (!bits)
            return f->code;
        lab_figure(results, notations[i], "bits", NAN, (double)bits);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------- */

static void plan(struct lab *lab, const struct lab_program *program)
{
    static const uint64_t every[] = {
        [LAB_FULL] = 25000, [LAB_QUICK] = 10000, [LAB_TINY] = 5000};
    if (!program) {
        lab_by(lab_step(lab, NULL, "storage"), tell_storage, NULL);
        return;
    }
    bool is_gcc = !strcmp(program->name, "gcc");
    struct lab_step *step = lab_step(lab, program, "%s values", program->name);
    step->every = every[lab->size];
    add_all(lab, step, is_gcc, "value", values);
    step = lab_step(lab, program, "%s messages", program->name);
    add_all(lab, step, is_gcc, "value", messages);
    step = lab_step(lab, program, "%s flow", program->name);
    step->every = every[lab->size];
    add_all(lab, step, is_gcc, "edge+call", flow);
    add_all(lab, step, is_gcc, "type", types);
    step = lab_step(lab, program, "%s cycles", program->name);
    lab_machine(step, MACHINE);
}

const struct experiment experiment_compressors = {
    .name = "compressors",
    .summary = "stream compressors on programs: error, overhead, second level, two at once",
    .programs = LAB_REAL,
    .once = true,
    .plan = plan,
};
