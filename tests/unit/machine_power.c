/* SPDX-License-Identifier: MIT */
/* Unit tests of the power models of the core and of the caches: the published values, the power
 * group of each instruction, the formulas, and invalid files. */
#include "machine.h"

#include <math.h>

#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "power.h"
#include "tap.h"

enum { A, B, C, D, E, F };

/* ---- the files that come with it ---- */

static void published(void)
{
    static const double cache[] = {47.27, 57.32, 62.14, 66.02, 71.07, 83.74};
    static const double pipeline[] = {38.45, 57.53, 62.82, 68.03, 75.88, 101.60};
    struct sl_power_table t;
    struct sl_cache_costs c;
    struct sl_failure f = {.text = ""};
    bool same = !sl_power_read_table(&t, "tiger", &f);
    for (unsigned g = A; g <= F && same; g++)
        same = t.group[g][SL_STALLS_CACHE] == cache[g] &&
               t.group[g][SL_STALLS_PIPELINE] == pipeline[g];
    ok(same && t.stall[SL_STALLS_CACHE] == 31.85 && t.stall[SL_STALLS_PIPELINE] == 44.34,
       "the powers of groups and stalls are the published ones %s", f.text);
    ok(!sl_power_read_costs(&c, "cache", &f) && c.cost[SL_MACHINE_FETCH_LINES] == 1000 &&
           c.cost[SL_MACHINE_DATA_ACCESSES] >= 1000 && c.cost[SL_MACHINE_L2_ACCESSES] > 1000 &&
           !c.cost[SL_MACHINE_MEMORY],
       "an access to the instruction cache costs least %s", f.text);
}

struct instruction {
    const char *text;
    uint32_t word;
    int group;    /* -1: whatever */
    double share; /* of an ordinary program */
};

static const struct instruction mips[] = {
    {"lhu", 0x94620004, E, 0},      {"lbu", 0x90620004, E, 0},    {"sllv", 0x00831004, E, 0},
    {"mult", 0x00430018, E, 0},     {"nop", 0x00000000, A, 0.08}, {"div", 0x0043001a, F, 0},
    {"addu", 0x00641021, -1, 0.45}, {"lw", 0x8c620000, -1, 0.22}, {"sw", 0xac620000, -1, 0.10},
    {"beq", 0x10430001, -1, 0.15},  {"jr", 0x03e00008, B, 0},     {"or", 0x00641025, C, 0},
};
static const struct instruction riscv[] = {
    {"lhu", 0x00455503, E, 0},    {"lbu", 0x00454503, E, 0},     {"sll", 0x00b51533, E, 0},
    {"sra", 0x40b55533, E, 0},    {"mul", 0x02b50533, E, 0},     {"nop", 0x00000013, A, 0.08},
    {"divu", 0x02b55533, F, 0},   {"add", 0x00b50533, -1, 0.45}, {"ld", 0x00053503, -1, 0.22},
    {"sd", 0x00a5b023, -1, 0.10}, {"beq", 0x00b50463, -1, 0.15}, {"or", 0x00b56533, C, 0},
    {"lui", 0x00000537, C, 0},    {"ret", 0x00008067, B, 0},
};

/* An instruction a block: the mean is its power. */
static void groups(enum sl_arch arch, const struct instruction *list, unsigned n)
{
    static const double milliwatts[] = {38.45, 57.53, 62.82, 68.03, 75.88, 101.60};
    struct tiny *t = tiny_new(arch);
    struct sl_power power;
    struct sl_power_config config;
    struct sl_failure f;
    unsigned wrong = 0;
    double mix = 0;
    for (unsigned i = 0; i < n; i++)
        tiny_words(t, 0x1000 + 4 * i, 1, &list[i].word);
    tiny_sync(t);
    sl_options_defaults(sl_power_options, &config);
    if (sl_power_open(&power, &config, 25, &f) || sl_power_sync(&power, &t->code, &f)) {
        ok(false, "%s", f.text);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        double is = (double)power.mean[i] / (1 << SL_POWER_UNIT_LOG2) / 40;
        mix += list[i].share * is;
        if (list[i].group >= 0 && fabs(is - milliwatts[list[i].group]) > 1e-5) {
            printf("# %s: %.3f mW\n", list[i].text, is);
            wrong++;
        }
    }
    ok(!wrong, "%s: instructions are in their groups, lhu, lbu, sllv and mult in E",
       sl_arch_name(arch));
    ok(mix > 63.8 && mix < 66.5,
       "%s: an ordinary mix takes %.1f mW; published programs 63.8 to 66.5", sl_arch_name(arch),
       mix);
    sl_power_close(&power);
    tiny_free(t);
}

/* ---- the formula ---- */

static struct sl_energy_correction correction; /* of the machine that ran last */

