/* Hardware: what the twins of rtl/ take in an FPGA, as yosys and nextpnr have it; the documents'
 * tables of area again (LEAP's section 6, the counters' table), and what each design of `designs`
 * costs in logic beside its bits.
 *
 * All of it is done by a script, data/lab/hardware.sh, one step for each spec. Nothing in it is
 * random but the placement, which has a seed. Where the tools are missing a figure says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "lab_experiments.h"

#define SINGLE_HASH "singlehash(interval=10K,threshold=1%"
#define MULTI_HASH "multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%"

/* Associative accumulators of a hundred entries are not here: yosys takes minutes for one, and sixteen
 * entries say the same. Tables that are made for no program, by the smallest size of the lab that has them. The label is
 * what stands behind the @, as in `designs`. */
static const struct {
    enum lab_size from;
    bool clock; /* is found, too: of some of those that fit into an HX8K */
    const char *detector, *table;
} tables[] = {
    {LAB_TINY, true, "value", "P256"},
    {LAB_FULL, false, "value", "R256"},
    {LAB_FULL, false, "value", "CR256"},
    {LAB_QUICK, true, "value", "H[P256]2048"},
    {LAB_FULL, false, "value", "H[P256]2048+A16"},
    {LAB_QUICK, true, "value", "T2/256x2048w2"},
    {LAB_QUICK, true, "value", "G4/160x2048"},
    {LAB_FULL, false, "value", "hpt(128x4)"},
    {LAB_QUICK, true, "value", "hpt(512x4)"},
    {LAB_FULL, false, "value", "hpt(2048x4)"},
    {LAB_FULL, false, "value", "hpt(512x4,replacement=lru)"},
    {LAB_FULL, true, "value", "hpt(512x4,replacement=age)"},
    {LAB_FULL, false, "value", SINGLE_HASH ",ways=4)"},
    {LAB_QUICK, true, "value", MULTI_HASH ",ways=4)"},
    {LAB_FULL, false, "value", MULTI_HASH ",accumulator=16,ways=4)"},
    {LAB_FULL, false, "value", MULTI_HASH ",accumulator=16)"},
    {LAB_FULL, false, "value", MULTI_HASH ",ways=4,bits=8,base=1.02)"},
    {LAB_QUICK, false, "event", "multiplexed(counters=29)"},
    {LAB_FULL, false, "event", "multiplexed(counters=4)"},
    {LAB_QUICK, false, "event", "morris(registers=own)"},
    {LAB_QUICK, true, "event", "morris(registers=shared)"},
    {LAB_FULL, false, "event", "fpc"},
    {LAB_QUICK, true, "value", "spacesaving(entries=170)"},
    {LAB_FULL, false, "value", "misragries(entries=204)"},
    {LAB_FULL, false, "value", "countmin(columns=128,entries=102)"},
    {LAB_FULL, false, "value", "countsketch(columns=128,entries=127)"},
    {LAB_FULL, false, "value", "heavykeeper(columns=128,entries=127)"},
    {LAB_FULL, false, "value", "elastic(buckets=16,light=1024)"},
    {LAB_FULL, false, "value", "cocosketch(rows=3,columns=64)"},
};

/* LEAP and SnoopP by functions and bits of a counter, as the document's table has them. */
static const unsigned functions_of[] = {16, 32, 64, 128, 256};
static const unsigned bits_of[] = {32, 64};

static int read_figures(const struct lab_step *step, struct sl_job_figures *results,
                        struct sl_failure *f)
{
    const char *label = strchr(step->argument, '@') + 1;
    char *path = NULL, *line = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s/figures", step->scratch) < 0)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    FILE *file = fopen(path, "re");
    int error = file ? 0 : sl_fail_errno(f, SL_EIO, "%s", path);
    while (error >= 0 && getline(&line, &size, file) > 0) {
        char *value = line, *measure = strsep(&value, "\t");
        if (!value)
            error = sl_fail(f, SL_EFORMAT, "%s: a name, a tab and a value are wanted", path);
        else if (!strcmp(measure, "absent"))
            lab_figure_of(results, label, measure, strtok(value, "\n"), 1);
        else
            lab_figure(results, label, measure, NAN, strtod(value, NULL));
    }
    if (file)
        fclose(file);
    free(line);
    free(path);
    return error;
}

/* The argument: area or clock, the number of functions, the spec, with blanks between them. */
static int perform(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    char what[8], functions[16];
    int at = 0;
    if (sscanf(step->argument, "%7s %15s %n", what, functions, &at) != 2)
        return sl_fail(f, SL_EUSAGE, "%s is no step of hardware", step->argument);
    const char *spec = step->argument + at;
    char *script = sl_data_path("lab/hardware.sh");
    if (!script)
        return sl_fail(f, SL_EIO, "lab/hardware.sh is not among the files that came with sluice");
    const char *argv[] = {"sh", script, what, step->lab->sluice, spec, functions, NULL};
    int error = lab_command(step, argv, "figures", f);
    free(script);
    if (error >= 0 && atoi(functions))
        lab_figure(results, strchr(spec, '@') + 1, "functions", NAN, atoi(functions));
    return error < 0 ? error : read_figures(step, results, f);
}

/* Once the tools are there, what was done without them is done again. */
static const char *without(const char *tool)
{
    return access(tool, X_OK) ? " without tools" : "";
}

static void plan_step(struct lab *lab, const struct lab_program *program, const char *what,
                      unsigned functions, const char *spec)
{
    char argument[256];
    bool clock = !strcmp(what, "clock");
    struct lab_step *step = lab_step(lab, program, "%s of %s, %u%s", what, spec, functions,
                                     without(clock ? "/usr/bin/nextpnr-ice40" : "/usr/bin/yosys"));
    snprintf(argument, sizeof argument, "%s %u %s", what, functions, spec);
    lab_by(step, perform, argument);
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    char spec[192];
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (lab->size <= tables[i].from) {
            snprintf(spec, sizeof spec, "%s@%s", tables[i].detector, tables[i].table);
            plan_step(lab, program, "area", 0, spec);
            if (tables[i].clock)
                plan_step(lab, program, "clock", 0, spec);
        }
    static const char *const kinds[] = {"leap", "snoopp"};
    for (size_t i = 0; i < sizeof functions_of / sizeof *functions_of; i++)
        for (size_t j = 0; j < sizeof bits_of / sizeof *bits_of; j++)
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
                if (lab->size != LAB_FULL)
                    continue;
                snprintf(spec, sizeof spec, "function:instructions@%s(bits=%u)", kinds[k], bits_of[j]);
                plan_step(lab, program, "area", functions_of[i], spec);
                if (!k && bits_of[j] == 32 && (functions_of[i] == 16 || functions_of[i] == 256))
                    plan_step(lab, program, "clock", functions_of[i], spec);
            }
}

const struct experiment experiment_hardware = {
    .name = "hardware",
    .summary = "the tables in an FPGA: logic, registers, memory, clock",
    .once = true,
    .plan = plan,
};
