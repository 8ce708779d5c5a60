/* The path profiler's document redone: how much of the exact profile a hot path table
 * keeps, by size, ways, index and replacement; by what is counted along paths; for extended
 * paths; what the branch queue saves; and which of all that matters, by Plackett and
 * Burman's design. */
#include "experiment_paths.h"
#include "lab_experiments.h"

/* ---- tables and kinds: no machine ---------------------------------------------------------- */

static void plan_tables(struct lab *lab, const struct lab_program *program)
{
    static const char *const sizes[] = {"128x4", "512x4", "2048x4", "8192x4"};
    static const char *const others[] = {"512x1", "512x2", "512x16", "2048x32"};
    static const char *const replacements[] = {"lfu", "lru", "age"};
    struct lab_step *step = lab_step(lab, program, "%s tables", program->name);
    char label[64];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof replacements / sizeof *replacements; j++) {
            snprintf(label, sizeof label, "%s %s", sizes[i], replacements[j]);
            lab_profile(step, label, "path@hpt(%s,replacement=%s)", sizes[i], replacements[j]);
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        lab_profile(step, others[i], "path@hpt(%s)", others[i]);
    lab_profile(step, "512x4 start", "path@hpt(512x4,index=start)");
    lab_profile(step, "2048x4 start", "path@hpt(2048x4,index=start)");
}

/* Every number of entries with every number of ways. */
static void plan_factorial(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step = lab_step(lab, program, "%s factorial", program->name);
    char label[64];
    for (unsigned entries = 128; entries <= 4096; entries *= 2)
        for (unsigned ways = 1; ways <= 32; ways *= 2) {
            snprintf(label, sizeof label, "%ux%u", entries, ways);
            lab_profile(step, label, "path@hpt(%ux%u)", entries, ways);
        }
}

static void plan_kinds(struct lab *lab, const struct lab_program *program)
{
    static const struct {
        const char *label, *kind;
    } kinds[] = {{"bl", "kind=bl"}, {"loop", "kind=loop,extend=1"},
                 {"loop 3", "kind=loop,extend=3"}, {"procedure", "kind=procedure,extend=1"},
                 {"wpp", "kind=wpp"}, {"bl 16", "kind=bl,length=16"}};
    static const char *const replacements[] = {"lfu", "age"};
    struct lab_step *step = lab_step(lab, program, "%s kinds", program->name);
    char label[64];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t j = 0; j < sizeof replacements / sizeof *replacements; j++) {
            snprintf(label, sizeof label, "%s %s", kinds[i].label, replacements[j]);
            lab_profile(step, label, "path(%s)@hpt(512x4,replacement=%s)", kinds[i].kind,
                           replacements[j]);
        }
}

/* ---- metrics, on the document's processor ---------------------------------------------------- */

static void plan_metrics(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step = lab_step(lab, program, "%s metrics", program->name);
    lab_machine(step, "ss4");
    step->window = lab->size == LAB_FULL ? 10000000 : 1000000;
    for (size_t i = 0; lab_path_metrics[i]; i++) {
        const char *metric = lab_path_metrics[i];
        char label[64];
        snprintf(label, sizeof label, "%s lfu", metric);
        lab_profile(step, label, "path:%s@hpt(512x4)", metric);
        snprintf(label, sizeof label, "%s age", metric);
        lab_profile(step, label, "path:%s@hpt(512x4,replacement=age)", metric);
    }
    lab_by(step, lab_path_shapes, "shapes");
}

/* ---- overhead ------------------------------------------------------------------- */

/* What takes many passes of the out-of-order machine is measured in a part of the run, which leaves most
 * of its start out: differences are of one machine with another in the same part. */
static void take_part(struct lab_step *step)
{
    step->skip = step->lab->size == LAB_FULL ? 20000000 : 0;
    step->limit = step->lab->size == LAB_FULL ? 20000000 : 0;
}

/* By entries of the queue; and what the document leaves open: how long the table takes (1 unless
 * it is said), and what a path takes that is not there, which is nothing where a set has one way. */