/* A few thousand blocks on a machine; the totals. */
static void run(const char *spec, uint64_t *total)
{
    struct tiny *t = tiny_new(SL_ARCH_MIPSEL);
    struct sl_machine *m;
    struct sl_failure f;
    struct sl_chunk chunk;
    /* lw, addu (waits for it), mult, lbu, nop; lhu with two accesses by itself. */
    uint32_t first = tiny_words(
        t, 0x1000, 5, (uint32_t[]){0x8c620000, 0x00421021, 0x00430018, 0x90620004, 0x00000000});
    uint32_t second = tiny_words(t, 0x1014, 1, (uint32_t[]){0x94620004});
    tiny_sync(t);
    if (sl_machine_open(&m, spec, &f) || sl_machine_sync(m, &t->code, &f)) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    for (unsigned i = 0; i < 2000; i++) {
        tiny_enter(t, first);
        tiny_access(t, 0, 'r', 2, 0x10000 + 8 * i);
        tiny_access(t, 3, 'r', 0, 0x20000 + i);
        tiny_enter(t, second);
        tiny_access(t, 0, 'r', 1, 0x30000 + 2 * i);
        tiny_access(t, 0, 'r', 1, 0x30000 + 4 * i);
    }
    tiny_cut(t, &chunk);
    if (sl_machine_run(m, &chunk, &f))
        abort();
    memcpy(total, sl_machine_totals(m), SL_MACHINE_EVENTS * sizeof *total);
    correction = sl_machine_correction(m);
    sl_machine_close(m);
    tiny_free(t);
}

static bool near(uint64_t got, double wanted)
{
    bool is = fabs((double)got - wanted) < 1 + 1e-6 * wanted;
    if (!is)
        printf("# got %llu, wanted %.1f\n", (unsigned long long)got, wanted);
    return is;
}

static void formula(void)
{
    uint64_t n[SL_MACHINE_EVENTS];
    run("tiger", n);
    /* lw and addu are in D, mult, lbu and lhu in E. */
    double work = 2000 * (2 * 68.03 + 3 * 75.88 + 38.45);
    double stalls = (double)(n[SL_MACHINE_CYCLES] - n[SL_MACHINE_INSTRUCTIONS]);
    ok(n[SL_MACHINE_STALL_DATA] && n[SL_MACHINE_STALL_LOAD_USE] && n[SL_MACHINE_STALL_FETCH] &&
           near(n[SL_MACHINE_ENERGY], 40 * (work + stalls * 44.34)),
       "energy = 40 ns * (powers of the instructions + stalls * power of a stall)");

    run("tiger,power.stalls=cache", n);
    double waited = (double)(n[SL_MACHINE_STALL_DATA] + n[SL_MACHINE_STALL_FETCH]);
    double hazards = (double)n[SL_MACHINE_STALL_LOAD_USE] / 2000;
    /* The first block has five instructions and waits for its load besides. */
    double first = 2000 * (5 + hazards) * (2 * 66.02 + 2 * 71.07 + 47.27) / 5;
    ok(hazards == 1 && near(n[SL_MACHINE_ENERGY], 40 * (first + 2000 * 71.07 + waited * 31.85)),
       "with cache stalls only, other stall cycles are the instructions'");

    run("tiger,core.frequency_mhz=1000", n);
    ok(near(n[SL_MACHINE_ENERGY], work + stalls * 44.34), "at 1 GHz it is a fortieth");
}

/* The published figures are in energy_published.c. */
static void corrected(void)
{
    uint64_t n[SL_MACHINE_EVENTS];
    run("tiger,memory.latency=1", n);
    double stalls = 100 * (double)(n[SL_MACHINE_CYCLES] - n[SL_MACHINE_BASE]) /
                    (double)n[SL_MACHINE_CYCLES];
    double factor = 1 + (33.9 - stalls) / stalls / 10;
    ok(fabs(correction.factor - factor) < 1e-9 && !correction.extrapolated,
       "energy is corrected by all stalls of the run: %.2f%%, factor %.4f", stalls, factor);
    run("tiger,memory.latency=100", n);
    ok(correction.extrapolated && correction.factor > 0.9 && correction.factor < 1,
       "a program that stalls more than any that was measured is told apart");
    run("tiger,power.stalls=cache", n);
    ok(isnan(correction.factor) && !correction.extrapolated,
       "with cache stalls only it is not corrected");
}

static void caches(void)
{
    uint64_t n[SL_MACHINE_EVENTS], cycle[SL_MACHINE_EVENTS];
    run("ss4,core.branch_penalty=3", n);
    uint64_t wanted = 1000 * n[SL_MACHINE_FETCH_LINES] + 1300 * n[SL_MACHINE_DATA_ACCESSES] +
                      1000 * n[SL_MACHINE_IMISS] +
                      1300 * (n[SL_MACHINE_DMISS] + n[SL_MACHINE_DWRITEBACK]) +
                      6000 * (n[SL_MACHINE_L2_ACCESSES] + n[SL_MACHINE_L2MISS]);
    ok(n[SL_MACHINE_DATA_ACCESSES] == 8000 && n[SL_MACHINE_DMISS] && n[SL_MACHINE_L2MISS] &&
           n[SL_MACHINE_CACHE_POWER] == wanted,
       "cache power is what the events cost");
    run("rocket", n);
    run("rocket,power.cycle_level=1", cycle);
    ok(n[SL_MACHINE_DATA_HALVES] == 12000 &&
           n[SL_MACHINE_CACHE_POWER] - cycle[SL_MACHINE_CACHE_POWER] == 1300 * 2000,
       "cycle by cycle, in order, two accesses of an instruction cost as one");
    run("ss4", n);
    run("ss4,power.cycle_level=1", cycle);
    ok(cycle[SL_MACHINE_DATA_HALVES] < 12000 &&
           n[SL_MACHINE_CACHE_POWER] - cycle[SL_MACHINE_CACHE_POWER] ==
               1300 * (16000 - cycle[SL_MACHINE_DATA_HALVES]) / 2,
       "out of order, those of different instructions share cycles, too");
}

