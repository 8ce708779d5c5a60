/* SPDX-License-Identifier: MIT */
/* What is worth knowing of a program's own code, each with what it may be good for:
 *
 *   - a conditional branch that goes forward nearly always: the usual way is not the one that lies
 *     behind it, so that each time a branch is taken, and code is skipped;
 *   - a load that brings nearly always one value: what follows could be made for that.
 *
 * How often the code is executed is from a profile of blocks, exactly; how often a branch was taken
 * and which values were loaded from profiles of edges and values, as well as these know it. Where
 * loads were watched in some stretches only, what was seen is taken for all. */
#ifndef SL_ADVICE_H
#define SL_ADVICE_H

#include "costs.h"

struct sl_advised {
    char *where;    /* "primes.c:23" */
    char *sentence; /* printable */
    uint64_t executions;
};

struct sl_advice {
    struct sl_advised *advised; /* most often executed first */
    size_t n, room;
};

/* SL_EFORMAT if the database is damaged, SL_ENOMEM. Nothing, if profiles are missing. To be freed
 * all the same. */
int sl_advice_make(struct sl_advice *advice, struct sl_database *database, struct sl_failure *f);
void sl_advice_free(struct sl_advice *advice);

#endif
