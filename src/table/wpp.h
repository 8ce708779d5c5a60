/* What a table of the kind `wpp` has besides the counts that it drains: the sequence. */
#ifndef SL_WPP_H
#define SL_WPP_H

#include "grammar.h"
#include "table.h"

extern const struct sl_table_kind sl_table_wpp;

/* The grammar of the events so far, from the state of such a table; `grammar` is
 * overwritten, to be freed. False when memory ran out. */
bool sl_wpp_grammar(const void *state, struct sl_grammar *grammar);

/* What the symbols of the grammar stand for, by symbol: 0 to n - 1, in the order in which
 * the tuples first came. They are the table's. */
const struct sl_tuple *sl_wpp_tuples(const void *state, size_t *n);

#endif