/* ---- files that are wrong ---- */

enum { TABLE, RULES, COSTS };

static int read_as(int what, const char *path, struct sl_failure *f)
{
    static struct sl_power_rules rules;
    struct sl_power_table table;
    struct sl_cache_costs costs;
    return what == TABLE   ? sl_power_read_table(&table, path, f)
           : what == RULES ? sl_power_read_rules(&rules, path, f)
                           : sl_power_read_costs(&costs, path, f);
}

#define GROUPS_BUT_F "A 1 1\nB 1 1\nC 1 1\nD 1 1\nE 1 1\n"

static void refused(void)
{
    static const struct {
        int what;
        const char *text, *part; /* NULL: it is right */
    } file[] = {
        {TABLE, GROUPS_BUT_F "F 2.5 1000000\nstall 0 0 # that is all", NULL},
        {TABLE, GROUPS_BUT_F "stall 1 1\n", "one line for each of the groups A to F"},
        {TABLE, GROUPS_BUT_F "correction 20 4 5 50\nF 1 1\nstall 1 1\n", NULL},
        {TABLE, "correction 20 4\n", ", line 1: expected the mean stall rate in percent"},
        {TABLE, "correction 20 0 5 50\n", "the divisor must be greater than 0"},
        {TABLE, "correction 60 4 5 50\n",
         "the mean stall rate must be between the lowest and the highest"},
        {TABLE, "correction 20 4 5 50\ncorrection 20 4 5 50\n", "appears twice"},
        {TABLE, GROUPS_BUT_F "G 1 1\n", ", line 6: \"G\" is not a group"},
        {TABLE, GROUPS_BUT_F "A 1 1\n", ", line 6: \"A\" appears twice"},
        {TABLE, "# no\nA 1\n", ", line 2: expected a group or `stall`"},
        {TABLE, "A 1 -1\n", "\"-1\" is not a number"},
        {TABLE, "A 1 nan\n", "\"nan\" is not a number"},
        {RULES, "class load 2 E\nword 0xf0000000 0x30000000 C\nany\tA\r\n", NULL},
        {RULES, "class load E\n", "the last line must be `any GROUP`"},
        {RULES, "", "the last line must be `any GROUP`"},
        {RULES, "class laod E\nany A\n",
         "unknown class \"laod\"; the classes are other, arithmetic"},
        {RULES, "class load 0 E\nany A\n", "\"0\" is not a number of accessed bytes"},
        {RULES, "word 0x1 0x2 E\nany A\n", "the rule matches no instruction"},
        {RULES, "word 0x100000000 0 E\nany A\n", "is not a 32-bit number"},
        {RULES, "any a\n", "\"a\" is not a group"},
        {RULES, "all A\n", "expected `word MASK BITS GROUP`"},
        {RULES, "any A A A A A A A\n", "expected `word MASK BITS GROUP`"},
        {COSTS, "fetch 1\nmemory 50\n", NULL},
        {COSTS, "fetch 1\nfetch 1\n", ", line 2: \"fetch\" appears twice"},
        {COSTS, "cycles 1\n", "\"cycles\" is not a cache event"},
        {COSTS, "dhalf 1\n", "\"dhalf\" is not a cache event"},
        {COSTS, "fetch\n", "expected an event and its cost"},
    };
    struct sl_failure f;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        char path[] = "/tmp/sluice-power-XXXXXX";
        int fd = mkstemp(path);
        if (fd < 0 || write(fd, file[i].text, strlen(file[i].text)) < 0)
            abort();
        *f.text = 0;
        int status = read_as(file[i].what, path, &f);
        ok(file[i].part ? status == SL_EFORMAT && strstr(f.text, file[i].part) &&
                              !strncmp(f.text, path, strlen(path))
                        : !status,
           "%s%s", file[i].part ? "refused: " : "what is right is read",
           file[i].part ? file[i].part : "");
        close(fd);
        unlink(path);
    }
    ok(read_as(TABLE, "lion", &f) == SL_EUSAGE && strstr(f.text, "power/lion.txt"),
       "refused: a name that is not in the data directory");
    ok(read_as(TABLE, "./no/such/file", &f) == SL_EUSAGE && strstr(f.text, "./no/such/file"),
       "refused: a path where nothing is");
}

int main(void)
{
    use_checkout_data();
    published();
    groups(SL_ARCH_MIPSEL, mips, sizeof mips / sizeof *mips);
    groups(SL_ARCH_RISCV64, riscv, sizeof riscv / sizeof *riscv);
    formula();
    corrected();
    caches();
    refused();
    return done_testing();
}
