/* SPDX-License-Identifier: MIT */
/* Generates multiplexed counters as hardware (rtl/multiplexed.v): prints the Verilog parameters,
 * and computes the words that the hardware must return when it is read out. */
#include "multiplexed.h"
#include "rtl_parameters.h"
#include "rtl_table.h"

static bool parameters(const void *state, const void *config, unsigned weight_bits, FILE *out)
{
    const struct sl_multiplexed_config *c = config;
    (void)state, (void)weight_bits;
    fprintf(out,
            SL_RTL_PARAMETER("COUNTERS", "%u") SL_RTL_PARAMETER("EVENTS", "%u")
                SL_RTL_PARAMETER("ROTATION", "32'd%u"),
            (unsigned)c->counters, (unsigned)c->events, (unsigned)c->rotation);
    return true;
}

static void state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_multiplexed *m = from;
    (void)config;
    const uint64_t of_turn[] = {m->time, m->first, m->time - m->turn_began, m->drops};
    for (uint32_t i = 0; i < 4; i++)
        word(context, i, of_turn[i]);
    for (uint32_t i = 0; i < m->config->events; i++) {
        word(context, UINT32_C(0x10000000) + 2 * i, m->event[i].count);
        if (i)
            word(context, UINT32_C(0x10000000) + 2 * i + 1, m->event[i].time);
    }
}

static const char *const sources[] = {"multiplexed", "ram", NULL};

const struct sl_rtl_table sl_rtl_multiplexed = {
    .table = &sl_table_multiplexed,
    .module = "multiplexed",
    .source = sources,
    .weight_bits = 32,
    .parameters = parameters,
    .state = state,
};
