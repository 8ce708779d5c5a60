/* SPDX-License-Identifier: MIT */
/* Unit tests of the text files that describe CPU models (data/machines). Valid texts are accepted,
 * and invalid texts are refused with an error message. A printed description is parsed as the same
 * CPU model, and the predefined CPU models have the values of their published sources. */
#include "machine_text.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hierarchy.h"
#include "power.h"
#include "predictor.h"
#include "random.h"
#include "tap.h"
#include "support/random_unit.h"

/* ---- a small machine ---- */

static const char *const colours[] = {"red", "green", NULL};

struct box {
    uint64_t size, ways;
    unsigned colour;
};

static const struct sl_option box_options[] = {
    SL_UNSIGNED(struct box, size, "1Ki", 1, 1 << 20, "bytes"),
    SL_UNSIGNED_FLAGS(struct box, ways, "1", 1, 16, SL_OPTION_POWER_OF_2, "of a set"),
    SL_CHOICE(struct box, colour, "red", colours, "of the box"),
    SL_OPTIONS_END,
};

struct lid {
    double weight, share;
    bool open;
    char label[16];
};

static const struct sl_option lid_options[] = {
    SL_REAL(struct lid, weight, "1.5", 0, 10, "in kilograms"),
    SL_PERCENT(struct lid, share, "10%", 0, 100, "of the box"),
    SL_BOOL(struct lid, open, "0", "or shut"),
    SL_TEXT(struct lid, label, "", "what is written on it"),
    SL_OPTIONS_END,
};

struct machine {
    struct box one, two;
    struct lid lid;
};

#define SECTIONS(m)                                                       \
    (const struct sl_machine_section[])                                   \
    {                                                                     \
        {"one", box_options, &(m)->one}, {"two", box_options, &(m)->two}, \
            {"two", lid_options, &(m)->lid},                              \
        {                                                                 \
            .name = NULL                                                  \
        }                                                                 \
    }

static int read_text(struct machine *m, const char *text, struct sl_failure *f)
{
    sl_machine_defaults(SECTIONS(m));
    *f->text = 0;
    return sl_machine_read_text(SECTIONS(m), text, strlen(text), "box.txt", f);
}

static int read_overrides(struct machine *m, const char *list, size_t from, struct sl_failure *f)
{
    sl_machine_defaults(SECTIONS(m));
    *f->text = 0;
    return sl_machine_read_overrides(SECTIONS(m), list, from, f);
}

static void refuses(const char *text, const char *message)
{
    struct machine m;
    struct sl_failure f;
    int error = read_text(&m, text, &f);
    if (!ok(error == SL_EFORMAT && !strcmp(f.text, message), "refused: %s", message))
        printf("# got %d: %s\n", error, f.text);
}

static void refuses_override(const char *list, const char *message)
{
    struct machine m;
    struct sl_failure f;
    int error = read_overrides(&m, list, 2, &f);
    if (!ok(error == SL_EUSAGE && !strcmp(f.text, message), "refused: %s", message))
        printf("# got %d: %s\n", error, f.text);
}

/* ---- what is read ---- */

static void accepted(void)
{
    struct machine m;
    struct sl_failure f;
    ok(!read_text(&m, "", &f) && m.one.size == 1024 && m.two.ways == 1 && m.lid.weight == 1.5 &&
           m.lid.share == 10 && !m.lid.open && !*m.lid.label,
       "nothing set: every key has its default");
    ok(!read_text(&m,
                  "# A box.\n\n  one.size = 32Ki  # bytes\n\ttwo.size=5\r\none.colour\t=\tgreen\n"
                  "#two.ways = 3\ntwo.weight = 2e-1\ntwo.share = 0.1%\ntwo.open = yes\n"
                  "two.label = a, b = c",
                  &f) &&
           m.one.size == 32768 && m.one.colour == 1 && m.two.size == 5 && m.two.colour == 0 &&
           m.two.ways == 1 && m.lid.weight == 0.2 && m.lid.share == 0.1 && m.lid.open &&
           !strcmp(m.lid.label, "a, b = c"),
       "lines set keys; comments, empty lines and white space do not matter: %s", f.text);
    ok(!read_overrides(&m, "x,one.size=2K,two.ways=8,two.label=f(a,b), two.open = 1", 2, &f) &&
           m.one.size == 2000 && m.two.ways == 8 && m.lid.open && !strcmp(m.lid.label, "f(a,b)"),
       "overrides set keys; commas in parentheses belong to a value: %s", f.text);
    read_text(&m, "one.size = 7\none.ways = 4\n", &f);
    ok(!sl_machine_read_overrides(SECTIONS(&m), "one.size=9", 0, &f) && m.one.size == 9 &&
           m.one.ways == 4,
       "an override changes what a description has set, and nothing else");
}

