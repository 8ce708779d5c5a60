/* SPDX-License-Identifier: MIT */
/* Unit tests of synthetic streams. Their counts are exact or randomly distributed, as specified,
 * every run gives the same stream, and their events are valid. */
#include <math.h>
#include <string.h>

#include "byte_hash.h"
#include "hash.h"
#include "index_map.h"
#include "options.h"
#include "source.h"
#include "synth.h"
#include "tap.h"

/* Counts of each tuple, in order of first appearance, and a hash of the order. */
struct counted {
    struct sl_index_map map;
    struct sl_tuple *tuple;
    uint64_t *count;
    uint64_t events, order;
    bool shaped; /* every event is one block and one value of its only instruction */
    struct sl_statics statics;
};

static bool well_shaped(const struct sl_chunk *c, const struct sl_statics *s, bool first)
{
    bool good = c->n_blocks == c->n_mems && c->thread == 0 && !c->mem_addr &&
                c->flags == (first ? SL_CHUNK_START : 0u) && c->n_blocks <= SL_CHUNK_BLOCKS;
    for (uint32_t i = 0; good && i < c->n_blocks; i++)
        good = c->block[i] < s->n_blocks && c->block_mem[i] == i &&
               c->mem_insn[i] == s->block_insn[s->block[c->block[i]].insns_at];
    return good;
}

static int count(const char *spec, struct counted *k, struct sl_failure *f)
{
    struct sl_source *source;
    struct sl_chunk c;
    bool first = true;
    *k = (struct counted){.shaped = true};
    int result = sl_source_open(&source, spec, f);
    if (result < 0)
        return result;
    k->tuple = calloc(2000000, sizeof *k->tuple);
    k->count = calloc(2000000, sizeof *k->count);
    k->shaped = sl_source_contents(source) == SL_NEED_VALUES;
    while ((result = sl_source_next(source, &c, f)) > 0) {
        k->shaped &= well_shaped(&c, &source->statics, first);
        first = false;
        for (uint32_t i = 0; i < c.n_blocks; i++) {
            struct sl_tuple t = {source->statics.block[c.block[i]].pc, c.mem_value[i]};
            uint32_t n = sl_index_add(&k->map, t.pc, t.value);
            k->tuple[n] = t;
            k->count[n]++;
            k->order = sl_mix_pair(k->order, n);
            k->events++;
        }
    }
    k->statics = source->statics;
    source->statics = (struct sl_statics){0};
    sl_source_close(source);
    return result;
}

static void done(struct counted *k)
{
    sl_index_free(&k->map);
    sl_statics_free(&k->statics);
    free(k->tuple);
    free(k->count);
}

static uint64_t greatest(const struct counted *k)
{
    uint64_t max = 0;
    for (size_t i = 0; i < k->map.n_keys; i++)
        max = k->count[i] > max ? k->count[i] : max;
    return max;
}

static uint64_t with_count(const struct counted *k, uint64_t count)
{
    uint64_t n = 0;
    for (size_t i = 0; i < k->map.n_keys; i++)
        n += k->count[i] == count;
    return n;
}

static void as_a_source(void)
{
    struct counted k;
    struct sl_failure f = {0};
    int result = count("synth:uniform(events=20001,pcs=7,tuples=50)", &k, &f);
    const struct sl_statics *s = &k.statics;
    ok(result == 0 && k.events == 20001 && k.shaped && k.map.n_keys == 50,
       "a stream has the events and tuples requested, each a block and a value %s", f.text);
    bool good = s->n_blocks == 7 && s->n_insns == 7 && s->program.arch == SL_ARCH_NONE;
    for (size_t i = 0; good && i < 7; i++)
        good = s->block[i].n_insns == 1 && s->insn[i].size == 4 && !s->bytes[s->insn[i].bytes_at];
    ok(good && s->program.ended, "its static table has one block of one instruction for each pc");
    ok(!strcmp(s->program.path, "synth:uniform(events=20001,tuples=50,pcs=7,seed=1)"),
       "its program's name is the resolved spec: %s", s->program.path);
    done(&k);
    result = count("synth:zipf(events=0)", &k, &f);
    ok(result == 0 && k.events == 0 && k.statics.program.ended,
       "a stream of no events ends at once");
    done(&k);
}

static void repeatable(void)
{
    static const char *const kinds[] = {"zipf", "uniform", "mixture", "phases", "alias"};
    for (int i = 0; i < 5; i++) {
        struct counted a, b, c;
        struct sl_failure f;
        char spec[100], other[100];
        snprintf(spec, sizeof spec, "synth:%s(events=50K,tuples=300,seed=5)", kinds[i]);
        snprintf(other, sizeof other, "synth:%s(events=50K,tuples=300,seed=6)", kinds[i]);
        count(spec, &a, &f);
        count(spec, &b, &f);
        count(other, &c, &f);
        ok(a.events == 50000 && a.order == b.order && !memcmp(a.tuple, b.tuple, 300 * 16),
           "%s: the same seed gives the same stream", kinds[i]);
        ok(a.order != c.order && memcmp(a.tuple, c.tuple, 300 * 16),
           "%s: another seed, another one", kinds[i]);
        done(&a);
        done(&b);
        done(&c);
    }
}

