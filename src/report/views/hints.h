/* SPDX-License-Identifier: MIT */
/* Hints about a program's own code, each with a possible improvement:
 *
 *   - a conditional forward branch that is nearly always taken: the common case does not fall
 * through;
 *   - a load that nearly always reads the same value: a special case may be worth it.
 *
 * Executions are exact, from a profile of blocks. Outcomes of branches and loaded values come from
 * profiles of edges and values, as accurate as these are. If load values were sampled, the sample
 * is taken for the whole run. */
#ifndef SL_HINTS_H
#define SL_HINTS_H

#include "costs.h"

struct sl_hint {
    char *where;    /* "primes.c:23" */
    char *sentence; /* printable */
    uint64_t executions;
};

struct sl_hints {
    struct sl_hint *advised; /* the most often executed first */
    size_t n, capacity;
};

/* Collects the hints; none if profiles are missing. Returns 0, SL_EFORMAT if the database is
 * damaged, or SL_ENOMEM. Call sl_hints_free() in either case. */
int sl_hints_make(struct sl_hints *advice, struct sl_database *database, struct sl_failure *f);
void sl_hints_free(struct sl_hints *advice);

#endif
