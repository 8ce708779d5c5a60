/* SPDX-License-Identifier: MIT */
/* Generates sketches and counter summaries as hardware: prints the Verilog parameters, and computes
 * the words that the hardware must return when it is read out.
 *
 * The modules are rtl/spacesaving.v, misragries.v, sketch.v (count-min and count sketch),
 * heavykeeper.v, elastic.v and cocosketch.v. Only the models compute error bounds and the weight
 * lost by saturated counters. */
#include "sketch_states.h"
#include "rtl_table.h"
#include "rtl_parameters.h"

#define ENTRIES UINT32_C(0x10000000) /* read-out address of each part */
#define ROWS UINT32_C(0x20000000)
#define LIGHT UINT32_C(0x30000000)

static unsigned log2_of(uint64_t power)
{
    return (unsigned)__builtin_ctzll(power);
}

/* Prints the byte tables of hash functions 0 .. n - 1. */
static void print_hashes(FILE *out, uint64_t seed, unsigned n)
{
    uint8_t table[SL_PACKED_FUNCTIONS][256];
    for (unsigned k = 0; k < n; k++)
        sl_byte_table(table[k], seed, k);
    sl_rtl_byte_tables(out, (const uint8_t(*)[256])table, n);
}

/* Reports the entries of a top list, with `less` subtracted from their counts. */
static void report_top_list(const struct sl_top_list *list, uint64_t less, sl_rtl_word *word,
                            void *context)
{
    word(context, 0, list->n);
    for (uint32_t i = 0; i < list->n; i++) {
        word(context, ENTRIES + 4 * i, list->tuple[i].pc);
        word(context, ENTRIES + 4 * i + 1, list->tuple[i].value);
        word(context, ENTRIES + 4 * i + 2, list->count[i] - less);
    }
}

/* ---- Space-Saving, Misra-Gries ---- */

static bool top_list_parameters(const void *state, const void *config, unsigned weight_bits,
                                FILE *out)
{
    const struct sl_top_list_config *c = config;
    (void)state, (void)weight_bits;
    fprintf(out, SL_RTL_PARAMETER("ENTRIES", "%u") SL_RTL_PARAMETER("COUNTER_BITS", "%u"),
            (unsigned)c->entries, (unsigned)c->counter);
    return true;
}

static void spacesaving_state(const void *from, const void *config, sl_rtl_word *word,
                              void *context)
{
    const struct sl_spacesaving *s = from;
    (void)config;
    report_top_list(&s->list, 0, word, context);
    for (uint32_t i = 0; i < s->list.n; i++)
        word(context, ENTRIES + 4 * i + 3, s->list.extra[i]);
}

static void misragries_state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_misragries *m = from;
    (void)config;
    report_top_list(&m->list, m->decremented, word, context);
    word(context, 1, m->decremented);
    word(context, 2, m->drops);
}

/* ---- sketches ---- */

static void print_sketch(const struct sl_counter_rows_config *c, bool is_signed, FILE *out)
{
    fprintf(out,
            SL_RTL_PARAMETER("SIGNED", "%d") SL_RTL_PARAMETER("CONSERVATIVE", "%d")
                SL_RTL_PARAMETER("ROWS", "%u") SL_RTL_PARAMETER("INDEX_BITS", "%u")
                    SL_RTL_PARAMETER("COUNTER_BITS", "%u") SL_RTL_PARAMETER("ENTRIES", "%u"),
            is_signed, c->conservative, (unsigned)c->rows, log2_of(c->columns),
            (unsigned)c->counter, (unsigned)c->entries);
    print_hashes(out, c->seed, (unsigned)c->rows);
}

static bool countmin_parameters(const void *state, const void *config, unsigned weight_bits,
                                FILE *out)
{
    (void)state, (void)weight_bits;
    print_sketch(config, false, out);
    return true;
}

static bool countsketch_parameters(const void *state, const void *config, unsigned weight_bits,
                                   FILE *out)
{
    (void)state, (void)weight_bits;
    print_sketch(config, true, out);
    return true;
}

