/* SPDX-License-Identifier: MIT */
/* Generates the function profilers LEAP (rtl/leap.v) and SnoopP (rtl/snoopp.v) as hardware: prints
 * the Verilog parameters for the functions of a program, and computes the words that the hardware
 * must return when it is read out. The states of both software models begin with a struct
 * sl_function_counters. */
#include <stdlib.h>

#include "failure.h"
#include "function_counters.h"
#include "perfect_hash.h"
#include "rtl_table.h"
#include "rtl_parameters.h"

#define LEAP_FUNCTIONS_MAX 1024u /* limit of Verilog parameters; the paper uses 256 */
#define RANGES_MAX 1024u

/* ---- LEAP ---- */

/* RTL has as many counters as the program has functions. */
static int check_capacity(const void *config, struct sl_failure *f)
{
    const struct sl_counter_config *c = config;
    return c->capacity
               ? sl_fail(f, SL_EUNSUPPORTED,
                         "the RTL counts all functions of a program: leave out the option capacity")
               : 0;
}

static int check_leap(const void *config, const struct sl_function_list *functions,
                      struct sl_failure *f)
{
    int error = check_capacity(config, f);
    if (error < 0)
        return error;
    if (functions->n <= LEAP_FUNCTIONS_MAX)
        return 0;
    return sl_fail(f, SL_EUNSUPPORTED,
                   "the program has %zu functions, but the RTL of leap supports at most %u",
                   functions->n, LEAP_FUNCTIONS_MAX);
}

/* Prints a vector of n words, the first one in the lowest bits. */
static void print_vector(FILE *out, const char *name, const uint64_t *word, size_t n, unsigned bits)
{
    fprintf(out, ",\n    .%s({", name);
    for (size_t i = n; i--;) {
        unsigned long long value = word[i];
        fprintf(out, "%u'h%llx%s", bits, value, i ? ", " : "})");
    }
}

/* Computes the same hash as the model, since the addresses and their order are the same. */
static bool leap_parameters(const void *state, const void *config, unsigned weight_bits, FILE *out)
{
    const struct sl_function_counters *c = state;
    const struct sl_function_list *list = c->functions;
    struct sl_perfect_hash hash;
    unsigned bits = sl_perfect_hash_log2(list->n);
    size_t n = (size_t)1 << bits;
    uint32_t *tab = malloc(n * sizeof *tab);
    uint64_t *word = malloc(n * sizeof *word);
    (void)config, (void)weight_bits;
    bool good = tab && word && sl_perfect_hash_make(&hash, list->start, list->n, tab, NULL) >= 0;
    if (!good) {
        free(tab);
        free(word);
        return false;
    }
    fprintf(out,
            SL_RTL_PARAMETER("INDEX_BITS", "%u") SL_RTL_PARAMETER("COUNTER_BITS", "%u")
                SL_RTL_PARAMETER("SHIFT", "%d") SL_RTL_PARAMETER("V", "32'h%x")
                    SL_RTL_PARAMETER("A1", "%u") SL_RTL_PARAMETER("A2", "%u")
                        SL_RTL_PARAMETER("B1", "%u") SL_RTL_PARAMETER("B2", "32'h%x"),
            bits, (unsigned)c->config.bits, c->config.shift, hash.v, hash.a1, hash.a2, hash.b1,
            hash.b2);
    if (c->n_storages > 1) {
        uint64_t group[SL_PARTS];
        for (unsigned i = 0; i < SL_PARTS; i++)
            group[i] = c->storage_of[i];
        fprintf(out, SL_RTL_PARAMETER("GROUPS", "%u"), c->n_storages);
        print_vector(out, "GROUP_OF", group, SL_PARTS, 3);
    }
    for (size_t i = 0; i < n; i++)
        word[i] = tab[i];
    print_vector(out, "TAB", word, n, bits);
    for (size_t i = 0; i < n; i++)
        word[i] = UINT64_MAX;
    for (size_t i = 0; i < list->n; i++)
        word[sl_perfect_hash_index(&hash, list->start[i])] = list->start[i];
    print_vector(out, "ADDRESSES", word, n, 64);
    free(tab);
    free(word);
    return true;
}

static void leap_state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_function_counters *c = from;
    (void)config;
    word(context, 2, c->uncounted);
    for (uint32_t g = 0; g < c->n_storages; g++) {
        const struct sl_counter_storage *s = &c->storage[g];
        word(context, g << 8, s->exponent);
        word(context, (g << 8) + 1, s->carry);
        word(context, (g << 8) + 3, s->overflows);
        for (size_t i = 0; i < s->n; i++)
            word(context, (UINT32_C(0x10000000) | g << 24) + (uint32_t)i, s->count[i]);
    }
}

/* ---- SnoopP ---- */

static int check_snoopp(const void *config, const struct sl_function_list *functions,
                        struct sl_failure *f)
{
    const struct sl_counter_config *c = config;
    if (c->shift)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "the RTL of snoopp cannot halve its counters: leave out shift=1");
    int error = check_capacity(config, f);
    if (error < 0)
        return error;
    if (functions->n_pieces <= RANGES_MAX)
        return 0;
    return sl_fail(f, SL_EUNSUPPORTED,
                   "the program has %zu code ranges, each with two comparators, but the RTL of "
                   "snoopp supports at most %u",
                   functions->n_pieces, RANGES_MAX);
}

static bool snoopp_parameters(const void *state, const void *config, unsigned weight_bits,
                              FILE *out)
{
    const struct sl_function_counters *c = state;
    const struct sl_function_list *list = c->functions;
    size_t n = list->n_pieces;
    unsigned bits = list->piece[n - 1].end >> 32 ? 64 : 32;
    uint64_t *word = calloc(n, sizeof *word);
    (void)config, (void)weight_bits;
    if (!word)
        return false;
    fprintf(out,
            SL_RTL_PARAMETER("RANGES", "%zu") SL_RTL_PARAMETER("ADDRESS_BITS", "%u")
                SL_RTL_PARAMETER("COUNTER_BITS", "%u"),
            n, bits, (unsigned)c->config.bits);
    for (size_t i = 0; i < n; i++)
        word[i] = list->piece[i].start;
    print_vector(out, "STARTS", word, n, bits);
    for (size_t i = 0; i < n; i++)
        word[i] = list->piece[i].end;
    print_vector(out, "ENDS", word, n, bits);
    free(word);
    return true;
}

static void snoopp_state(const void *from, const void *config, sl_rtl_word *word, void *context)
{
    const struct sl_function_counters *c = from;
    (void)config;
    word(context, 2, c->uncounted);
    word(context, 3, c->storage[0].overflows);
    for (size_t i = 0; i < c->storage[0].n; i++)
        word(context, UINT32_C(0x10000000) + (uint32_t)i, c->storage[0].count[i]);
}

static const char *const leap_sources[] = {"leap", "perfect_hash", "counter_storage", "ram", NULL};
static const char *const snoopp_sources[] = {"snoopp", NULL};

const struct sl_rtl_table sl_rtl_leap = {
    .table = &sl_table_leap,
    .module = "leap",
    .source = leap_sources,
    .weight_bits = 32,
    .check_functions = check_leap,
    .parameters = leap_parameters,
    .state = leap_state,
};

const struct sl_rtl_table sl_rtl_snoopp = {
    .table = &sl_table_snoopp,
    .module = "snoopp",
    .source = snoopp_sources,
    .weight_bits = 32,
    .check_functions = check_snoopp,
    .parameters = snoopp_parameters,
    .state = snoopp_state,
};