static void mixtures(void)
{
    struct counted k;
    struct sl_failure f = {0};
    count("synth:mixture(events=10007,share=30%)", &k, &f);
    ok(k.events == 10007 && greatest(&k) == 3002 && with_count(&k, 1) == 10007 - 3002,
       "mixture: one tuple has exactly its share, all others are different");
    done(&k);
    count("synth:mixture(events=100K,hot=3,share=20%,rest=uniform,tuples=103)", &k, &f);
    ok(with_count(&k, 20000) == 3 && with_count(&k, 400) == 100,
       "mixture: three tuples have exactly their share, the rest is spread evenly");
    done(&k);
    count("synth:mixture(events=1003,hot=0,rest=uniform,tuples=100)", &k, &f);
    ok(with_count(&k, 11) == 3 && with_count(&k, 10) == 97,
       "mixture: what cannot be divided differs by one");
    done(&k);
    count("synth:mixture(events=5K,share=100%)", &k, &f);
    ok(k.map.n_keys == 1 && k.count[0] == 5000, "mixture: a share of 100%% leaves nothing else");
    done(&k);
    ok(count("synth:mixture(hot=4,share=30%)", &k, &f) == SL_EUSAGE, "mixture: %s", f.text);
    ok(count("synth:mixture(hot=4,share=10%,tuples=4,rest=uniform)", &k, &f) == SL_EUSAGE,
       "mixture: %s", f.text);
}

/* Of all 10 orders of 2 hot and 3 other events, each has to come up equally often. */
static void shuffled(void)
{
    unsigned seen[32] = {0}, patterns = 0, trials = 20000;
    double chi2 = 0;
    for (unsigned t = 0; t < trials; t++) {
        char spec[100];
        struct sl_source *source;
        struct sl_chunk c;
        struct sl_failure f;
        snprintf(spec, sizeof spec, "synth:mixture(events=5,share=40%%,seed=%u)", t);
        sl_source_open(&source, spec, &f);
        sl_source_next(source, &c, &f);
        unsigned pattern = 0;
        for (uint32_t i = 0; i < 5; i++)
            for (uint32_t j = 0; j < 5; j++)
                pattern |= (unsigned)(i != j && c.mem_value[i] == c.mem_value[j]) << i;
        seen[pattern]++;
        sl_source_close(source);
    }
    for (int i = 0; i < 32; i++)
        if (seen[i]) {
            double d = seen[i] - trials / 10.0;
            patterns++;
            chi2 += d * d / (trials / 10.0);
        }
    /* 9 degrees of freedom: above 33.7 in one of 10,000 cases. */
    ok(patterns == 10 && chi2 < 33.7, "mixture: all orders are equally likely (chi2 %.1f)", chi2);
}

static void distributions(void)
{
    struct counted k;
    struct sl_failure f;
    double chi2 = 0, sum = 0;
    count("synth:uniform(events=1M,tuples=1000)", &k, &f);
    for (int i = 0; i < 1000; i++)
        chi2 += ((double)k.count[i] - 1000) * ((double)k.count[i] - 1000) / 1000;
    ok(k.map.n_keys == 1000 && chi2 > 999 - 170 && chi2 < 999 + 190,
       "uniform: counts vary as independent draws do (chi2 %.0f for 999)", chi2);
    done(&k);

    count("synth:zipf(events=1M,tuples=500,s=1.2)", &k, &f);
    for (int i = 1; i <= 500; i++)
        sum += pow(i, -1.2);
    /* Tuple t has the value sl_mix(t + sl_mix(seed)). */
    chi2 = 0;
    for (uint64_t t = 0; t < 500; t++) {
        double expected = 1e6 * pow((double)t + 1, -1.2) / sum;
        uint32_t n = sl_index_find(&k.map, 0x400000 + 4 * (t % 100), sl_mix(t + sl_mix(1)));
        double d = (n == SL_NO_INDEX ? 0 : (double)k.count[n]) - expected;
        chi2 += d * d / expected;
    }
    ok(chi2 > 499 - 120 && chi2 < 499 + 140, "zipf: counts follow 1/k^s (chi2 %.0f for 499)", chi2);
    done(&k);
    count("synth:zipf(events=300K,tuples=100,s=0)", &k, &f);
    ok(k.map.n_keys == 100 && greatest(&k) < 3300, "zipf: s = 0 is uniform (at most %llu of 3000)",
       (unsigned long long)greatest(&k));
    done(&k);
}

