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

/* Tables that are made for no program, by the smallest size of the lab that has them. The label is
 * what stands behind the @, as in `designs`. */
static const struct {
    enum lab_size from;
    const char *detector, *table;
} tables[] = {
    {LAB_TINY, "value", "P256"},
    {LAB_FULL, "value", "R256"},
    {LAB_FULL, "value", "RD256"},
    {LAB_FULL, "value", "CR256"},
    {LAB_FULL, "value", "H[P256]512"},
    {LAB_QUICK, "value", "H[P256]2048"},
    {LAB_FULL, "value", "P256+A16"},
    {LAB_FULL, "value", "H[P256]2048+A16"},
    {LAB_FULL, "value", "T2/256x512w2"},
    {LAB_QUICK, "value", "T2/256x2048w2"},
    {LAB_FULL, "value", "T2/256x2048w2+A16"},
    {LAB_FULL, "value", "hpt(128x4)"},
    {LAB_QUICK, "value", "hpt(512x4)"},
    {LAB_FULL, "value", "hpt(2048x4)"},
    {LAB_FULL, "value", "hpt(512x4,replacement=lru)"},
    {LAB_FULL, "value", "hpt(512x4,replacement=age)"},
    {LAB_FULL, "value", "hpt(2048x4,replacement=age)"},
    {LAB_FULL, "value", "singlehash(interval=10K,threshold=1%)"},
    {LAB_FULL, "value", "singlehash(interval=10K,threshold=1%,ways=4)"},
    {LAB_FULL, "value", "multihash(tables=4,reset=0,counters=512,interval=10K,threshold=1%)"},
    {LAB_FULL, "value", "multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%)"},
    {LAB_QUICK, "value", "multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4)"},
    {LAB_FULL, "value", "multihash(tables=2,reset=1,counters=2048,interval=1M,threshold=0.1%,ways=4)"},
    {LAB_FULL, "value", "multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=32)"},
    {LAB_QUICK, "event", "multiplexed(counters=29)"},
    {LAB_FULL, "event", "multiplexed(counters=4)"},
    {LAB_QUICK, "event", "morris(registers=own)"},
    {LAB_QUICK, "event", "morris(registers=shared)"},
    {LAB_FULL, "event", "morris(registers=clock)"},
    {LAB_FULL, "event", "fpc"},
};

/* LEAP and SnoopP by functions and bits of a counter, as the document's table has them. */
static const unsigned functions_of[] = {16, 32, 64, 128, 256};
static const unsigned bits_of[] = {32, 64};

static int read_figures(const struct lab_step *step, struct lab_results *results,
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

/* The argument: the number of functions, a blank, the spec. */
static int perform(const struct lab_step *step, struct lab_results *results, struct sl_failure *f)
{
    char functions[16];
    const char *spec = strchr(step->argument, ' ') + 1;
    snprintf(functions, sizeof functions, "%d", atoi(step->argument));
    char *script = sl_data_path("lab/hardware.sh");
    if (!script)
        return sl_fail(f, SL_EIO, "lab/hardware.sh is not among the files that came with sluice");
    const char *argv[] = {"sh", script, step->lab->sluice, spec, functions, NULL};
    int error = lab_command(step, argv, "figures", f);
    free(script);
    if (error >= 0 && atoi(functions))
        lab_figure(results, strchr(spec, '@') + 1, "functions", NAN, atoi(functions));
    return error < 0 ? error : read_figures(step, results, f);
}

/* Once the tools are there, what was done without them is done again. */
static const char *without_tools(void)
{
    return access("/usr/bin/yosys", X_OK) || access("/usr/bin/nextpnr-ice40", X_OK) ? " without tools" : "";
}

static void plan_step(struct lab *lab, const struct lab_program *program, unsigned functions,
                      const char *spec)
{
    char argument[256];
    struct lab_step *step = functions ? lab_step(lab, program, "%s of %u%s", spec, functions, without_tools())
                                      : lab_step(lab, program, "%s%s", spec, without_tools());
    snprintf(argument, sizeof argument, "%u %s", functions, spec);
    lab_by(step, perform, argument);
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    char spec[192];
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (lab->size <= tables[i].from) {
            snprintf(spec, sizeof spec, "%s@%s", tables[i].detector, tables[i].table);
            plan_step(lab, program, 0, spec);
        }
    for (size_t i = 0; i < sizeof functions_of / sizeof *functions_of; i++)
        for (size_t j = 0; j < sizeof bits_of / sizeof *bits_of; j++) {
            bool few = functions_of[i] == 16 && bits_of[j] == 32;
            if (lab->size != LAB_FULL && !(few && lab->size == LAB_QUICK))
                continue;
            snprintf(spec, sizeof spec, "function:instructions@leap(bits=%u)", bits_of[j]);
            plan_step(lab, program, functions_of[i], spec);
            snprintf(spec, sizeof spec, "function:instructions@snoopp(bits=%u)", bits_of[j]);
            plan_step(lab, program, functions_of[i], spec);
        }
}

const struct experiment experiment_hardware = {
    .name = "hardware",
    .summary = "the tables in an FPGA: logic, registers, memory, clock",
    .once = true,
    .plan = plan,
};