static void sketch_state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_counter_rows *s = from;
    const struct sl_counter_rows_config *c = config;
    report_top_list(&s->list, 0, word, context);
    for (uint32_t k = 0; k < s->rows; k++)
        for (uint32_t i = 0; i < s->columns; i++)
            word(context, (ROWS | k << 24) + i,
                 (uint64_t)s->cell[k * s->columns + i] & sl_sketch_most(c->counter));
}

/* ---- HeavyKeeper ---- */

static bool heavykeeper_parameters(const void *state, const void *config, unsigned weight_bits,
                                   FILE *out)
{
    const struct sl_heavykeeper_config *c = config;
    (void)state, (void)weight_bits;
    fprintf(out,
            SL_RTL_PARAMETER("ROWS", "%u") SL_RTL_PARAMETER("INDEX_BITS", "%u")
                SL_RTL_PARAMETER("FINGERPRINT", "%u") SL_RTL_PARAMETER("COUNTER_BITS", "%u")
                    SL_RTL_PARAMETER("ENTRIES", "%u") SL_RTL_PARAMETER("SEED", "64'h%llx"),
            (unsigned)c->rows, log2_of(c->columns), (unsigned)c->fingerprint, (unsigned)c->counter,
            (unsigned)c->entries, (unsigned long long)c->seed);
    print_hashes(out, c->seed, (unsigned)c->rows);
    return true;
}

static void print_chances(const void *state, const void *config, FILE *out)
{
    const struct sl_heavykeeper *h = state;
    (void)config;
    fprintf(out, "\n// Probability that a count decays, times 2^64.\n");
    sl_rtl_memory(out, "chance_table", 10, 64, h->chance, SL_HEAVYKEEPER_CHANCES);
}

static void heavykeeper_state(const void *from, const void *config, sl_rtl_word *word,
                              void *context)
{
    const struct sl_heavykeeper *h = from;
    (void)config;
    report_top_list(&h->list, 0, word, context);
    for (uint32_t k = 0; k < h->rows; k++)
        for (uint32_t i = 0; i < h->columns; i++) {
            const struct sl_heavykeeper_bucket *b = &h->bucket[k * h->columns + i];
            word(context, (ROWS | k << 24) + 2 * i, b->count);
            word(context, (ROWS | k << 24) + 2 * i + 1, b->fingerprint);
        }
}

/* ---- elastic sketch ---- */

static bool elastic_parameters(const void *state, const void *config, unsigned weight_bits,
                               FILE *out)
{
    const struct sl_elastic_config *c = config;
    (void)state, (void)weight_bits;
    fprintf(out,
            SL_RTL_PARAMETER("BUCKET_BITS", "%u") SL_RTL_PARAMETER("WAYS", "%u")
                SL_RTL_PARAMETER("COUNTER_BITS", "%u") SL_RTL_PARAMETER("LAMBDA", "%u")
                    SL_RTL_PARAMETER("LIGHT_BITS", "%u") SL_RTL_PARAMETER("LIGHT_COUNTER", "%u"),
            log2_of(c->buckets), (unsigned)c->ways, (unsigned)c->counter, (unsigned)c->lambda,
            log2_of(c->light), (unsigned)c->light_counter);
    print_hashes(out, c->seed, 2);
    return true;
}

static void elastic_state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_elastic *e = from;
    const struct sl_elastic_config *c = config;
    for (uint32_t i = 0; i < c->buckets * c->ways; i++) {
        const struct sl_elastic_entry *entry = &e->entry[i];
        word(context, ENTRIES + 4 * i, entry->tuple.pc);
        word(context, ENTRIES + 4 * i + 1, entry->tuple.value);
        word(context, ENTRIES + 4 * i + 2, entry->count);
        word(context, ENTRIES + 4 * i + 3, entry->flag);
    }
    for (uint32_t i = 0; i < c->buckets; i++)
        word(context, ROWS + i, e->votes[i]);
    for (uint32_t i = 0; i < c->light; i++)
        word(context, LIGHT + i, e->light[i]);
}