static void refused(void)
{
    refuses("one.size = 1\nthree.size = 2\n",
            "box.txt, line 2: unknown section \"three\"; the sections are one, two");
    refuses("\n\none.sizes = 1", "box.txt, line 3: unknown key \"sizes\" in section one; its "
                                 "keys are size, ways, colour");
    refuses("two.x = 1",
            "box.txt, line 1: unknown key \"x\" in section two; its keys are size, ways, "
            "colour, weight, share, open, label");
    refuses("one.size = 2Mi # too much", "box.txt, line 1: one.size must be a whole number from 1 "
                                         "to 1Mi, not \"2Mi\"");
    refuses("one.ways = 3", "box.txt, line 1: one.ways must be a power of two from 1 to 16, not "
                            "\"3\"");
    refuses("one.colour = blue", "box.txt, line 1: one.colour must be red or green, not \"blue\"");
    refuses("one.size =", "box.txt, line 1: one.size must be a whole number from 1 to 1Mi, not "
                          "\"\"");
    refuses("one.size = 1\n\none.size = 1\n", "box.txt, line 3: one.size is set twice");
    refuses("size = 1", "box.txt, line 1: the key \"size\" has no section: write "
                        "section.key=value");
    refuses("= 1", "box.txt, line 1: the key \"\" has no section: write section.key=value");
    refuses("one.size 1", "box.txt, line 1: \"one.size 1\" has no =: write section.key=value");
    refuses("one. size = 1", "box.txt, line 1: unknown key \" size\" in section one; its "
                             "keys are size, ways, colour");
    refuses(".size = 1", "box.txt, line 1: unknown section \"\"; the sections are one, two");
    refuses("two.label = a\033[2J", "box.txt, line 1: two.label must be a text of 0 to 15 "
                                    "characters, not \"a?[2J\"");
    refuses_override("x,", "expected section.key=value (character 3 of \"x,\")");
    refuses_override("x,one.size=1,,one.ways=2", "expected section.key=value (character 14 of "
                                                 "\"x,one.size=1,,one.ways=2\")");
    refuses_override("x,one.size=1,", "expected section.key=value (character 14 of "
                                      "\"x,one.size=1,\")");
    refuses_override("x,one.size=1,one.size=2",
                     "one.size is set twice (character 18 of \"x,one.size=1,one.size=2\")");
    refuses_override("x,one.size=0", "one.size must be a whole number from 1 to 1Mi, not \"0\" "
                                     "(character 12 of \"x,one.size=0\")");
    refuses_override("x,two.ways=2,wto.ways=2",
                     "unknown section \"wto\"; the sections are one, two (character 14 of "
                     "\"x,two.ways=2,wto.ways=2\")");
    refuses_override("x,two.label=a#b", "two.label must be a text of 0 to 15 characters, not "
                                        "\"a#b\" (character 13 of \"x,two.label=a#b\")");
    struct machine m;
    struct sl_failure f;
    sl_machine_defaults(SECTIONS(&m));
    ok(sl_machine_read_text(SECTIONS(&m), "one.size = 1\0\n", 14, "box.txt", &f) == SL_EFORMAT &&
           strstr(f.text, "not \"1?\""),
       "a zero byte is no end and no value: %s", f.text);
}

