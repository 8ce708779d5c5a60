/* All designs on the same streams: values, edges and paths of every program through tables
 * of all five documents in several sizes, through combinations that none of them tried, and
 * through what came after them, of as many bits. One pass a program and detector; the page draws
 * error against storage and against overhead, and marks what no other design beats in both. */
#include <string.h>

#include "experiment_designs.h"
#include "lab_experiments.h"

#define SHORT_INTERVALS "multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%)"

/* By family, sizes from small to large. What is behind the @; the label is the same. */
static const char *const tables[] = {
    /* Samplers, one for the stream and one for each part of it, and a second level. */
    "P256", "P1024", "R256",
    "H[P256]512", "H[P256]2048", "H[P256]8192", "H[P1024]2048",
    "P256+A16", "H[P256]2048+A16", "H[P256]512+A64", "H[P1024]2048+A64",
    "T2/256x512w2", "T2/256x2048w2", "T2/256x2048w2+A16", "T2/256x8192w2+A64",
    /* Of our own: one that gathers samples. */
    "G4/128x512", "G4/128x2048", "G4/160x2048", "G4/160x2048+A16", "G4/64x2048k4", "G4/128x8192+A64",
    /* Candidates of intervals. */
    "singlehash(interval=10K,threshold=1%)", "singlehash(interval=1M,threshold=0.1%)",
    "multihash(tables=4,reset=0,counters=512,interval=10K,threshold=1%)",
    SHORT_INTERVALS,
    "multihash(tables=4,reset=0,counters=2048,interval=1M,threshold=0.1%)",
    "multihash(tables=2,reset=1,counters=2048,interval=1M,threshold=0.1%)",
    "multihash(tables=4,reset=0,counters=2048,interval=100K,threshold=0.1%)",
    "multihash(tables=4,reset=0,counters=8192,interval=1M,threshold=0.01%)",
    "multihash(tables=2,reset=1,ways=4,counters=2048,interval=1M,threshold=0.1%)",
    /* Hot path tables. */
    "hpt(128x4)", "hpt(512x4)", "hpt(2048x4)", "hpt(8192x4)",
    "hpt(512x4,replacement=lru)",
    "hpt(128x4,replacement=age)", "hpt(512x4,replacement=age)", "hpt(2048x4,replacement=age)",
    "hpt(8192x4,replacement=age)",
    /* Of today: of 4 KB and of 16 KB at most. */
    "spacesaving(entries=170)", "spacesaving(entries=682)",
    "misragries(entries=204)", "misragries(entries=819)",
    "countmin(columns=128,entries=102)", "countmin(columns=512,entries=409)",
    "countmin(columns=512,entries=409,conservative=1)",
    "countsketch(columns=128,entries=127)", "countsketch(columns=512,entries=511)",
    "heavykeeper(columns=128,entries=127)", "heavykeeper(columns=512,entries=511)",
    "elastic(buckets=16,light=1024)", "elastic(buckets=64,light=4096)",
    "cocosketch(rows=3,columns=64)", "cocosketch(rows=3,columns=256)",
};

/* Of these every experiment has some, however small it is. */
static bool is_in(const char *table, enum lab_size size)
{
    static const char *const few[] = {"P256", "H[P256]2048", "H[P256]2048+A16", "T2/256x2048w2",
                                      SHORT_INTERVALS,
                                      "hpt(512x4)", "hpt(512x4,replacement=age)",
                                      "G4/160x2048", "spacesaving(entries=682)"};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        if (!strcmp(few[i], table))
            return true;
    return size != LAB_TINY;
}

/* Approximate counters inside multi-hash, against exact ones of 24 bits, and of as few bits
 * as just reach the threshold. The seed is that of the hash functions, too, so that one
 * seed's are to be compared with each other. */
static void plan_narrow(struct lab *lab, const struct lab_program *program)
{
    static const struct {
        const char *label, *options;
        unsigned least_bits;
    } settings[] = {{"10K", "tables=4,reset=0,interval=10K,threshold=1%", 7},
                    {"1M", "tables=4,reset=0,interval=1M,threshold=0.1%", 10}};
    static const struct {
        const char *label, *options;
    } counters[] = {{"24", "bits=24"}, {"8 morris", "bits=8,base=1.02"},
                    {"6 morris", "bits=6,base=1.1"}, {"4 morris", "bits=4,base=1.6"}};
    unsigned seeds = lab->size == LAB_FULL ? 3 : 1;
    struct lab_step *step = lab_step(lab, program, "%s narrow", program->name);
    char label[64];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        snprintf(label, sizeof label, "%s least 1", settings[i].label);
        lab_profile(step, label, "value@multihash(%s,bits=%u)", settings[i].options,
                       settings[i].least_bits);
        for (size_t j = 0; j < sizeof counters / sizeof *counters; j++)
            for (unsigned seed = 1; seed <= seeds; seed++) {
                snprintf(label, sizeof label, "%s %s %u", settings[i].label,
                         counters[j].label, seed);
                lab_profile(step, label, "value@multihash(%s,%s,seed=%u)", settings[i].options,
                               counters[j].options, seed);
            }
    }
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    plan_narrow(lab, program);
    static const char *const detectors[] = {"value", "edge", "path"};
    for (size_t i = 0; i < sizeof detectors / sizeof *detectors; i++) {
        struct lab_step *step = lab_step(lab, program, "%s %s", program->name, detectors[i]);
        for (size_t j = 0; j < sizeof tables / sizeof *tables; j++)
            if (is_in(tables[j], lab->size))
                lab_profile(step, tables[j], "%s@%s", detectors[i], tables[j]);
        lab_plan_intervals(lab, program, detectors[i]);
    }
}

const struct experiment experiment_designs = {
    .name = "designs",
    .summary = "all designs side by side: error against storage and overhead, the Pareto front",
    .programs = LAB_REAL,
    .plan = plan,
};
