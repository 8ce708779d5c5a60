/* Which tables a bank has steps for (gpu/), in the words that it understands. */
#include <string.h>

#include "bank_share.h"
#include "failure.h"
#include "interval_table.h"
#include "spec.h"

extern const struct sl_table_kind sl_table_singlehash, sl_table_multihash;

static unsigned index_bits(const struct sl_interval_config *c)
{
    unsigned bits = 0;
    while (c->counters / c->tables >> (bits + 1))
        bits++;
    return bits;
}

/* Why not; NULL: it can be. */
static const char *objection(const struct sl_profile_spec *spec, const char *machine)
{
    const struct sl_interval_config *c = spec->table_config;
    if (machine)
        return "no machine is modelled there";
    for (size_t i = 0; i < spec->n_detectors; i++)
        if (strcmp(spec->detector[i].metric->name, "count"))
            return "events weigh 1 there, so that only count can be their metric";
    if (spec->table != &sl_table_singlehash && spec->table != &sl_table_multihash)
        return "of the tables only singlehash and multihash are there";
    if (c->base > 1)
        return "its counters count exactly there, without a base";
    if (index_bits(c) > SL_BANK_INDEX_BITS)
        return "a table of counters has at most 65536 of them there";
    if (c->interval > SL_BANK_LENGTH_MAX)
        return "intervals have at most 2^31 events there";
    return NULL;
}

static void fill(struct sl_bank_interval *t, const struct sl_interval_config *c)
{
    *t = (struct sl_bank_interval){.seed = c->seed,
                                   .length = c->interval,
                                   .threshold = sl_interval_threshold(c, c->interval),
                                   .tables = (uint32_t)c->tables,
                                   .index_bits = index_bits(c),
                                   .word = (uint32_t)c->word,
                                   .counter_max = (uint32_t)((UINT64_C(1) << c->bits) - 1),
                                   .capacity = (uint32_t)c->accumulator,
                                   .conservative = c->conservative,
                                   .reset = c->reset,
                                   .retain = c->retain};
}

int sl_bank_plan(const char *text, const char *machine, struct sl_bank_interval *table,
                 struct sl_failure *f)
{
    struct sl_profile_spec spec;
    int error = sl_profile_spec_parse(&spec, text, f);
    const char *why = error < 0 ? NULL : objection(&spec, machine);
    if (why)
        error = sl_fail(f, SL_EUNSUPPORTED, "%.300s cannot be on a gpu: %s", text, why);
    else if (error >= 0 && table)
        fill(table, spec.table_config);
    sl_profile_spec_free(&spec);
    return error;
}
