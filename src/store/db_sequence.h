/* SPDX-License-Identifier: MIT */
/* Reader of the event sequences that the table `wpp` stores: their properties, hot subpaths and
 * grammar. */
#ifndef SL_DB_SEQUENCE_H
#define SL_DB_SEQUENCE_H

#include "grammar.h"
#include "db.h"

struct sl_db_sequence {
    bool found; /* the profile has a sequence */
    uint64_t length, rules, symbols, tuples, bytes;
    const char *unit; /* of weights */
    uint64_t weight;
    uint64_t subpaths;
};

struct sl_db_subpath {
    uint64_t rank, rule, length, times;
    uint64_t weight; /* of all occurrences */
};

/* Reads the properties of a sequence, if the profile has one. As all functions below that return
 * int, it returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_db_sequence(struct sl_database *database, const struct sl_db_profile *profile,
                   struct sl_db_sequence *sequence, struct sl_failure *f);

/* Returns the size of the sequence in bits with a fixed-length code for the tuples. */
uint64_t sl_db_sequence_uncompressed_bits(const struct sl_db_sequence *sequence);

/* These functions call `each` as sl_db_entries() does. They read the first n hot subpaths (0: all),
 * highest weight first; the events of one subpath in order, as entries without counts of the
 * profile with id `of`; and the tuples that the symbols denote. */
int sl_db_subpaths(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                   int (*each)(void *context, const struct sl_db_subpath *subpath), void *context,
                   struct sl_failure *f);
int sl_db_subpath_events(struct sl_database *database, const struct sl_db_profile *profile,
                         uint64_t subpath, sl_db_tuple_row *each, void *context,
                         struct sl_failure *f);
int sl_db_symbols(struct sl_database *database, const struct sl_db_profile *profile,
                  int (*each)(void *context, int64_t of, const struct sl_tuple *tuple),
                  void *context, struct sl_failure *f);

/* Reads the grammar, to be freed by sl_grammar_free(). Its terminal symbols are among those of
 * sl_db_symbols(). */
int sl_db_grammar(struct sl_database *database, const struct sl_db_profile *profile,
                  struct sl_grammar *grammar, struct sl_failure *f);

#endif
