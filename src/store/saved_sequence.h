/* SPDX-License-Identifier: MIT */
/* Sequences, read back from a database: what is known of one, its hot subpaths, and the
 * grammar that makes it. */
#ifndef SL_SAVED_SEQUENCE_H
#define SL_SAVED_SEQUENCE_H

#include "grammar.h"
#include "saved.h"

struct sl_saved_sequence {
    bool there; /* the profile has one */
    uint64_t length, rules, symbols, tuples, bytes;
    const char *unit; /* what subpaths are weighed by */
    uint64_t weight;
    uint64_t subpaths;
};

struct sl_saved_subpath {
    uint64_t rank, rule, length, times;
    uint64_t weight; /* of all of them */
};

/* Each of these returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_saved_sequence(struct sl_database *database, const struct sl_saved_profile *profile,
                      struct sl_saved_sequence *sequence, struct sl_failure *f);

/* Bits of the sequence if it were written with as few for each event as tell them apart. */
uint64_t sl_saved_sequence_plain(const struct sl_saved_sequence *sequence);

/* Calls `each` for the first n hot subpaths (0: all), heaviest first; for the events of one
 * of them in order, where `of` is the id of the profile that an event is of and the entry has
 * no counts; for what the symbols stand for. As sl_saved_entries. */
int sl_saved_subpaths(struct sl_database *database, const struct sl_saved_profile *profile,
                      uint64_t n,
                      int (*each)(void *context, const struct sl_saved_subpath *subpath),
                      void *context, struct sl_failure *f);
int sl_saved_steps(struct sl_database *database, const struct sl_saved_profile *profile,
                   uint64_t subpath,
                   int (*each)(void *context, int64_t of, const struct sl_saved_entry *entry),
                   void *context, struct sl_failure *f);
int sl_saved_symbols(struct sl_database *database, const struct sl_saved_profile *profile,
                     int (*each)(void *context, int64_t of, const struct sl_tuple *tuple),
                     void *context, struct sl_failure *f);

/* The grammar; `grammar` is overwritten, to be freed. All its symbols are among those that
 * sl_saved_symbols gives. */
int sl_saved_grammar(struct sl_database *database, const struct sl_saved_profile *profile,
                     struct sl_grammar *grammar, struct sl_failure *f);

#endif