/* Of each event of a stream of phases the hot tuple's number, or -1. */
static int64_t *hot_ones(const char *spec, size_t n, uint64_t n_hot)
{
    struct sl_source *source;
    struct sl_chunk c;
    struct sl_failure f;
    int64_t *hot = malloc(n * sizeof *hot);
    size_t at = 0;
    sl_source_open(&source, spec, &f);
    while (sl_source_next(source, &c, &f) > 0)
        for (uint32_t i = 0; i < c.n_blocks && at < n; i++, at++) {
            hot[at] = -1;
            for (uint64_t t = 0; t < n_hot; t++)
                if (c.mem_value[i] == sl_mix(t + sl_mix(1)))
                    hot[at] = (int64_t)t;
        }
    sl_source_close(source);
    return hot;
}

static void phases(void)
{
    struct counted k;
    struct sl_failure f = {0};
    double seen[3] = {0};
    size_t n = 300000, of_another = 0;
    int64_t *hot = hot_ones("synth:phases(events=300K,length=30011,phases=4,hot=3,share=60%)", n,
                            12);
    for (size_t i = 0; i < n; i++) {
        if (hot[i] < 0)
            continue;
        of_another += (uint64_t)hot[i] / 3 != i / 30011 % 4;
        seen[hot[i] % 3]++;
    }
    free(hot);
    ok(!of_another, "phases: a phase has its own hot tuples, and after the last comes the first");
    /* Standard deviations of 251 and 195 events. */
    ok(fabs(seen[0] - 90000) < 1200 && fabs(seen[1] - 45000) < 1000 && fabs(seen[2] - 45000) < 1000,
       "phases: they have half, a quarter and a quarter of the share (%.0f, %.0f, %.0f)", seen[0],
       seen[1], seen[2]);
    count("synth:phases(events=20K,tuples=45,length=100)", &k, &f);
    ok(k.map.n_keys == 45, "phases: the rest is spread over all other tuples");
    done(&k);
    count("synth:phases(events=10K,length=1K,hot=1,phases=2,share=100%)", &k, &f);
    ok(k.map.n_keys == 2 && with_count(&k, 5000) == 2, "phases: a share of 100%% leaves no rest");
    done(&k);
    ok(count("synth:phases(tuples=40)", &k, &f) == SL_EUSAGE, "phases: %s", f.text);
}

/* How many tuples have the index of the first, by the table of a seed. */
static size_t on_one_index(const struct counted *k, uint64_t seed, unsigned bits)
{
    uint8_t table[256];
    size_t same = 0;
    sl_byte_table(table, seed, 0);
    uint32_t index = sl_byte_hash(table, bits, k->tuple[0].pc, k->tuple[0].value);
    for (size_t i = 0; i < k->map.n_keys; i++)
        same += sl_byte_hash(table, bits, k->tuple[i].pc, k->tuple[i].value) == index;
    return same;
}

static void aliases(void)
{
    struct counted k;
    struct sl_failure f = {0};
    count("synth:alias(events=20K,tuples=200,bits=12,pcs=13)", &k, &f);
    ok(k.map.n_keys == 200 && on_one_index(&k, SL_BYTE_HASH_SEED, 12) == 200 &&
           on_one_index(&k, SL_BYTE_HASH_SEED, 13) < 160,
       "alias: 200 different tuples have one index of 12 bits, not of 13");
    done(&k);
    count("synth:alias(events=20K,tuples=200,bits=12,pcs=13,hash_seed=77)", &k, &f);
    ok(on_one_index(&k, 77, 12) == 200 && on_one_index(&k, SL_BYTE_HASH_SEED, 12) < 20,
       "alias: of the table with the seed given, not of others");
    done(&k);
    ok(count("synth:alias(tuples=1M,bits=24)", &k, &f) == SL_EUSAGE, "alias: %s", f.text);
}

static void refusals(void)
{
    struct counted k;
    struct sl_failure f = {0};
    ok(count("synth:normal(events=3)", &k, &f) == SL_EUSAGE &&
           !strcmp(f.text, "unknown synthetic stream \"normal\": use zipf, uniform, mixture, "
                           "phases, alias"),
       "%s", f.text);
    ok(count("synth:zipf(s=9)", &k, &f) == SL_EUSAGE && strstr(f.text, "character 8 of"), "%s",
       f.text);
    ok(count("synth:zipf(s=1)x", &k, &f) == SL_EUSAGE, "%s", f.text);
    ok(count("synth:", &k, &f) == SL_EUSAGE, "%s", f.text);
    for (const struct sl_synth_kind *kind = sl_synth_kinds; kind->name; kind++) {
        char spec[512], text[520];
        snprintf(text, sizeof text, "synth:%s(events=1)", kind->name);
        count(text, &k, &f);
        snprintf(spec, sizeof spec, "%s", k.statics.program.path);
        done(&k);
        ok(count(spec, &k, &f) == 0 && !strcmp(k.statics.program.path, spec),
           "the resolved spec gives itself: %s", spec);
        done(&k);
    }
}

int main(void)
{
    as_a_source();
    repeatable();
    mixtures();
    shuffled();
    distributions();
    phases();
    aliases();
    refusals();
    return done_testing();
}
