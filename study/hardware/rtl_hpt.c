/* SPDX-License-Identifier: MIT */
/* Generates the hot path table as hardware (rtl/hpt.v): prints the Verilog parameters, and computes
 * the words that the hardware must return when it is read out. */
#include "hpt.h"
#include "rtl_parameters.h"
#include "rtl_table.h"

static bool parameters(const void *state, const void *config, unsigned weight_bits, FILE *out)
{
    const struct sl_hpt *h = state;
    const struct sl_hpt_config *c = config;
    (void)weight_bits;
    fprintf(out,
            SL_RTL_PARAMETER("SET_BITS", "%u") SL_RTL_PARAMETER("WAYS", "%u")
                SL_RTL_PARAMETER("COUNTER_BITS", "%u") SL_RTL_PARAMETER("INDEX_START", "%d")
                    SL_RTL_PARAMETER("ROTATE", "%u") SL_RTL_PARAMETER("REPLACE", "%u"),
            h->set_bits, (unsigned)c->ways, (unsigned)c->counter, c->index == SL_HPT_START,
            h->rotation, c->replacement);
    return true;
}

/* Number of entries in the same set that were used later; empty ones are filled from the lowest
 * way on. */
static uint64_t rank_of(const struct sl_hpt *h, size_t entry)
{
    size_t ways = (size_t)h->config.ways, first = entry / ways * ways;
    uint64_t rank = 0;
    for (size_t other = first; other < first + ways; other++)
        rank += h->used[other] > h->used[entry] ||
                (!h->used[other] && !h->used[entry] && other > entry);
    return rank;
}

static void state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_hpt *h = from;
    (void)config;
    for (size_t i = 0; i < h->config.entries; i++) {
        uint32_t at = UINT32_C(0x10000000) + 4 * (uint32_t)i;
        if (h->count[i]) {
            word(context, at, h->tuple[i].pc);
            word(context, at + 1, h->tuple[i].value);
        }
        word(context, at + 2, h->count[i]);
        if (h->config.replacement == SL_HPT_LRU)
            word(context, at + 3, rank_of(h, i));
    }
}

static const char *const sources[] = {"hpt", "fold", "ram", NULL};

const struct sl_rtl_table sl_rtl_hpt = {
    .table = &sl_table_hpt,
    .module = "hpt",
    .source = sources,
    .weight_bits = 32,
    .parameters = parameters,
    .state = state,
};
