/* SPDX-License-Identifier: MIT */
/* All events of a run in their order, as a table keeps them that does not forget it. */
#ifndef SL_SEQUENCE_H
#define SL_SEQUENCE_H

#include "subpath.h"

struct sl_sequence {
    const struct sl_grammar *grammar; /* that makes the sequence */
    const struct sl_tuple *tuple;     /* what its symbols stand for, in order of appearance */
    size_t n_tuples;
    const uint64_t *beyond; /* by symbol, as far as it goes: what its events weigh, less 1 each */
    size_t n_beyond;
    struct sl_subpath_limits hot; /* which subpaths are to be told */
};

#endif
