/* SPDX-License-Identifier: MIT */
/* Hints: instructions of the user's own code that could be improved, each with a suggestion. There
 * are three kinds of hints:
 *
 *   - a conditional forward branch is nearly always taken, so the common case should fall through;
 *   - an indirect call nearly always calls the same function, so a direct call may be worth it;
 *   - a load nearly always reads the same small value, so a special case may be worth it.
 *
 * Executions are exact, from a profile of blocks, and so are the targets of branches and calls,
 * from exact profiles of edges and calls. Loaded values are as accurate as their profile: counts of
 * sampled load values are scaled up to the whole run. */
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
