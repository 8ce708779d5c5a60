/* SPDX-License-Identifier: MIT */
/* Table set: the tables of a group of profiles. With --exact it includes the evaluator, which
 * compares the tables with an exact profile.
 *
 * The group hands each batch to the tables itself, or to the evaluator if there is one (group.c).
 * The profiles own and close their tables; the set refers to them. */
#ifndef SL_TABLE_SET_H
#define SL_TABLE_SET_H

#include "evaluator.h"

/* Zeroed before its first table is added. */
struct sl_table_set {
    struct sl_evaluated_table **table; /* of the profiles */
    size_t n, capacity;
    struct sl_evaluator *evaluator; /* NULL without --exact */
};

/* Adds a table that is not open yet; its kind, config, repetition and comparable are set. Returns
 * false if out of memory. */
bool sl_table_set_add_table(struct sl_table_set *set, struct sl_evaluated_table *table);

/* Opens all tables and, if config->enabled, the evaluator. host->memory_bytes is divided evenly.
 * Returns 0, SL_ENOMEM or an error of a table's init. Call sl_table_set_close() in either case. */
int sl_table_set_open(struct sl_table_set *set, const struct sl_evaluation_config *config,
                      const struct sl_table_host *host, struct sl_failure *f);

/* True if sl_table_set_add() may replace batches: all tables can add totals (sl_table_kind.add),
 * and no evaluator needs the single events. */
bool sl_table_set_takes_totals(const struct sl_table_set *set);

/* Adds `times` events of one tuple with the sum `weight` to all tables. */
void sl_table_set_add(struct sl_table_set *set, uint32_t tuple_id, uint64_t times, uint64_t weight);

/* Finishes the tables, then makes the last evaluation. Call once, after the last batch. Returns 0,
 * SL_ENOMEM, or the failure that a table or the evaluator met during the run; all tables are
 * finished in any case. */
int sl_table_set_finish(struct sl_table_set *set, const struct sl_tuple_names *names,
                        struct sl_failure *f);

/* Events that the evaluator's exact table dropped because its memory was used up. */
uint64_t sl_table_set_exact_drops(const struct sl_table_set *set);

/* An exact profile of the events: the evaluator's, or else a table of the kind `exact`. NULL if
 * there is neither. */
const struct sl_table *sl_table_set_exact(const struct sl_table_set *set);

/* Waits until the helper threads of all tables are idle, so that the process can be forked. */
void sl_table_set_rest(struct sl_table_set *set);

/* Closes the evaluator and frees the list of tables. */
void sl_table_set_close(struct sl_table_set *set);

#endif