static void round_trip(void)
{
    uint64_t seed = 3;
    unsigned same = 0, trials = 5000;
    for (unsigned i = 0; i < trials; i++) {
        struct machine a, b;
        struct sl_failure f;
        char text[600], printed[600], again[600];
        snprintf(text, sizeof text,
                 "one.size=%u,one.ways=%u,one.colour=%s,two.size=%u,two.weight=%.*g,"
                 "two.share=%.*g%%,two.open=%u,two.label=%.*s",
                 1 + (unsigned)sl_random_below(&seed, 1 << 20), 1u << sl_random_below(&seed, 5),
                 colours[sl_random_below(&seed, 2)], 1 + (unsigned)sl_random_below(&seed, 5000),
                 1 + (int)sl_random_below(&seed, 15), 10 * random_unit(&seed),
                 1 + (int)sl_random_below(&seed, 15), 100 * random_unit(&seed),
                 (unsigned)sl_random_below(&seed, 2), (int)sl_random_below(&seed, 16),
                 "x=.: (y,z) a  b");
        if (read_overrides(&a, text, 0, &f) < 0) {
            printf("# %s: %s\n", text, f.text);
            continue;
        }
        sl_machine_print(SECTIONS(&a), printed, sizeof printed);
        if (read_text(&b, printed, &f) < 0)
            printf("# %s: %s\n", printed, f.text);
        sl_machine_print(SECTIONS(&b), again, sizeof again);
        same += !strcmp(printed, again) && a.one.size == b.one.size &&
                a.lid.weight == b.lid.weight && a.lid.share == b.lid.share &&
                !strcmp(a.lid.label, b.lid.label);
    }
    ok(same == trials, "what is printed reads back as itself (%u of %u)", same, trials);
    struct machine m;
    char text[400], cut[30];
    sl_machine_defaults(SECTIONS(&m));
    size_t length = sl_machine_print(SECTIONS(&m), text, sizeof text);
    ok(!strcmp(text, "one.size = 1024\none.ways = 1\none.colour = red\ntwo.size = 1024\n"
                     "two.ways = 1\ntwo.colour = red\ntwo.weight = 1.5\ntwo.share = 10%\n"
                     "two.open = 0\ntwo.label = \n") &&
           length == strlen(text),
       "every key is printed");
    ok(sl_machine_print(SECTIONS(&m), cut, sizeof cut) == length && strlen(cut) == sizeof cut - 1 &&
           !strncmp(cut, text, sizeof cut - 1) && sl_machine_print(SECTIONS(&m), NULL, 0) == length,
       "without space it is cut and its whole length is returned");
}

/* ---- files ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static int read_machine(struct machine *m, const char *spec, struct sl_failure *f)
{
    memset(m, 0xee, sizeof *m);
    *f->text = 0;
    return sl_machine_read(SECTIONS(m), spec, f);
}

static void files(void)
{
    char directory[] = "/tmp/sluice-machines-XXXXXX", command[100], longer[400], spec[300];
    struct machine m;
    struct sl_failure f;
    if (!ok(mkdtemp(directory) && !chdir(directory), "there is a directory to work in"))
        return;
    ok(!mkdir("machines", 0777), "and one for presets");
    setenv("SLUICE_DATA", directory, 1);
    write_file("machines/small.txt", "# A small box.\none.size = 5\n");
    write_file("machines/large.txt", "#  A large box.\r\none.size = 500\n");
    write_file("machines/odd.txt", "one.size = x\n");
    write_file("machines/notes.md", "no machine\n");
    write_file("mine.txt", "one.size = 50\n");
    ok(!read_machine(&m, "small", &f) && m.one.size == 5 && m.two.size == 1024,
       "a preset is found by its name; what it does not say has its default: %s", f.text);
    ok(!read_machine(&m, "large,two.size=7,one.ways=2", &f) && m.one.size == 500 &&
           m.two.size == 7 && m.one.ways == 2,
       "overrides follow it: %s", f.text);
    ok(!read_machine(&m, "./mine.txt,one.ways=4", &f) && m.one.size == 50 && m.one.ways == 4,
       "with a / it is a file: %s", f.text);
    ok(read_machine(&m, "large,two.size=0", &f) == SL_EUSAGE &&
           strstr(f.text, "(character 16 of \"large,two.size=0\")"),
       "an override's place is counted from the machine's name: %s", f.text);
    ok(read_machine(&m, "mine.txt", &f) == SL_EUSAGE &&
           !strcmp(f.text, "unknown CPU model \"mine.txt\"; the CPU models are large, odd and "
                           "small. For a file, give its path: ./mine.txt"),
       "there is no such preset: %s", f.text);
    ok(read_machine(&m, "", &f) == SL_EUSAGE && read_machine(&m, ",one.size=1", &f) == SL_EUSAGE,
       "no name is no machine: %s", f.text);
    ok(read_machine(&m, "./none.txt", &f) == SL_EUSAGE && strstr(f.text, "./none.txt: No such"),
       "there is no such file: %s", f.text);
    ok(read_machine(&m, "./machines", &f) == SL_EIO && strstr(f.text, "./machines: Is a dir"),
       "a directory is no file: %s", f.text);
    ok(read_machine(&m, "/dev/zero", &f) == SL_EFORMAT && strstr(f.text, "longer than 1 MiB"),
       "a file without an end is refused: %s", f.text);
    snprintf(spec, sizeof spec, "%s/machines/odd.txt, line 1: one.size must be", directory);
    ok(read_machine(&m, "odd", &f) == SL_EFORMAT && !strncmp(f.text, spec, strlen(spec)),
       "a fault in a preset is reported with its path: %s", f.text);
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    ok(read_machine(&m, longer, &f) == SL_EUSAGE, "a long name is refused: %.60s", f.text);
    char *list = NULL;
    size_t size;
    FILE *out = open_memstream(&list, &size);
    sl_machine_list(out);
    fclose(out);
    ok(!strcmp(list, "large      A large box.\nodd        \nsmall      A small box.\n"),
       "presets are listed with what they say they are");
    free(list);
    setenv("SLUICE_DATA", "/nowhere", 1);
    ok(read_machine(&m, "small", &f) == SL_EUSAGE && strstr(f.text, "no CPU models are installed"),
       "without any preset it says where they should be: %s", f.text);
    unsetenv("SLUICE_DATA");
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ok(!chdir("/") && !system(command), "the directory is gone");
}

/* ---- the presets ---- */

