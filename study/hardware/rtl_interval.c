/* SPDX-License-Identifier: MIT */
/* Generates the interval profilers singlehash and multihash as hardware (rtl/multihash.v): prints
 * the Verilog parameters and tables, and computes the words that the hardware must return when it
 * is read out. */
#include "failure.h"
#include "interval_table.h"
#include "rtl_table.h"
#include "rtl_parameters.h"

#define LEVELS_MAX 4096u

static int check(const void *config, struct sl_failure *f)
{
    const struct sl_interval_config *c = config;
    if (c->word != 64)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "no RTL for hash functions of 32-bit words: leave out word=32");
    if (c->base > 1 && sl_interval_approximate_top(c) >= LEVELS_MAX)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "base=%g and bits=%llu give a counter %u values, each with a probability in "
                       "memory, but the RTL supports at most %u: use a larger base or fewer bits",
                       c->base, (unsigned long long)c->bits, sl_interval_approximate_top(c) + 1,
                       LEVELS_MAX);
    return 0;
}

static bool parameters(const void *state, const void *config, unsigned weight_bits, FILE *out)
{
    const struct sl_interval_table *t = state;
    const struct sl_interval_config *c = config;
    const struct sl_interval_approximate *a = &t->approximate;
    uint64_t most = c->interval - 1 + (UINT64_MAX >> (64 - weight_bits));
    unsigned count_bits = sl_rtl_bits(a->estimates            ? most + a->estimates[a->top]
                                      : most > t->counter_max ? most
                                                              : t->counter_max);
    fprintf(out,
            SL_RTL_PARAMETER("TABLES", "%u") SL_RTL_PARAMETER("INDEX_BITS", "%u")
                SL_RTL_PARAMETER("COUNTER_BITS", "%u") SL_RTL_PARAMETER("COUNT_BITS", "%u")
                    SL_RTL_PARAMETER("ENTRIES", "%u") SL_RTL_PARAMETER("WAYS", "%u")
                        SL_RTL_PARAMETER("CONSERVATIVE", "%d") SL_RTL_PARAMETER("RESET", "%d")
                            SL_RTL_PARAMETER("RETAIN", "%d") SL_RTL_PARAMETER("LENGTH", "64'd%llu")
                                SL_RTL_PARAMETER("THRESHOLD", "64'd%llu"),
            (unsigned)c->tables, t->index_bits, (unsigned)c->bits, count_bits,
            (unsigned)c->accumulator, (unsigned)c->ways, c->conservative, c->reset, c->retain,
            (unsigned long long)t->length, (unsigned long long)t->threshold);
    if (a->estimates)
        fprintf(out,
                SL_RTL_PARAMETER("APPROXIMATE", "1") SL_RTL_PARAMETER("LEVEL_BITS", "%u")
                    SL_RTL_PARAMETER("EVENT_BITS", "%u") SL_RTL_PARAMETER("TOP", "%u")
                        SL_RTL_PARAMETER("SEED", "64'h%llx"),
                sl_rtl_bits(a->top), sl_rtl_bits(a->estimates[a->top]), a->top,
                (unsigned long long)a->draws.random);
    sl_rtl_byte_tables(out, (const uint8_t(*)[256])t->byte_table, (unsigned)c->tables);
    return true;
}

/* Tables of approximate counters, by the value of a counter. */
static void tables(const void *state, const void *config, FILE *out)
{
    const struct sl_interval_table *t = state;
    const struct sl_interval_approximate *a = &t->approximate;
    (void)config;
    if (!a->estimates)
        return;
    unsigned bits = sl_rtl_bits(a->top);
    fprintf(out, "\n// Probability of an increment, times 2^64.\n");
    sl_rtl_memory(out, "chance_table", bits, 64, a->draws.chance, a->top + 1);
    fprintf(out, "\n// Estimated number of events.\n");
    sl_rtl_memory(out, "events_table", bits, sl_rtl_bits(a->estimates[a->top]), a->estimates,
                  a->top + 1);
}

static void state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_interval_table *t = from;
    const struct sl_accumulator *a = &t->accumulator;
    (void)config;
    const uint64_t of_interval[] = {t->events, t->weight,    t->drops,
                                    t->number, t->threshold, t->length};
    for (uint32_t i = 0; i < 6; i++)
        word(context, i, of_interval[i]);
    for (uint32_t i = 0; i < a->capacity; i++) {
        const struct sl_interval_note *note = &a->note[i + 1];
        uint32_t at = UINT32_C(0x10000000) + 4 * i;
        if (note->used) {
            word(context, at, a->tuple[i + 1].pc);
            word(context, at + 1, a->tuple[i + 1].value);
            word(context, at + 2, a->count[i + 1]);
        }
        word(context, at + 3, 2u * note->used + note->retained);
    }
    for (uint32_t k = 0; k < t->config.tables; k++)
        for (uint32_t i = 0; i < UINT32_C(1) << t->index_bits; i++)
            word(context, (UINT32_C(0x20000000) | k << 24) + i,
                 t->counter[(k << t->index_bits) + i]);
}

static const char *const sources[] = {"multihash",
                                      "counter_update",
                                      "approximate_update",
                                      "geometric",
                                      "random",
                                      "multiply",
                                      "accumulator",
                                      "accumulator_sets",
                                      "hash",
                                      "byte_table",
                                      "fold",
                                      "ram",
                                      NULL};

const struct sl_rtl_table sl_rtl_singlehash = {
    .table = &sl_table_singlehash,
    .module = "multihash",
    .source = sources,
    .check = check,
    .weight_bits = 32,
    .parameters = parameters,
    .tables = tables,
    .state = state,
};

const struct sl_rtl_table sl_rtl_multihash = {
    .table = &sl_table_multihash,
    .module = "multihash",
    .source = sources,
    .check = check,
    .weight_bits = 32,
    .parameters = parameters,
    .tables = tables,
    .state = state,
};
