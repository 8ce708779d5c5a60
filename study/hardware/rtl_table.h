/* SPDX-License-Identifier: MIT */
/* Description of the RTL implementation of a table: its Verilog modules in rtl/, their parameters
 * for a configuration, and the state that the hardware must have after the same events as the
 * software model.
 *
 *     model (src/tables)        ──step──►  state  ──sl_rtl_table.state──►  address, word
 *                                                                      ║ equal after every event
 *     RTL implementation (rtl)  ──event─►  state  ──read-out────────────►  address, word
 *
 * To add one: write the module in rtl/ and a file here with a `const struct sl_rtl_table`, add a
 * line to SL_RTL_TABLES below, and add specs to tests/rtl. */
#ifndef SL_RTL_TABLE_H
#define SL_RTL_TABLE_H

#include "table.h"

/* Gets each word of the read-out with its address. */
typedef void sl_rtl_word(void *context, uint32_t address, uint64_t word);

/* Gets each message of a table. Kind 1 ends an interval: its tuple is <interval, drops> and `count`
 * is the weight. All others have kind 0. */
typedef void sl_rtl_message(void *context, unsigned kind, struct sl_tuple tuple, uint64_t count);

struct sl_rtl_table {
    const struct sl_table_kind *table;
    const char *module;
    const char *const *source; /* names in rtl/ without ".v", NULL at the end */
    /* Returns 0, or SL_EUNSUPPORTED with the reason if there is no RTL for this configuration.
     * NULL: there is RTL for every configuration. */
    int (*check)(const void *config, struct sl_failure *f);
    /* The same check for tables that are built for the functions of a program; NULL: none. */
    int (*check_functions)(const void *config, const struct sl_function_list *functions,
                           struct sl_failure *f);
    unsigned weight_bits; /* width of the weight input; 1 if all events have weight 1 */
    /* Prints the module's parameters as ".NAME(value)" lines, each with a comma before it. `state`
     * is that of a model that has seen no events. Returns false if out of memory. */
    bool (*parameters)(const void *state, const void *config, unsigned weight_bits, FILE *out);
    /* Prints Verilog modules whose contents depend on the configuration, for example hash tables;
     * NULL: there are none. */
    void (*tables)(const void *state, const void *config, FILE *out);
    /* Calls `word` for every word that the RTL must read out when the model has this state. */
    void (*state)(const void *state, const void *config, sl_rtl_word *word, void *context);
};

/* All RTL implementations: declarations and the array in rtl_table.c follow from this list. */
/* clang-format off */
#define SL_RTL_TABLES(X) \
    X(compressor)        \
    X(singlehash)        \
    X(multihash)         \
    X(hpt)               \
    X(leap)              \
    X(snoopp)            \
    X(morris)            \
    X(fpc)               \
    X(multiplexed)       \
    X(spacesaving)       \
    X(misragries)        \
    X(countmin)          \
    X(countsketch)       \
    X(heavykeeper)       \
    X(elastic)           \
    X(cocosketch)
/* clang-format on */

#define SL_RTL_DECLARE(name) extern const struct sl_rtl_table sl_rtl_##name;
SL_RTL_TABLES(SL_RTL_DECLARE)
#undef SL_RTL_DECLARE

/* Returns the RTL implementation of a table, or NULL if it has none. */
const struct sl_rtl_table *sl_rtl_table_of(const struct sl_table_kind *table);

#endif
