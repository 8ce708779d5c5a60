/* SPDX-License-Identifier: MIT */
/* Hints: instructions of the program that could be improved, each with a suggestion. There are two
 * kinds of hints:
 *
 *   - a conditional forward branch is nearly always taken, so the common case should fall through;
 *   - a load nearly always reads the same value, so a special case may be worth it.
 *
 * Executions are exact, from a profile of blocks. Outcomes of branches and loaded values come from
 * profiles of edges and values, and are as accurate as these profiles. Counts of sampled load
 * values are scaled up to the whole run. */
#ifndef SL_HINTS_H
#define SL_HINTS_H

#include "costs.h"

struct sl_hint {
    char *where; /* "primes.c:23" */
    char *text;  /* printable */
    uint64_t executions;
};

struct sl_hints {
    struct sl_hint *hint; /* the most often executed first */
    size_t n, capacity;
};

/* Collects the hints; none if profiles are missing. Returns 0, SL_EFORMAT if the database is
 * damaged, or SL_ENOMEM. Call sl_hints_free() in either case. */
int sl_hints_make(struct sl_hints *hints, struct sl_database *database, struct sl_failure *f);
void sl_hints_free(struct sl_hints *hints);

#endif
