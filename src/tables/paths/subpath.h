/* SPDX-License-Identifier: MIT */
/* Hot subpaths: parts of a sequence that come again and again and are much of it, found in
 * its grammar without making the sequence. */
#ifndef SL_SUBPATH_H
#define SL_SUBPATH_H

#include "grammar.h"

/* Which of those that are in one another. */
enum sl_subpath_choice { SL_SUBPATH_LONGEST, SL_SUBPATH_SHORTEST };

struct sl_subpath_limits {
    double percent;       /* of the whole sequence's weight that makes a subpath hot */
    uint64_t least, most; /* symbols in a row that are one */
    enum sl_subpath_choice choice;
};

struct sl_subpath {
    uint32_t rule; /* that makes it */
    uint64_t length;
    uint64_t times; /* that it comes; of the longest, outside of other hot ones */
    double weight;  /* of one of them; all together weigh times that */
};

struct sl_subpaths {
    struct sl_subpath *hot; /* heaviest first, on a tie the lower rule */
    size_t n, room;
    double whole; /* what the sequence weighs */
};

/* The hot subpaths of a sequence in which symbol t weighs cost[t]. False when memory ran
 * out; to be freed all the same. */
bool sl_subpaths_find(struct sl_subpaths *subpaths, const struct sl_grammar *grammar,
                      const double *cost, const struct sl_subpath_limits *limits);
void sl_subpaths_free(struct sl_subpaths *subpaths);

/* All events of a run in order: a table with order->sequence (table.h) returns it. */
struct sl_sequence {
    const struct sl_grammar *grammar; /* that makes the sequence */
    const struct sl_tuple *tuple;     /* what its symbols stand for, in order of appearance */
    size_t n_tuples;
    const uint64_t *beyond; /* by symbol, as far as it goes: what its events weigh, less 1 each */
    size_t n_beyond;
    struct sl_subpath_limits hot; /* which subpaths are to be told */
};

#endif