/* Keys of section `core`, as the presets write them. */
static const char *const core_kinds[] = {"in-order", "out-of-order", NULL};

struct core {
    unsigned kind;
    uint64_t frequency_mhz, fetch, dispatch, issue, commit, rob, lsq, ifq;
    uint64_t alu, mul, fpu, fpmul, ports;
    uint64_t load_use, multiply, divide, float_add, float_multiply, float_divide;
    uint64_t branch_penalty, misfetch_penalty, branch_wait, store_busy;
    bool multiply_pipelined, blocking;
};

#define NUMBER(field) SL_UNSIGNED(struct core, field, "0", 0, 10000, "")
static const struct sl_option core_options[] = {
    SL_CHOICE(struct core, kind, "in-order", core_kinds, ""),
    NUMBER(frequency_mhz),
    NUMBER(fetch),
    NUMBER(dispatch),
    NUMBER(issue),
    NUMBER(commit),
    NUMBER(rob),
    NUMBER(lsq),
    NUMBER(ifq),
    NUMBER(alu),
    NUMBER(mul),
    NUMBER(fpu),
    NUMBER(branch_wait),
    NUMBER(store_busy),
    NUMBER(fpmul),
    NUMBER(ports),
    NUMBER(load_use),
    NUMBER(multiply),
    NUMBER(divide),
    NUMBER(float_add),
    NUMBER(float_multiply),
    NUMBER(float_divide),
    NUMBER(branch_penalty),
    NUMBER(misfetch_penalty),
    SL_BOOL(struct core, multiply_pipelined, "1", ""),
    SL_BOOL(struct core, blocking, "1", ""),
    SL_OPTIONS_END,
};

struct preset {
    struct core core;
    struct sl_hierarchy_config memory;
    struct sl_predictor_config predictor;
    struct sl_power_config power;
};

static int read_preset(struct preset *p, const char *spec, struct sl_failure *f)
{
    struct sl_machine_section sections[16] = {
        {"core", core_options, &p->core},
        {"bpred", sl_direction_options, &p->predictor.direction},
        {"btb", sl_btb_options, &p->predictor.btb},
        {"ras", sl_return_stack_options, &p->predictor.stack},
        {"power", sl_power_options, &p->power},
    };
    size_t n = 5;
    for (const struct sl_hierarchy_part *part = sl_hierarchy_parts; part->name; part++)
        sections[n++] = (struct sl_machine_section){part->name, part->options,
                                                    (char *)&p->memory + part->offset};
    *f->text = 0;
    int status = sl_machine_read(sections, spec, f);
    if (!status)
        status = sl_hierarchy_check(&p->memory, f);
    return status ? status : sl_predictor_check(&p->predictor, f);
}

