/* SPDX-License-Identifier: MIT */
/* A table's twin in hardware: which modules of rtl/ it is made of, with which parameters for a
 * configuration, and what it has to hold when the model has seen the same events.
 *
 *     model (src/tables)  ──step──►  state  ──sl_rtl_table.state──►  address, word
 *                                                                ║ equal after every event
 *     twin (rtl)         ──event─►  state  ──read-out────────►  address, word
 *
 * To add one: the module in rtl/, a file here with a `const struct sl_rtl_table`, a line in
 * rtl_table.c, specs in tests/rtl. */
#ifndef SL_RTL_TABLE_H
#define SL_RTL_TABLE_H

#include "table.h"

/* A word that the read-out gives at an address. */
typedef void sl_rtl_word(void *context, uint32_t address, uint64_t word);

/* A message: of kind 1 at the end of an interval <number, drops, weight>, else of kind 0. */
typedef void sl_rtl_message(void *context, unsigned kind, struct sl_tuple tuple, uint64_t count);

struct sl_rtl_table {
    const struct sl_table_kind *table;
    const char *module;
    const char *const *source; /* names in rtl/ without ".v", NULL at the end */
    /* Why there is none for this configuration: SL_EUNSUPPORTED. NULL: there always is. */
    int (*check)(const void *config, struct sl_failure *f);
    /* The same of tables by function, whose program has these. */
    int (*check_functions)(const void *config, const struct sl_function_list *functions,
                           struct sl_failure *f);
    unsigned weight_bits; /* of the largest weight that it takes; of 1 where all weigh 1 */
    /* Prints ".NAME(value)" lines with commas in front, of a model that was just made. False
     * when memory ran out. */
    bool (*parameters)(const void *state, const void *config, unsigned weight_bits, FILE *out);
    /* Prints modules with contents of the configuration; NULL: it needs none. */
    void (*tables)(const void *state, const void *config, FILE *out);
    void (*state)(const void *state, const void *config, sl_rtl_word *word, void *context);
};

/* NULL: the table has none. */
const struct sl_rtl_table *sl_rtl_table_of(const struct sl_table_kind *table);

#endif