static void plan_queue(struct lab *lab, const struct lab_program *program)
{
    static const struct {
        unsigned queue, latency, ways;
        enum lab_size from; /* the smallest size that has it */
    } forms[] = {{0, 1, 4, LAB_TINY}, {1, 1, 4, LAB_FULL}, {4, 1, 4, LAB_TINY}, {16, 1, 4, LAB_FULL},
                 {4, 0, 4, LAB_QUICK}, {4, 2, 4, LAB_FULL}, {4, 0, 1, LAB_FULL}};
    struct lab_step *alone = lab_step(lab, program, "%s alone", program->name);
    lab_machine(alone, "ss4");
    take_part(alone);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (lab->size > forms[i].from)
            continue;
        struct lab_step *step = lab_step(lab, program, "%s queue %u %u %u", program->name,
                                         forms[i].queue, forms[i].latency, forms[i].ways);
        lab_machine(step, "ss4,profiler.queue=%u,profiler.latency=%u", forms[i].queue,
                    forms[i].latency);
        lab_profile(step, "bl", "path@hpt(512x%u)", forms[i].ways);
        take_part(step);
    }
    /* Extended paths, which the document has at no other cost. */
    static const char *const kinds[] = {"loop", "procedure"};
    for (size_t i = 0; lab->size == LAB_FULL && i < sizeof kinds / sizeof *kinds; i++) {
        struct lab_step *step = lab_step(lab, program, "%s extended %s", program->name, kinds[i]);
        lab_machine(step, "ss4,profiler.queue=4,profiler.latency=1");
        lab_profile(step, kinds[i], "path(kind=%s,extend=1)@hpt(512x4)", kinds[i]);
        take_part(step);
    }
}

/* ---- what matters --------------------------------------------------------------- */

/* Plackett and Burman's design of 8 runs for up to 7 factors, by their first row and its
 * rotations, and the 8 runs with all signs turned round (so that no effect of one factor
 * is mixed up with that of two others together; those of three are). 6 factors are the
 * document's: entries, ways and index of the table are columns 0 to 2, L2 size, predictor and
 * L2 ways columns 3, 5 and 6. Column 4 has none: what it seems to do is what the three of
 * the table do together, which would otherwise be taken for the machine's doing. */
#define RUNS 8u
#define FACTORS 7u

static bool is_high(unsigned run, unsigned factor)
{
    static const char first[FACTORS + 1] = "+++-+--";
    unsigned row = run % RUNS;
    bool high = row + 1 < RUNS && first[(factor + FACTORS - row) % FACTORS] == '+';
    return high != (run >= RUNS);
}

/* Runs on the same machine are one step. */
static unsigned machine_of(unsigned run)
{
    return is_high(run, 3) | (unsigned)is_high(run, 6) << 1 | (unsigned)is_high(run, 5) << 2;
}

static void add_run(struct lab_step *step, unsigned run)
{
    static const char *const metrics[] = {"count", "l2miss", "mispredict"};
    char label[32];
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        int n = snprintf(label, sizeof label, "%s ", metrics[i]);
        for (unsigned factor = 0; factor < FACTORS; factor++)
            label[n++] = is_high(run, factor) ? '+' : '-';
        label[n] = '\0';
        lab_profile(step, label, "path:%s@hpt(%ux%u,index=%s)", metrics[i],
                       is_high(run, 0) ? 2048 : 128, is_high(run, 1) ? 32 : 2,
                       is_high(run, 2) ? "xor" : "start");
    }
}

static void plan_design(struct lab *lab, const struct lab_program *program)
{
    for (unsigned machine = 0; machine < 8; machine++) {
        struct lab_step *step = lab_step(lab, program, "%s design %u", program->name,
                                               machine);
        lab_machine(step, "ss4,l2.size=%s,l2.ways=%u,%s", machine & 1 ? "2M" : "256K",
                       machine & 2 ? 8 : 1,
                       machine & 4 ? "bpred.kind=combined,bpred.first=bimodal,"
                                     "bpred.second=two-level,bpred.bimodal_entries=8Ki,"
                                     "bpred.local_entries=2Ki,bpred.chooser_entries=8Ki"
                                   : "bpred.kind=two-level,bpred.local_entries=2Ki");
        take_part(step);
        for (unsigned run = 0; run < 2 * RUNS; run++)
            if (machine_of(run) == machine)
                add_run(step, run);
    }
}

/* What cache events cost with what accesses of one cycle share; and whether paths stand in the same order
 * as they do with every access by itself. */
static void plan_power(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step = lab_step(lab, program, "%s power", program->name);
    lab_machine(step, "ss4,power.cycle_level=1");
    lab_profile(step, "cycle-level", "path:cachepower@hpt(512x4)");
    lab_by(step, lab_path_power, "ss4");
    take_part(step);
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    plan_tables(lab, program);
    plan_factorial(lab, program);
    plan_kinds(lab, program);
    plan_metrics(lab, program);
    plan_power(lab, program);
    plan_queue(lab, program);
    plan_design(lab, program);
}

const struct experiment experiment_paths = {
    .name = "paths",
    .summary = "hot path tables: overlap by size, metric and kind of path; queue; what matters",
    .programs = LAB_REAL,
    .plan = plan,
};
