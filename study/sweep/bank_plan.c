/* SPDX-License-Identifier: MIT */
/* Checks whether an accelerator (study/gpu/) supports a table, and converts the configuration of
 * the table to the configuration that the accelerator reads. */
#include <string.h>

#include "bank_shard.h"
#include "failure.h"
#include "hpt.h"
#include "interval_table.h"
#include "pipeline.h"

#define WAYS_MAX 32u /* one lane each */

static unsigned log2_of(uint64_t n)
{
    return n ? 63 - (unsigned)__builtin_clzll(n) : 0;
}

/* Each function fills `t` and returns NULL, or returns the reason why the table is not supported.
 */

static const char *plan_interval(const struct sl_interval_config *c, struct sl_bank_config *t)
{
    unsigned bits = log2_of(c->counters / c->tables);
    if (c->base > 1)
        return "a GPU supports exact counters only: leave out the option base";
    if (bits > SL_BANK_INDEX_BITS)
        return "a GPU supports at most 65536 counters per table";
    if (c->interval > SL_BANK_LENGTH_MAX)
        return "a GPU supports intervals of at most 2^31 events";
    *t = (struct sl_bank_config){.kind = SL_BANK_INTERVAL,
                                 .index_bits = bits,
                                 .seed = c->seed,
                                 .word = (uint32_t)c->word,
                                 .tables = (uint32_t)c->tables,
                                 .counter_max = (uint32_t)((UINT64_C(1) << c->bits) - 1),
                                 .conservative = c->conservative,
                                 .reset = c->reset,
                                 .retain = c->retain,
                                 .length = c->interval,
                                 .threshold = sl_interval_threshold(c, c->interval),
                                 .capacity = (uint32_t)c->accumulator};
    return NULL;
}

static const char *plan_compressor(const struct sl_pipeline_config *c, struct sl_bank_config *t)
{
    if (c->first == SL_COMPONENT_A)
        return "a GPU does not support compressors whose first component is A (an aggregation "
               "table), because A sends nearly every event";
    if (c->input || c->converge > 0)
        return "a GPU does not support queues or filters before a compressor: leave out the "
               "options input and converge";
    if (sl_pipeline_hash_bits(c) > SL_BANK_INDEX_BITS)
        return "a GPU supports at most 65536 substreams or sets";
    *t = (struct sl_bank_config){.kind = SL_BANK_COMPRESSOR,
                                 .index_bits = sl_pipeline_hash_bits(c),
                                 .seed = c->seed,
                                 .word = (uint32_t)c->word,
                                 .tables = 1,
                                 .component = c->first,
                                 .rate = c->first == SL_COMPONENT_T ? c->tagged.rate : c->rate,
                                 .capacity = (uint32_t)c->tagged.entries,
                                 .ways = (uint32_t)c->tagged.ways,
                                 .tag_bits = (uint32_t)c->tagged.tag_bits,
                                 .integer = c->tagged.integer,
                                 .first_counts = c->tagged.first_counts};
    return NULL;
}

static const char *plan_hpt(const struct sl_hpt_config *c, struct sl_bank_config *t)
{
    uint64_t most = (UINT64_C(1) << c->counter) - 1;
    unsigned bits = log2_of(c->entries / c->ways);
    if (c->ways > WAYS_MAX)
        return "a GPU supports at most 32 ways per set of a hot path table";
    if (c->phase)
        return "a GPU does not detect phases";
    *t = (struct sl_bank_config){.kind = SL_BANK_HPT,
                                 .index_bits = bits,
                                 .turn = sl_hpt_rotation(bits),
                                 .capacity = (uint32_t)c->entries,
                                 .ways = (uint32_t)c->ways,
                                 .most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX,
                                 .by_start = c->index == SL_HPT_START,
                                 .replacement = c->replacement};
    return NULL;
}

static const char *plan(const struct sl_profile_spec *spec, const char *machine,
                        struct sl_bank_config *t)
{
    if (machine)
        return "a GPU does not run CPU models";
    for (size_t i = 0; i < spec->n_detectors; i++)
        if (strcmp(spec->detector[i].metric->name, "count"))
            return "a GPU supports only events of weight 1: use the metric count";
    if (spec->table == &sl_table_singlehash || spec->table == &sl_table_multihash)
        return plan_interval(spec->table_config, t);
    if (spec->table == &sl_table_compressor)
        return plan_compressor(spec->table_config, t);
    if (spec->table == &sl_table_hpt)
        return plan_hpt(spec->table_config, t);
    return "a GPU supports only the tables singlehash, multihash and hpt, and stream compressors";
}

int sl_bank_plan(const struct sl_profile_spec *spec, const char *machine,
                 struct sl_bank_config *table, struct sl_failure *f)
{
    const char *why = plan(spec, machine, table);
    return why ? sl_fail(f, SL_EUNSUPPORTED, "%.300s cannot run on a GPU: %s", spec->text, why) : 0;
}