static bool cache_is(const struct sl_cache_config *c, uint64_t size, uint64_t ways, uint64_t line,
                     uint64_t latency)
{
    return c->size == size && c->ways == ways && c->line == line && c->latency == latency;
}

static void tiger(void)
{
    struct preset p;
    struct sl_failure f;
    ok(!read_preset(&p, "tiger", &f), "tiger is read: %s", f.text);
    ok(p.core.kind == 0 && p.core.frequency_mhz == 25 && cache_is(&p.memory.l1i, 8192, 1, 16, 1) &&
           cache_is(&p.memory.l1d, 8192, 1, 16, 1) && !p.memory.l2.size && !p.memory.itlb.entries &&
           !p.memory.dtlb.entries && p.core.multiply == 5 && p.core.divide == 16 &&
           p.core.load_use == 1 && p.core.branch_wait == 2 && p.core.store_busy == 6 &&
           p.memory.memory.latency == 6,
       "tiger: in order, 25 MHz, direct-mapped 8 KB caches with lines of four words, stalls");
}

static void rocket(void)
{
    struct preset p;
    struct sl_failure f;
    ok(!read_preset(&p, "rocket", &f), "rocket is read: %s", f.text);
    ok(p.core.kind == 0 && cache_is(&p.memory.l1i, 16384, 4, 64, 1) &&
           cache_is(&p.memory.l1d, 16384, 4, 64, 1) && p.memory.dtlb.entries &&
           p.predictor.btb.entries == 28 && p.predictor.stack.depth == 6,
       "rocket: in order, 4-way 16 KB caches with lines of 64 bytes, TLBs, predictors");
}

static void ss4(void)
{
    struct preset p;
    struct sl_failure f;
    ok(!read_preset(&p, "ss4", &f), "ss4 is read: %s", f.text);
    ok(p.core.kind == 1 && p.core.fetch == 4 && p.core.dispatch == 4 && p.core.issue == 4 &&
           p.core.commit == 4 && p.core.rob == 128 && p.core.lsq == 64 && p.core.ifq == 16 &&
           p.core.alu == 4 && p.core.mul == 2 && p.core.fpu == 4 && p.core.fpmul == 2,
       "ss4: 4-wide out of order, its queues and units");
    ok(cache_is(&p.memory.l1i, 32768, 1, 32, 1) && cache_is(&p.memory.l1d, 32768, 1, 32, 1) &&
           p.memory.l2.size == 524288 && p.memory.l2.ways == 4 && p.memory.l2.latency == 10 &&
           p.memory.memory.latency == 100,
       "ss4: its caches and memory");
    const struct sl_direction_config *d = &p.predictor.direction;
    ok(d->kind == SL_DIRECTION_COMBINED && d->first == SL_PART_BIMODAL &&
           d->second == SL_PART_GSHARE && d->bimodal_entries == 8192 && d->gshare_entries == 8192 &&
           d->history == 12 && d->chooser_entries == 1024 && p.predictor.btb.entries == 2048 &&
           p.predictor.btb.ways == 4 && p.predictor.stack.depth == 32 && p.core.branch_penalty == 3,
       "ss4: its predictor");
    ok(!read_preset(&p, "ss4,l2.size=2Mi,l2.ways=8,bpred.kind=two-level", &f) &&
           p.memory.l2.size == 2 << 20 && p.memory.l2.ways == 8 &&
           p.predictor.direction.kind == SL_DIRECTION_TWO_LEVEL,
       "ss4 with another L2 and predictor, as the paper varies them: %s", f.text);
}

/* The checkout's own data, wherever the test is started: build/ is in it. */
static bool find_presets(void)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 8);
    if (n <= 0)
        return false;
    self[n] = 0;
    char *build = strstr(self, "/build/");
    if (!build)
        return false;
    strcpy(build, "/data");
    return !setenv("SLUICE_DATA", self, 1);
}

int main(void)
{
    accepted();
    refused();
    round_trip();
    files();
    if (ok(find_presets(), "the presets are in the checkout")) {
        tiger();
        rocket();
        ss4();
    }
    return done_testing();
}
