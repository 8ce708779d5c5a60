/* SPDX-License-Identifier: MIT */
/* Finder of hot subpaths, parts of a sequence that make up much of its weight. The finder searches
 * the grammar that compresses the sequence, without expanding the grammar. The file also declares
 * a struct for the sequence of events that a table stores. */
#ifndef SL_SUBPATH_H
#define SL_SUBPATH_H

#include "grammar.h"

/* Which of nested hot subpaths are reported (subpath.c). */
enum sl_subpath_choice { SL_SUBPATH_LONGEST, SL_SUBPATH_SHORTEST };

struct sl_subpath_limits {
    double percent;       /* threshold, of the weight of the sequence */
    uint64_t least, most; /* length of a subpath, in symbols */
    enum sl_subpath_choice choice;
};

struct sl_subpath {
    uint32_t rule; /* that produces it */
    uint64_t length;
    uint64_t times; /* occurrences; with LONGEST, those outside of longer hot subpaths */
    double weight;  /* of one occurrence */
};

struct sl_subpaths {
    struct sl_subpath *hot; /* by descending weight, then ascending rule */
    size_t n, capacity;
    double whole; /* weight of the sequence */
};

/* Finds the hot subpaths of a sequence in which symbol t weighs cost[t]. Returns false if out of
 * memory. Call sl_subpaths_free() in either case. */
bool sl_subpaths_find(struct sl_subpaths *subpaths, const struct sl_grammar *grammar,
                      const double *cost, const struct sl_subpath_limits *limits);
void sl_subpaths_free(struct sl_subpaths *subpaths);

/* All events of a run in order: a table with order->sequence (table.h) returns it. */
struct sl_sequence {
    const struct sl_grammar *grammar; /* that produces the sequence */
    const struct sl_tuple *tuple;     /* by symbol, in order of appearance */
    size_t n_tuples;
    const uint64_t
        *beyond; /* by symbol, the first n_beyond: weight of its events less 1 for each */
    size_t n_beyond;
    struct sl_subpath_limits hot; /* which subpaths are reported */
};

#endif
