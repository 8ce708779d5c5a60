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

/* What is found beside the area in an iCE40. */
#define ECP5 "ecp5"
#define BOTH "ecp5,clock"

/* Tables that are made for no program, by the smallest size of the lab that has them, what the page
 * leans on most first. The label is what stands behind the @, as in `designs`. Associative accumulators
 * of a hundred entries are not here: yosys takes minutes for one, and what an entry costs is seen in
 * fewer. */
static const struct table {
    enum lab_size from;
    const char *more, *detector, *table;
} tables[] = {
    {LAB_TINY, BOTH, "value", "P256"},
    {LAB_QUICK, BOTH, "value", "H[P256]2048"},
    {LAB_QUICK, BOTH, "value", "T2/256x2048w2"},
    {LAB_QUICK, BOTH, "value", "G4/160x2048"},
    {LAB_QUICK, BOTH, "value", "hpt(512x4)"},
    {LAB_QUICK, ECP5, "value", MULTI_HASH ",ways=4)"},
    {LAB_FULL, "", "value", SINGLE_HASH ",ways=4)"},
    {LAB_QUICK, "", "event", "multiplexed(counters=29)"},
    {LAB_QUICK, "", "event", "morris(registers=shared)"},
    {LAB_QUICK, "", "event", "morris(registers=own)"},
    {LAB_FULL, "", "value", "hpt(128x4)"},
    {LAB_FULL, "", "value", "hpt(2048x4)"},
    {LAB_FULL, "", "value", "hpt(512x4,replacement=age)"},
    {LAB_FULL, "", "value", MULTI_HASH ",accumulator=16)"},
    {LAB_FULL, "", "value", MULTI_HASH ",accumulator=16,ways=4)"},
    {LAB_FULL, "", "value", MULTI_HASH ",accumulator=8)"},
    {LAB_FULL, "", "value", MULTI_HASH ",accumulator=8,ways=4)"},
};

/* Likewise, behind LEAP and SnoopP. */
static const struct table more_tables[] = {
    {LAB_QUICK, "", "value", "spacesaving(entries=170)"},
    {LAB_FULL, "", "value", "misragries(entries=204)"},
    {LAB_FULL, "", "value", "countmin(columns=128,entries=102)"},
    {LAB_FULL, "", "value", "countsketch(columns=128,entries=127)"},
    {LAB_FULL, "", "value", "elastic(buckets=16,light=1024)"},
    {LAB_FULL, "", "value", "cocosketch(rows=3,columns=64)"},
    {LAB_FULL, "", "value", "heavykeeper(columns=128,entries=127)"},
    {LAB_FULL, "", "value", "H[P256]2048+A16"},
    {LAB_FULL, "", "value", "R256"},
    {LAB_FULL, "", "value", "CR256"},
    {LAB_FULL, "", "value", "hpt(512x4,replacement=lru)"},
    {LAB_FULL, "", "value", "multihash(tables=2,reset=1,ways=4,counters=2048,interval=1M,threshold=0.1%)"},
    {LAB_FULL, "", "event", "fpc"},
    {LAB_FULL, "", "value", MULTI_HASH ",ways=4,bits=8,base=1.02)"},
};

/* LEAP and SnoopP by functions and bits of a counter, as the document's table has them; those for which
 * yosys takes minutes come last. Of SnoopP only the smallest fits into the chip whose clock is found. */
static const struct {
    const char *more;
    unsigned functions, bits;
    const char *kind;
} by_function[] = {
    {"clock", 16, 32, "leap"},  {"", 16, 64, "leap"},     {"clock", 16, 32, "snoopp"}, {"", 16, 64, "snoopp"},
    {"clock", 32, 32, "leap"},  {"", 32, 64, "leap"},     {"", 32, 32, "snoopp"},      {"", 32, 64, "snoopp"},
    {"", 64, 32, "leap"},       {"", 64, 64, "leap"},     {"", 128, 32, "leap"},       {"", 128, 64, "leap"},
    {"clock", 256, 32, "leap"}, {"", 256, 64, "leap"},    {"", 64, 32, "snoopp"},      {"", 64, 64, "snoopp"},
    {"", 256, 32, "snoopp"},    {"", 256, 64, "snoopp"},  {"", 128, 32, "snoopp"},     {"", 128, 64, "snoopp"},
};

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
        else if (!strcmp(measure, "absent") || !strcmp(measure, "late"))
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

/* The argument: the number of functions, what is found beside the area, and the spec, with blanks between
 * them. */
static int perform(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    char more[16], functions[16];
    int at = 0;
    if (sscanf(step->argument, "%15s %15s %n", functions, more, &at) != 2)
        return sl_fail(f, SL_EUSAGE, "%s is no step of hardware", step->argument);
    const char *spec = step->argument + at;
    char *script = sl_data_path("lab/hardware.sh");
    if (!script)
        return sl_fail(f, SL_EIO, "lab/hardware.sh is not among the files that came with sluice");
    const char *argv[] = {"sh", script, step->lab->sluice, spec, functions, more, NULL};
    int error = lab_command(step, argv, "figures", f);
    free(script);
    if (error >= 0 && atoi(functions))
        lab_figure(results, strchr(spec, '@') + 1, "functions", NAN, atoi(functions));
    return error < 0 ? error : read_figures(step, results, f);
}

/* Once the tools are there, what was done without them is done again. */
static const char *without_tools(void)
{
    static const char *const tools[] = {"yosys", "iverilog", "nextpnr-ice40"};
    char path[64];
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        snprintf(path, sizeof path, "/usr/bin/%s", tools[i]);
        if (access(path, X_OK))
            return " without tools";
    }
    return "";
}

static void plan_step(struct lab *lab, const struct lab_program *program, unsigned functions,
                      const char *more, const char *spec)
{
    char argument[256];
    struct lab_step *step = lab_step(lab, program, "%s, %u functions%s", spec, functions,
                                     without_tools());
    snprintf(argument, sizeof argument, "%u %s %s", functions, *more ? more : "-", spec);
    lab_by(step, perform, argument);
}

static void plan_tables(struct lab *lab, const struct lab_program *program, const struct table *table,
                        size_t n)
{
    char spec[192];
    for (size_t i = 0; i < n; i++)
        if (lab->size <= table[i].from) {
            snprintf(spec, sizeof spec, "%s@%s", table[i].detector, table[i].table);
            plan_step(lab, program, 0, table[i].more, spec);
        }
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    char spec[64];
    plan_tables(lab, program, tables, sizeof tables / sizeof *tables);
    for (size_t i = 0; lab->size == LAB_FULL && i < sizeof by_function / sizeof *by_function; i++) {
        snprintf(spec, sizeof spec, "function:instructions@%s(bits=%u)", by_function[i].kind,
                 by_function[i].bits);
        plan_step(lab, program, by_function[i].functions, by_function[i].more, spec);
    }
    plan_tables(lab, program, more_tables, sizeof more_tables / sizeof *more_tables);
}

const struct experiment experiment_hardware = {
    .name = "hardware",
    .summary = "the tables in an FPGA: logic, registers, memory, clock",
    .once = true,
    .plan = plan,
};