/* ---- CocoSketch ---- */

static bool cocosketch_parameters(const void *state, const void *config, unsigned weight_bits,
                                  FILE *out)
{
    const struct sl_cocosketch_config *c = config;
    (void)state, (void)weight_bits;
    fprintf(out,
            SL_RTL_PARAMETER("ROWS", "%u") SL_RTL_PARAMETER("INDEX_BITS", "%u")
                SL_RTL_PARAMETER("COUNTER_BITS", "%u") SL_RTL_PARAMETER("SEED", "64'h%llx"),
            (unsigned)c->rows, log2_of(c->columns), (unsigned)c->counter,
            (unsigned long long)c->seed);
    print_hashes(out, c->seed, (unsigned)c->rows);
    return true;
}

static void cocosketch_state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_cocosketch *s = from;
    (void)config;
    for (uint32_t k = 0; k < s->rows; k++)
        for (uint32_t i = 0; i < s->columns; i++) {
            const struct sl_cocosketch_bucket *b = &s->bucket[k * s->columns + i];
            uint32_t at = (ROWS | k << 24) + 4 * i;
            word(context, at, b->tuple.pc);
            word(context, at + 1, b->tuple.value);
            word(context, at + 2, b->count);
        }
}

/* ---- all tables ---- */

#define HASH "hash", "byte_table", "fold"
#define TOP_LIST "top_list", "ram"

static const char *const spacesaving_sources[] = {"spacesaving", "saturating_add", TOP_LIST, NULL};
static const char *const misragries_sources[] = {"misragries", "saturating_add", TOP_LIST, NULL};
static const char *const sketch_sources[] = {"sketch", "counter_update", "signed_update",
                                             HASH,     TOP_LIST,         NULL};
static const char *const heavykeeper_sources[] = {
    "heavykeeper", "saturating_add", "random", "multiply", HASH, TOP_LIST, NULL};
static const char *const elastic_sources[] = {"elastic", "saturating_add", HASH, "ram", NULL};
static const char *const cocosketch_sources[] = {
    "cocosketch", "saturating_add", "random", "multiply", HASH, "ram", NULL};

const struct sl_rtl_table sl_rtl_spacesaving = {
    .table = &sl_table_spacesaving,
    .module = "spacesaving",
    .source = spacesaving_sources,
    .weight_bits = 32,
    .parameters = top_list_parameters,
    .state = spacesaving_state,
};

const struct sl_rtl_table sl_rtl_misragries = {
    .table = &sl_table_misragries,
    .module = "misragries",
    .source = misragries_sources,
    .weight_bits = 32,
    .parameters = top_list_parameters,
    .state = misragries_state,
};

const struct sl_rtl_table sl_rtl_countmin = {
    .table = &sl_table_countmin,
    .module = "sketch",
    .source = sketch_sources,
    .weight_bits = 32,
    .parameters = countmin_parameters,
    .state = sketch_state,
};

const struct sl_rtl_table sl_rtl_countsketch = {
    .table = &sl_table_countsketch,
    .module = "sketch",
    .source = sketch_sources,
    .weight_bits = 32,
    .parameters = countsketch_parameters,
    .state = sketch_state,
};

const struct sl_rtl_table sl_rtl_heavykeeper = {
    .table = &sl_table_heavykeeper,
    .module = "heavykeeper",
    .source = heavykeeper_sources,
    .weight_bits = 32,
    .parameters = heavykeeper_parameters,
    .tables = print_chances,
    .state = heavykeeper_state,
};

const struct sl_rtl_table sl_rtl_elastic = {
    .table = &sl_table_elastic,
    .module = "elastic",
    .source = elastic_sources,
    .weight_bits = 32,
    .parameters = elastic_parameters,
    .state = elastic_state,
};

const struct sl_rtl_table sl_rtl_cocosketch = {
    .table = &sl_table_cocosketch,
    .module = "cocosketch",
    .source = cocosketch_sources,
    .weight_bits = 32,
    .parameters = cocosketch_parameters,
    .state = cocosketch_state,
};
