/* SPDX-License-Identifier: MIT */
/* Generates stream compressors as hardware (rtl/compressor.v): prints the Verilog parameters and
 * the table from which random gaps between samples are drawn (rtl/gap.v), and computes the words
 * that the hardware must return when it is read out. */
#include "compressor.h"
#include "failure.h"
#include "hash.h"
#include "table.h"
#include "rtl_table.h"
#include "rtl_parameters.h"

#define GAP_SPARE 7u /* bits above the rate: a longer gap has a probability of e^-128 */

static int check(const void *config, struct sl_failure *f)
{
    const struct sl_pipeline_config *c = config;
    if (c->estimate == SL_ESTIMATE_RATIO)
        return sl_fail(
            f, SL_EUNSUPPORTED,
            "the RTL does not send samples in addition to counts: leave out estimate=ratio");
    if (c->word != 64 || c->quotient || c->first_miss)
        return sl_fail(
            f, SL_EUNSUPPORTED,
            "no RTL for word=32, quotient=integer and first_miss=counts: leave out these options");
    if (c->input || c->service || c->filter)
        return sl_fail(
            f, SL_EUNSUPPORTED,
            "no RTL for queues and filters: leave out the options input, service and filter");
    return 0;
}

static unsigned gap_bits(const struct sl_pipeline_config *c)
{
    unsigned rate = sl_rtl_bits(c->rate);
    return c->first == SL_COMPONENT_P    ? rate
           : c->first == SL_COMPONENT_RD ? rate + 1
                                         : rate + GAP_SPARE;
}

/* Width of the sum of `samples` samples, each of less than the rate plus the event that ended it.
 */
static unsigned gathered_bits(const struct sl_pipeline_config *c, unsigned weight_bits)
{
    unsigned rate = sl_rtl_bits(c->gathering.rate);
    return sl_rtl_bits(c->gathering.samples) + (rate > weight_bits ? rate - weight_bits : 0);
}

static unsigned count_bits(const struct sl_pipeline_config *c, unsigned weight_bits)
{
    unsigned first = c->first == SL_COMPONENT_G ? gathered_bits(c, weight_bits) : gap_bits(c);
    unsigned most = first > c->width ? first : (unsigned)c->width;
    unsigned bits = most + weight_bits + 2;
    return bits < 64 ? bits : 64;
}

static bool parameters(const void *state, const void *config, unsigned weight_bits, FILE *out)
{
    const struct sl_compressor *t = state;
    const struct sl_pipeline_config *c = config;
    bool tagged = c->first == SL_COMPONENT_T, gathers = c->first == SL_COMPONENT_G;
    uint64_t rate = tagged ? c->tagged.rate : gathers ? c->gathering.rate : c->rate;
    fprintf(out,
            SL_RTL_PARAMETER("FIRST", "%d") SL_RTL_PARAMETER("HASHED", "%d")
                SL_RTL_PARAMETER("HASH_BITS", "%u") SL_RTL_PARAMETER("RATE", "64'd%llu")
                    SL_RTL_PARAMETER("GAP_BITS", "%u") SL_RTL_PARAMETER("COUNT_BITS", "%u")
                        SL_RTL_PARAMETER("WIDTH", "%u") SL_RTL_PARAMETER("SEED", "64'h%llx"),
            (int)c->first, sl_pipeline_is_hashed(c), sl_pipeline_hash_bits(c),
            (unsigned long long)rate, gap_bits(c), count_bits(c, weight_bits), (unsigned)c->width,
            (unsigned long long)sl_mix(c->seed + 1));
    if (c->first == SL_COMPONENT_A)
        fprintf(out, SL_RTL_PARAMETER("ENTRIES", "%u"), (unsigned)c->entries);
    if (tagged)
        fprintf(out,
                SL_RTL_PARAMETER("TAG_BITS", "%llu") SL_RTL_PARAMETER("WAYS", "%u")
                    SL_RTL_PARAMETER("HIT_BITS", "%u"),
                (unsigned long long)c->tagged.tag_bits, (unsigned)c->tagged.ways,
                sl_rtl_bits(rate - 1 > 6 ? rate - 1 : 6));
    if (gathers)
        fprintf(out,
                SL_RTL_PARAMETER("TAG_BITS", "%u") SL_RTL_PARAMETER("SAMPLES", "%u")
                    SL_RTL_PARAMETER("RATE_BITS", "%u"),
                (unsigned)c->gathering.tag_bits, (unsigned)c->gathering.samples,
                sl_rtl_bits(rate - 1));
    fprintf(out, SL_RTL_PARAMETER("LEVELS", "%zu") ",\n    .LEVEL_ENTRIES({", c->n_levels);
    for (size_t i = SL_PIPELINE_LEVELS; i--;) {
        unsigned entries = i < c->n_levels ? (unsigned)c->level[i] : 0;
        fprintf(out, "32'd%u%s", entries, i ? ", " : "})");
    }
    if (sl_pipeline_is_hashed(c))
        sl_rtl_byte_tables(out, &t->bytes, 1);
    return true;
}

