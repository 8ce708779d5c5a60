/* SPDX-License-Identifier: MIT */
/* Reads sequences: their properties, hot subpaths and grammar. */
#ifndef SL_DB_SEQUENCE_H
#define SL_DB_SEQUENCE_H

#include "grammar.h"
#include "db.h"

struct sl_db_sequence {
    bool there; /* the profile has one */
    uint64_t length, rules, symbols, tuples, bytes;
    const char *unit; /* of weights */
    uint64_t weight;
    uint64_t subpaths;
};

struct sl_db_subpath {
    uint64_t rank, rule, length, times;
    uint64_t weight; /* of all occurrences */
};

/* Each function returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_db_sequence(struct sl_database *database, const struct sl_db_profile *profile,
                   struct sl_db_sequence *sequence, struct sl_failure *f);

/* Size of the sequence in bits, with the fewest bits per event that distinguish all tuples. */
uint64_t sl_db_sequence_plain(const struct sl_db_sequence *sequence);

/* Each calls `each` for rows as sl_db_entries() does: the first n hot subpaths (0: all), highest
 * weight first; the events of one subpath in order, as entries without counts of the profile with
 * id `of`; the tuples that symbols denote. */
int sl_db_subpaths(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                   int (*each)(void *context, const struct sl_db_subpath *subpath), void *context,
                   struct sl_failure *f);
int sl_db_steps(struct sl_database *database, const struct sl_db_profile *profile, uint64_t subpath,
                int (*each)(void *context, int64_t of, const struct sl_db_entry *entry),
                void *context, struct sl_failure *f);
int sl_db_symbols(struct sl_database *database, const struct sl_db_profile *profile,
                  int (*each)(void *context, int64_t of, const struct sl_tuple *tuple),
                  void *context, struct sl_failure *f);

/* Reads the grammar, which is to be freed. All its symbols are among those of sl_db_symbols().
 */
int sl_db_grammar(struct sl_database *database, const struct sl_db_profile *profile,
                  struct sl_grammar *grammar, struct sl_failure *f);

#endif
