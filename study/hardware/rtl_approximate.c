/* SPDX-License-Identifier: MIT */
/* Generates Morris counters and the floating-point counter as hardware (rtl/approximate.v): prints
 * the Verilog parameters and tables, and computes the words that the hardware must return when it
 * is read out. */
#include "approximate.h"
#include "failure.h"
#include "rtl_table.h"
#include "rtl_parameters.h"

/* The RTL for registers=clock would be that of registers=shared, with registers that move in every
 * cycle. The cycle of an event then determines whether it is counted, and the events of a test
 * bench have no cycles. */
static int check(const void *config, struct sl_failure *f)
{
    const struct sl_approximate_config *c = config;
    return c->registers == SL_REGISTERS_CLOCK
               ? sl_fail(
                     f, SL_EUNSUPPORTED,
                     "the RTL cannot be checked with registers=clock, since the result depends on "
                     "the cycles of the events: use registers=shared")
               : 0;
}

static bool parameters(const void *state, const void *config, unsigned weight_bits, FILE *out)
{
    const struct sl_approximate_config *c = config;
    const struct sl_lfsr *l = &sl_lfsrs[c->lfsr];
    (void)state, (void)weight_bits;
    fprintf(out,
            SL_RTL_PARAMETER("COUNTERS", "%u") SL_RTL_PARAMETER("GROUP", "%u")
                SL_RTL_PARAMETER("VALUE_BITS", "%u") SL_RTL_PARAMETER("MANTISSA", "%u")
                    SL_RTL_PARAMETER("TOP", "%u") SL_RTL_PARAMETER("LFSR", "%u")
                        SL_RTL_PARAMETER("TAP_A", "%u") SL_RTL_PARAMETER("TAP_B", "%u")
                            SL_RTL_PARAMETER("TAP_C", "%u") SL_RTL_PARAMETER("STEPS", "%u")
                                SL_RTL_PARAMETER("BASE2", "%d") SL_RTL_PARAMETER("SHARED", "%d"),
            (unsigned)c->counters, (unsigned)c->group, sl_rtl_bits(c->top), (unsigned)c->mantissa,
            (unsigned)c->top, l->width, l->tap[0], l->tap[1], l->tap[2], c->steps, c->base >= 2,
            c->registers == SL_REGISTERS_SHARED);
    return true;
}

/* Prints the initial values of the shift registers, from a model that has seen no events. Shared
 * registers are those of the first group. */
static void print_seeds(const struct sl_approximate *a, FILE *out)
{
    const struct sl_approximate_config *c = a->config;
    unsigned width = sl_lfsrs[c->lfsr].width;
    fprintf(out, "\n"
                 "// Initial values of the shift registers of each group.\n"
                 "module seed_table #(\n"
                 "    parameter WIDTH = 320,\n"
                 "    parameter ADDRESS = 5\n"
                 ") (\n"
                 "    input [ADDRESS-1:0] address,\n"
                 "    output reg [WIDTH-1:0] word\n"
                 ");\n"
                 "always @*\n"
                 "    case (address)\n");
    for (uint64_t i = 0; i < (c->registers ? 1 : c->counters); i++) {
        fprintf(out, "        %llu: word = {", (unsigned long long)i);
        for (uint64_t j = c->group; j--;)
            fprintf(out, "%u'h%llx%s", width,
                    (unsigned long long)a->counter[i * c->group + j].reg.state, j ? ", " : "};\n");
    }
    fprintf(out, "        default: word = 0;\n    endcase\nendmodule\n");
}

static void print_chances(const struct sl_approximate *a, FILE *out)
{
    const struct sl_approximate_config *c = a->config;
    unsigned width = sl_lfsrs[c->lfsr].width;
    fprintf(out,
            "\n// Probability of each level, times 2^%u.\nmodule chance_table #(\n    parameter "
            "WIDTH = "
            "64,\n    parameter ADDRESS = 6\n) (\n    input [ADDRESS-1:0] level,\n    output reg "
            "[WIDTH-1:0] chance\n);\nalways @*\n    case (level)\n",
            width);
    for (uint64_t level = 1; level <= c->top >> c->mantissa; level++)
        fprintf(out, "        %llu: chance = %u'h%llx;\n", (unsigned long long)level, width,
                (unsigned long long)a->draws.chance[level]);
    fprintf(out, "        default: chance = 0;\n    endcase\nendmodule\n");
}

static void tables(const void *state, const void *config, FILE *out)
{
    const struct sl_approximate_config *c = config;
    print_seeds(state, out);
    if (c->base < 2)
        print_chances(state, out);
}

static void state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_approximate *a = from;
    const struct sl_approximate_config *c = config;
    uint32_t value[SL_APPROXIMATE_GROUP_MAX];
    word(context, 0, a->drops);
    for (uint32_t j = 0; a->now && j < c->group; j++)
        word(context, UINT32_C(0x20000000) + j, a->now[j]);
    for (uint32_t i = 0; i < c->counters; i++) {
        sl_approximate_values(a, i, value);
        for (uint32_t j = 0; j < c->group; j++)
            word(context, (UINT32_C(0x10000000) | i << 8) + j, value[j]);
    }
}

static const char *const sources[] = {"approximate", "lfsr_step", "ram", NULL};

/* The model makes no draws for weights above 65,536 (approximate.h). */
const struct sl_rtl_table sl_rtl_morris = {
    .table = &sl_table_morris,
    .module = "approximate",
    .source = sources,
    .weight_bits = 16,
    .check = check,
    .parameters = parameters,
    .tables = tables,
    .state = state,
};

const struct sl_rtl_table sl_rtl_fpc = {
    .table = &sl_table_fpc,
    .module = "approximate",
    .source = sources,
    .weight_bits = 16,
    .check = check,
    .parameters = parameters,
    .tables = tables,
    .state = state,
};