/* Prints the table that draws of R and CR search (rtl/gap.v). */
static void tables(const void *state, const void *config, FILE *out)
{
    const struct sl_compressor *t = state;
    const struct sl_pipeline_config *c = config;
    if (c->first != SL_COMPONENT_R && c->first != SL_COMPONENT_CR)
        return;
    fprintf(out,
            "\n// Probabilities q^g that a gap is longer than g, times 2^64, for g = 1 .. 1024, in "
            "three levels (rtl/gap.v); q = 1 - 1 / %llu.\n",
            (unsigned long long)c->rate);
    sl_rtl_memory(out, "gap_table", 12, 64, &t->gaps->longer[0][0], SL_GAP_LEVELS * SL_GAP_BLOCK);
}

/* ---- state ---- */

struct residents {
    sl_rtl_word *word;
    void *context;
    uint32_t entries; /* address of the newest one */
    size_t n;         /* number of remaining ones, the oldest first */
};

static bool count_resident(void *context, const struct sl_message *resident)
{
    (void)resident;
    ((struct residents *)context)->n++;
    return true;
}

static bool report_resident(void *context, const struct sl_message *resident)
{
    struct residents *r = context;
    uint32_t at = r->entries + 4 * (uint32_t)--r->n;
    r->word(r->context, at, resident->tuple.pc);
    r->word(r->context, at + 1, resident->tuple.value);
    r->word(r->context, at + 2, resident->count);
    return true;
}

static void report_associative(const struct sl_associative *a, uint32_t entries, uint32_t used,
                               sl_rtl_word *word, void *context)
{
    struct residents r = {word, context, entries, 0};
    sl_associative_each(a, count_resident, &r);
    word(context, used, r.n);
    sl_associative_each(a, report_resident, &r);
}

static void report_tagged(const struct sl_compressor *t, sl_rtl_word *word, void *context)
{
    const struct sl_tagged_config *c = &t->config.tagged;
    unsigned hit_bits = sl_rtl_bits(c->rate - 1 > 6 ? c->rate - 1 : 6);
    for (uint32_t i = 0; i < c->entries; i++) {
        const struct sl_tagged_entry *e = &t->tagged[i];
        uint64_t flags = (uint64_t)e->valid << 3 | e->misses;
        word(context, UINT32_C(0x10000000) + i,
             (flags << c->tag_bits | e->tag) << hit_bits | e->hits);
    }
}

static void report_gathering(const struct sl_compressor *t, sl_rtl_word *word, void *context)
{
    const struct sl_gathering_config *c = &t->config.gathering;
    for (uint32_t i = 0; i < c->entries; i++) {
        const struct sl_gathering_entry *e = &t->gathering[i];
        uint32_t at = UINT32_C(0x10000000) + 4 * i;
        word(context, at, e->count);
        word(context, at + 1, e->gathered);
        word(context, at + 2, (uint64_t)e->samples << c->tag_bits | e->tag);
    }
}

static void state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_compressor *t = from;
    const struct sl_pipeline_config *c = config;
    const uint32_t first = UINT32_C(0x10000000), level = UINT32_C(0x20000000), used = 1u << 27;
    if (c->first == SL_COMPONENT_T)
        report_tagged(t, word, context);
    else if (c->first == SL_COMPONENT_G)
        report_gathering(t, word, context);
    for (uint32_t i = 0; c->first < SL_COMPONENT_T && i < c->streams; i++) {
        if (c->first == SL_COMPONENT_P) {
            word(context, first + 2 * i, t->counter[i]);
        } else if (c->first == SL_COMPONENT_A) {
            report_associative(sl_compressor_split(t, i), first + 4 * i * (uint32_t)c->entries,
                               first + used + i, word, context);
        } else {
            word(context, first + 2 * i, t->countdown[i].left);
            word(context, first + 2 * i + 1, t->countdown[i].gap);
        }
    }
    for (uint32_t i = 0; i < c->n_levels; i++)
        report_associative(t->level[i], level + (i << 24), level + used + (i << 24), word, context);
}

static const char *const sources[] = {"compressor", "sampler",      "gap",       "random",
                                      "multiply",   "tagged_table", "gathering", "associative",
                                      "hash",       "byte_table",   "fold",      "ram",
                                      NULL};

const struct sl_rtl_table sl_rtl_compressor = {
    .table = &sl_table_compressor,
    .module = "compressor",
    .source = sources,
    .check = check,
    .weight_bits = 24,
    .parameters = parameters,
    .tables = tables,
    .state = state,
};
